import assert from 'node:assert/strict';
import type { Disposable } from '../../src/core/lifecycle.ts';
import { maxRequests, maxWatches } from '../../src/cluster/transport.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { toSnapshot } from '../../src/core/resource/snapshot.ts';
import { until } from '../support/until.ts';
import { type ClusterFixture, configMap, openFixture, update } from './clusterFixture.ts';
import { noAbort, type OpenClusters } from './openClusters.ts';
import { isChange, isOpened, recordWatch, type WatchRecorder } from './watchRecorder.ts';

describe('the connections to one cluster', () => {
  let fixture: ClusterFixture;
  let opened: OpenClusters;
  let cluster: ClusterPort;
  let watches: WatchRecorder[];
  before(async () => {
    fixture = await openFixture();
    await fixture.other.create(path(), configMap('one'));
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    opened = await fixture.open({});
    cluster = opened.connect('admin');
    watches = [];
    fixture.proxy.cutConnections();
    await until(() => fixture.proxy.connectionCount === 0);
  });
  afterEach(() => {
    for (const watch of watches) watch.stop();
    opened.clusters.dispose();
  });

  const path = (): string => `/api/v1/namespaces/${fixture.namespace}/configmaps`;
  const watch = (): WatchRecorder => {
    const made = recordWatch(cluster, fixture.ref('one'));
    watches.push(made);
    return made;
  };
  const openCount = (): number => watches.filter(({ events }) => events.some(isOpened)).length;
  const get = () => cluster.get(fixture.ref('one'), noAbort);

  /** Keeps the answers of all GETs of the object back. */
  function holdAnswers(): Disposable & { readonly met: readonly unknown[] } {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const isGet = ({ path: asked }: { readonly path: string }): boolean => asked.endsWith('/configmaps/one');
    const held = fixture.proxy.inject(isGet, { kind: 'holdAnswer', until: gate });
    return {
      met: held.met,
      dispose: () => {
        held.dispose();
        release();
      },
    };
  }

  it(`are never more than ${String(maxRequests + maxWatches)}; one watch too many waits for another's end`, async () => {
    for (let count = 0; count < maxWatches + 2; count++) watch();
    await until(() => openCount() === maxWatches, { deadlineMs: 30_000 });
    const held = holdAnswers();
    const reads = Array.from({ length: 3 * maxRequests }, get);
    await until(() => held.met.length === maxRequests);
    assert.equal(fixture.proxy.connectionCount, maxRequests + maxWatches);
    held.dispose();
    assert.ok((await Promise.all(reads)).every(({ kind }) => kind === 'ok'));
    assert.ok(fixture.proxy.connectionCount <= maxRequests + maxWatches);
    assert.equal(openCount(), maxWatches);
    watches.find(({ events }) => events.some(isOpened))?.stop();
    await until(() => openCount() === maxWatches + 1);
    assert.equal(fixture.proxy.recorded('GET', 'watch=true').length, maxWatches + 1);
  }).timeout(60_000);

  it('neither starve requests, nor watches: 25 watches hear of a change while all requests are stalled', async () => {
    for (let count = 0; count < 24; count++) watch();
    await until(() => openCount() === 24);
    const held = holdAnswers();
    const reads = Array.from({ length: 40 }, get);
    await until(() => held.met.length === maxRequests);
    const late = watch();
    await late.until(isOpened);
    await fixture.other.patch(`${path()}/one`, { data: { key: 'changed' } });
    await Promise.all(watches.map((one) => one.until(isChange('modified', 'one'))));
    held.dispose();
    assert.ok((await Promise.all(reads)).every(({ kind }) => kind === 'ok'));
    assert.equal(openCount(), 25);
  });

  it('are kept: 20 requests one after another, reads and writes, share one, in HTTP/1.1', async () => {
    const from = fixture.proxy.requests.length;
    for (let count = 0; count < 10; count++) {
      const outcome = await get();
      assert.ok(outcome.kind === 'ok');
      const basis = toSnapshot(outcome.value);
      assert.ok(basis);
      await update(cluster, fixture.ref('one'), basis);
    }
    const sent = fixture.proxy.requests.slice(from).filter(({ path: asked }) => asked.includes('/one'));
    assert.equal(sent.length, 20);
    assert.equal(new Set(sent.map(({ clientPort }) => clientPort)).size, 1);
    assert.ok(sent.every(({ httpVersion }) => httpVersion === '1.1'));
  });

  it('are no more than before once 25 watches and 40 requests are over', async () => {
    await get();
    assert.equal(fixture.proxy.connectionCount, 1);
    for (let count = 0; count < 25; count++) watch();
    await Promise.all([...Array.from({ length: 40 }, get), ...watches.map((one) => one.until(isOpened))]);
    for (const one of watches) one.stop();
    await Promise.all(watches.map(({ end }) => end));
    await until(() => fixture.proxy.connectionCount <= maxRequests);
    opened.clusters.dispose();
    await until(() => fixture.proxy.connectionCount === 0);
  });
});
