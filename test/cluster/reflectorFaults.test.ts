import assert from 'node:assert/strict';
import { type CollectionItem, LiveCollection } from '../../src/editor/liveCollection.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Liveness } from '../../src/core/session/sessionView.ts';
import type { Clock } from '../../src/sync/clock.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { Reflector, type ReflectorOptions } from '../../src/sync/reflector.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { startApiServer } from '../support/apiServer.ts';
import type { RecordedRequest } from '../support/faultProxy.ts';
import { until } from '../support/until.ts';
import { linesOf, WatchedStore } from '../support/watchedStore.ts';
import { type ClusterFixture, configMap, configMaps, openFixture } from './clusterFixture.ts';
import { hastyClock } from './hastyClock.ts';
import { openClusters } from './openClusters.ts';

const isWatch = ({ path }: RecordedRequest): boolean => path.includes('watch=true');

interface Followed extends Disposable {
  readonly store: WatchedStore;
  readonly said: Liveness['kind'][];
  readonly failures: string[];
}

function follow(
  cluster: ClusterPort,
  namespace: string,
  clock: Clock,
  options: Pick<ReflectorOptions, 'content' | 'streamsLists'> = { content: 'full' },
): Followed {
  const store = new WatchedStore();
  const said: Liveness['kind'][] = [];
  const failures: string[] = [];
  const reflector = new Reflector({
    ...{ cluster, collection: { context: 'admin', namespace, gvr: configMaps }, clock, ...options },
    onDelta: (delta) => {
      store.take(delta);
    },
    onLiveness: ({ kind }) => said.push(kind),
    onFailure: ({ kind }, phase) => failures.push(`${phase} ${kind}`),
    onError: (error) => {
      throw error;
    },
  });
  reflector.start();
  return {
    store,
    said,
    failures,
    [Symbol.dispose]: () => {
      reflector.dispose();
    },
  };
}

