import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../src/core/json.ts';
import { memberAt } from '../../src/core/json.ts';
import { systemClock } from '../../src/cluster/systemClock.ts';
import type { Liveness } from '../../src/core/session/sessionView.ts';
import type { Clock } from '../../src/sync/clock.ts';
import { Reflector } from '../../src/sync/reflector.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { type ApiServer, startApiServer } from '../support/apiServer.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { until } from '../support/until.ts';
import { linesOf, WatchedStore } from '../support/watchedStore.ts';
import { configMap, configMaps } from './clusterFixture.ts';
import { hastyClock } from './hastyClock.ts';
import { makeFolder, openClusters } from './openClusters.ts';

/** A busy machine's slowness is not the server's. */
const unhurriedClock = hastyClock(0.1);

const path = '/api/v1/namespaces/default/configmaps';
const collection = { context: 'admin', namespace: 'default', gvr: configMaps };

describe('reflectors on an API server without streaming lists that soon forgets old versions', () => {
  const stack = new AsyncDisposableStack();
  let server: ApiServer;
  let proxy: FaultProxy;
  let other: ApiClient;
  let cluster: ReturnType<Awaited<ReturnType<typeof openClusters>>['connect']>;

  before(async function () {
    this.timeout(120_000);
    // Without its cache, a watch reads etcd: it meets the compaction itself.
    const flags = ['--feature-gates=WatchList=false', '--watch-cache=false'];
    server = stack.use(await startApiServer({ compaction: '1s', flags }));
    proxy = stack.use(await FaultProxy.start({ target: server }));
    other = server.client();
    stack.defer(() => {
      other.close();
    });
    const folder = await makeFolder();
    stack.defer(() => folder.remove());
    const text = await readFile(server.kubeconfigPath, 'utf8');
    const kubeconfig = await folder.write('config', text.replaceAll(server.url, proxy.url));
    const { connect, clusters } = await openClusters([kubeconfig]);
    stack.defer(() => {
      clusters.dispose();
    });
    cluster = connect('admin');
  });
  after(() => stack.disposeAsync());

  function follow(clock: Clock = systemClock): {
    readonly reflector: Reflector;
    readonly store: WatchedStore;
    readonly said: readonly Liveness[];
    readonly failures: string[];
  } {
    const store = new WatchedStore();
    const said: Liveness[] = [];
    const failures: string[] = [];
    const reflector = new Reflector({
      ...{ cluster, collection, content: 'full', streamsLists: true, clock, pageSize: 2 },
      onDelta: (delta) => {
        store.take(delta);
      },
      onLiveness: (liveness) => said.push(liveness),
      onFailure: ({ kind }, phase) => failures.push(`${phase} ${kind}`),
      onError: (error) => {
        throw error;
      },
    });
    stack.defer(() => {
      reflector.dispose();
    });
    reflector.start();
    return { reflector, store, said, failures };
  }

  async function held(): Promise<readonly string[]> {
    const { items } = (await other.get(path)) as { items: JsonObject[] };
    return linesOf(items);
  }

  it('lists page by page where the server refuses initial events, once for all, and says nothing of it', async () => {
    for (const name of ['a', 'b', 'c']) await other.create(path, configMap(name));
    proxy.requests.length = 0;
    const { reflector, store, said, failures } = follow(unhurriedClock);
    await until(() => said.some(({ kind }) => kind === 'live'));
    assert.deepEqual(store.lines, await held());
    await other.patch(`${path}/b`, { data: { key: 'changed' } });
    await until(async () => store.lines.join('\n') === (await held()).join('\n'));
    reflector.relist();
    await until(() => proxy.recorded('GET', 'watch=true').length === 3);
    assert.deepEqual(
      proxy.recorded('GET', 'sendInitialEvents').map(({ status }) => status),
      [422],
      proxy.requests.map(({ path, status }) => `${status ?? 'none'} ${path}`).join('\n'),
    );
    assert.deepEqual(
      said.map(({ kind }) => kind),
      ['live'],
    );
    assert.deepEqual(failures, []);
  });

  it('B2: a resume point that is compacted away while the network is gone ends in a list that has missed nothing', async () => {
    await other.create(path, configMap('goes'));
    await other.create(path, configMap('changes'));
    const { reflector, store, said, failures } = follow();
    await until(() => said.some(({ kind }) => kind === 'live'));
    const version = memberAt((await other.get(path)) as JsonObject, 'metadata', 'resourceVersion') as string;
    await proxy.pause();
    await other.delete(`${path}/goes`);
    await other.patch(`${path}/changes`, { data: { key: 'changed' } });
    await other.create(path, configMap('comes'));
    const atVersion = `${path}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=1`;
    await until(async () => (await other.request('GET', atVersion)).status === 410, { deadlineMs: 30_000 });
    failures.length = 0;
    await proxy.resume();
    reflector.retryNow();
    await until(async () => store.lines.join('\n') === (await held()).join('\n'));
    await until(() => said.at(-1)?.kind === 'live');
    assert.deepEqual(
      failures.filter((failure) => failure.endsWith('expired')),
      ['watch expired'],
    );
  }).timeout(60_000);

  it('a list whose continue token is compacted away between its pages is read again from the start, and misses nothing', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await other.create(path, configMap(name));
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    using second = proxy.inject(
      ({ path: asked }) => asked.includes('continue='),
      { kind: 'hold', until: gate },
      1,
    );
    const { store, said, failures } = follow();
    const { path: asked } = await second.first;
    const version = memberAt((await other.get(path)) as JsonObject, 'metadata', 'resourceVersion') as string;
    await other.delete(`${path}/p1`);
    await other.patch(`${path}/p5`, { data: { key: 'changed' } });
    const atVersion = `${path}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=1`;
    await until(async () => (await other.request('GET', atVersion)).status === 410, { deadlineMs: 30_000 });
    const reply = await other.request('GET', asked);
    assert.equal(reply.status, 410);
    assert.equal(reply.json.reason, 'Expired');
    assert.ok(reply.json.metadata.continue.length > 0, 'the server offers the inconsistent rest');
    proxy.requests.length = 0;
    release();
    await until(() => said.some(({ kind }) => kind === 'live'));
    assert.deepEqual(store.lines, await held());
    assert.deepEqual(failures, ['list expired']);
    const lists = proxy.recorded('GET', '/configmaps?').filter((request) => !request.path.includes('watch='));
    assert.ok(lists.length >= 2 && !lists[0]?.path.includes('continue='), 'from the start');
  }).timeout(60_000);
});
