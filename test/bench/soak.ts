import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as pause } from 'node:timers/promises';
import type { Liveness } from '../../src/core/session/sessionView.ts';
import { systemClock } from '../../src/cluster/systemClock.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { Reflector } from '../../src/sync/reflector.ts';
import { configMap, configMaps, openFixture } from '../cluster/clusterFixture.ts';
import { noAbort } from '../cluster/openClusters.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { FaultStorm, stormFaults } from '../support/faultStorm.ts';
import { until } from '../support/until.ts';
import { linesOf, WatchedStore } from '../support/watchedStore.ts';
import type { Figure, ScenarioOptions } from './figure.ts';
import { type Chance, makeChance } from './torture/chance.ts';

const singleWatches = 20;
const collectionWatches = 5;

/** How long the same goes on beforehand, in s, so that what the first use of everything keeps is counted before. */
const warmUpSeconds = 8;

/**
 * 25 watches in real time, on a real server whose connections fail at random while others write: afterwards each
 * watch holds what the server holds, and nothing is left once they are disposed of.
 */
export async function run({
  seconds = 120,
  seed = Date.now() % 1_000_000,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const chance = makeChance(seed);
  await soak(warmUpSeconds, chance);
  const before = await resources();
  const { deltas, missed, connections, counts } = await soak(seconds, chance);
  const after = await resources();
  const of = `${counts.writes} changes, ${counts.faults} faults and ${counts.requests} requests in ${seconds} s (seed ${seed})`;
  return [
    { name: `soak: deltas told, of ${of}`, value: deltas, unit: 'count' },
    { name: 'soak: watches that missed a change', value: missed, unit: 'count', goal: 0 },
    {
      name: 'soak: connections kept once no watch is left',
      value: connections,
      unit: 'count',
      goal: maxIdleConnections,
    },
    {
      name: 'soak: sockets more than at the start',
      value: after.sockets - before.sockets,
      unit: 'count',
      goal: 0,
    },
    {
      name: 'soak: timers more than at the start',
      value: after.timers - before.timers,
      unit: 'count',
      goal: 0,
    },
    {
      name: 'soak: heap more than at the start',
      value: after.heapKb - before.heapKb,
      unit: 'KB',
      goal: 2_048,
    },
  ];
}

interface SoakResult {
  readonly deltas: number;
  readonly missed: number;
  readonly connections: number;
  readonly counts: { readonly faults: number; readonly writes: number; readonly requests: number };
}

async function soak(seconds: number, chance: Chance): Promise<SoakResult> {
  await using fixture = await openFixture();
  const { proxy, namespace, other, cluster } = fixture;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const watches = startWatches(cluster, namespace);
  const storm = new FaultStorm(proxy);
  const endAt = Date.now() + seconds * 1_000;
  const counts = { faults: 0, writes: 0, requests: 0 };
  while (Date.now() < endAt) {
    await storm.accept();
    await storm.brew(chance.pick(stormFaults), Math.floor(chance.between(0, 2_000)));
    counts.faults++;
    for (let write = 0; write < 10; write++) {
      await writeSomething(other, path, chance);
      counts.writes++;
      await pause(25);
    }
    // Connections that hang are given up after a while by the product itself; here the network ends them.
    if (counts.faults % 20 === 0) await storm.calm();
    counts.requests += proxy.requests.length;
    proxy.requests.length = 0;
  }
  await storm.calm();
  const missed = await countMissed(cluster, namespace, watches);
  for (const { reflector } of watches) reflector.dispose();
  await until(() => proxy.connectionCount <= maxIdleConnections).catch(() => undefined);
  const deltas = watches.reduce((sum, { store }) => sum + store.deltas, 0);
  return { deltas, missed, connections: proxy.connectionCount, counts };
}

/** Kept connections that wait for the next request. */
const maxIdleConnections = 8;

interface Watched {
  readonly reflector: Reflector;
  readonly store: WatchedStore;
  readonly name: string | undefined;
  readonly isLive: () => boolean;
}

function startWatches(cluster: ClusterPort, namespace: string): Watched[] {
  const names = [
    ...Array.from({ length: singleWatches }, (_item, index) => nameOf(index)),
    ...Array.from({ length: collectionWatches }, () => undefined),
  ];
  return names.map((name, index) => {
    const store = new WatchedStore();
    let liveness: Liveness | undefined;
    const reflector = new Reflector({
      cluster,
      collection: { context: 'admin', namespace, gvr: configMaps },
      clock: systemClock,
      pageSize: 7,
      ...(name === undefined
        ? { content: index % 2 === 0 ? 'rows' : 'metadata' }
        : { content: 'full', streamsLists: true, name }),
      onDelta: (delta) => {
        store.take(delta);
      },
      onLiveness: (value) => {
        liveness = value;
      },
      onError: (error) => {
        throw error;
      },
    });
    reflector.start();
    return { reflector, store, name, isLive: () => liveness?.kind === 'live' };
  });
}

function nameOf(index: number): string {
  return `object-${index}`;
}

async function writeSomething(other: ApiClient, path: string, chance: Chance): Promise<void> {
  const name = nameOf(Math.floor(chance.between(0, singleWatches + 5)));
  if (chance(0.1)) {
    await other.request('DELETE', `${path}/${name}`);
    return;
  }
  const data = { key: String(chance.between(0, 1)) };
  const made = await other.request('POST', path, { body: configMap(name, data) });
  if (made.status === 409) await other.patch(`${path}/${name}`, { data });
}

/** Waits until all is quiet; what differs by then was missed. */
async function countMissed(
  cluster: ClusterPort,
  namespace: string,
  watches: readonly Watched[],
): Promise<number> {
  const collection = { context: 'admin', namespace, gvr: configMaps };
  const page = await cluster.list(collection, { content: 'metadata' }, noAbort);
  if (page.kind !== 'ok') throw new Error(`no list: ${page.kind}`);
  const held = linesOf(page.value.objects);
  const differing = (): number =>
    watches.filter(({ store, name, isLive }) => {
      const expected = held.filter((line) => name === undefined || line.startsWith(`${namespace}/${name} `));
      return !isLive() || store.lines.join('\n') !== expected.join('\n');
    }).length;
  // The longest pause between attempts, and some.
  await until(() => differing() === 0, { deadlineMs: 60_000 }).catch(() => undefined);
  return differing();
}

async function resources(): Promise<{
  readonly sockets: number;
  readonly timers: number;
  readonly heapKb: number;
}> {
  // Sockets that were destroyed are gone a turn of the event loop later.
  await pause(250);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const active = process.getActiveResourcesInfo();
  return {
    sockets: active.filter((kind) => kind === 'TCPSocketWrap').length,
    timers: active.filter((kind) => kind === 'Timeout').length,
    heapKb: process.memoryUsage().heapUsed / 1024,
  };
}