describe('reflectors on a real API server that refuses', () => {
  let fixture: ClusterFixture;
  let path: string;
  const clock = hastyClock(20);
  beforeEach(async () => {
    fixture = await openFixture();
    path = `/api/v1/namespaces/${fixture.namespace}/configmaps`;
    await fixture.other.create(path, configMap('one'));
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const held = async (): Promise<string> => {
    const { items } = (await fixture.other.get(path)) as { items: JsonObject[] };
    return linesOf(items).join('\n');
  };

  it('B3: 410 to every watch costs at most 16 requests a minute, and changes are still seen', async () => {
    const { cluster, proxy, other, namespace } = fixture;
    const body = JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
    using refused = proxy.inject(isWatch, { kind: 'answer', status: 410, body });
    const startedAt = clock.now();
    using followed = follow(cluster, namespace, clock);
    await until(() => refused.met.length >= 3);
    await other.patch(`${path}/one`, { data: { key: 'changed' } });
    await until(async () => followed.store.lines.join('\n') === (await held()));
    await until(() => clock.now() - startedAt >= 60_000);
    const asked = proxy.recorded('GET', '/configmaps').length;
    assert.ok(asked <= 16, `${String(asked)} requests in a minute`);
    assert.ok(followed.said.every((kind) => kind !== 'live'));
    refused.dispose();
    await until(() => followed.said.at(-1) === 'live');
  });

  for (const content of ['full', 'rows'] as const) {
    it(`B3: 410 to every list and watch (${content}) costs at most 16 requests a minute, and both come back`, async () => {
      const { cluster, proxy, namespace } = fixture;
      const fast = hastyClock(60);
      const body = JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
      const isRead = ({ path: asked }: RecordedRequest): boolean => asked.includes('/configmaps');
      using refused = proxy.inject(isRead, { kind: 'answer', status: 410, body });
      const startedAt = fast.now();
      using followed = follow(cluster, namespace, fast, { content, streamsLists: content === 'full' });
      await until(() => fast.now() - startedAt >= 60_000);
      const asked = refused.met.length;
      assert.ok(asked >= 5 && asked <= 16, `${String(asked)} requests in a minute`);
      assert.ok(followed.said.every((kind) => kind === 'reconnecting'));
      refused.dispose();
      await until(async () => followed.store.lines.join('\n') === (await held()));
      await until(() => followed.said.at(-1) === 'live');
    });
  }

  it('a version that the server calls too large is asked for again, then listed, and nothing is missed', async () => {
    const { cluster, proxy, other, namespace } = fixture;
    const future = `${path}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`;
    const { status, text } = await other.request('GET', future);
    assert.equal(status, 504);
    using followed = follow(cluster, namespace, clock);
    await until(() => followed.said.at(-1) === 'live');
    // The server's own words, as a replica says them that lags behind, or one restored from a backup for ever.
    using refused = proxy.inject(isWatch, { kind: 'answer', status, body: text }, 3);
    proxy.cutConnections();
    await other.patch(`${path}/one`, { data: { key: 'changed' } });
    await until(async () => followed.store.lines.join('\n') === (await held()));
    await until(() => followed.said.at(-1) === 'live');
    assert.equal(refused.met.length, 3);
    const tooLarge = 'watch versionTooLarge';
    assert.deepEqual(followed.failures, ['watch interrupted', tooLarge, tooLarge, tooLarge]);
    const after = proxy.requests.slice(proxy.requests.findLastIndex(({ status: got }) => got === 504) + 1);
    assert.ok(!isWatch(after[0] ?? assert.fail('nothing followed')), 'a list follows');
  }).timeout(30_000);
});

describe('reflectors across a restart of the API server', () => {
  it('B8, B12: find what was deleted, changed and made around it, and are live again', async () => {
    await using server = await startApiServer();
    const clock = hastyClock(5);
    const { connect, clusters } = await openClusters([server.kubeconfigPath]);
    const cluster = connect('admin');
    const path = '/api/v1/namespaces/default/configmaps';
    const change = async (act: (other: ApiClient) => Promise<unknown>): Promise<void> => {
      const other = server.client();
      await act(other);
      other.close();
    };
    await change(async (other) => {
      for (const name of ['stays', 'changes', 'goes']) await other.create(path, configMap(name));
    });
    using followed = follow(cluster, 'default', clock);
    const states: string[] = [];
    const rows = new LiveCollection<CollectionItem>({
      cluster,
      collection: { context: 'admin', namespace: 'default', gvr: configMaps },
      clock,
      create: (name, namespace) => ({ name, namespace, isTerminating: false, summary: '', owner: '' }),
      onChange: () => {
        if (states.at(-1) !== rows.state.kind) states.push(rows.state.kind);
      },
    });
    rows.start();
    await until(() => followed.said.at(-1) === 'live' && rows.state.kind === 'current');
    states.length = 0;
    await server.restart();
    await change(async (other) => {
      await other.delete(`${path}/goes`);
      await other.patch(`${path}/changes`, { data: { key: 'changed', more: 'x' } });
      await other.create(path, configMap('comes'));
      const { items } = (await other.get(path)) as { items: JsonObject[] };
      await until(() => followed.store.lines.join('\n') === linesOf(items).join('\n'));
    });
    await until(() => followed.said.at(-1) === 'live');
    assert.deepEqual(followed.said, ['live', 'reconnecting', 'live']);
    await until(() => rows.state.kind === 'current' && rows.items.some(({ name }) => name === 'comes'));
    assert.deepEqual(
      rows.items.map(({ name, summary }) => `${name}: ${summary}`),
      ['changes: 2 data', 'comes: 1 data', 'kube-root-ca.crt: 1 data', 'stays: 1 data'].filter((row) =>
        rows.items.some(({ name }) => row.startsWith(`${name}:`)),
      ),
    );
    assert.ok(states.includes('outdated'), states.join());
    rows.dispose();
    clusters.dispose();
  }).timeout(90_000);
});
