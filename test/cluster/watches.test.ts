import assert from 'node:assert/strict';
import { memberAt } from '../../src/core/json.ts';
import { startApiServer } from '../support/apiServer.ts';
import type { RecordedRequest } from '../support/faultProxy.ts';
import { AnnouncingClock } from './announcingClock.ts';
import { type ClusterFixture, configMap, configMaps, create, openFixture } from './clusterFixture.ts';
import { noAbort, openClusters } from './openClusters.ts';
import { isChange, isOpened, recordWatch } from './watchRecorder.ts';

const isWatch = ({ path }: RecordedRequest): boolean => path.includes('watch=true');

describe('watches of a real API server', () => {
  let fixture: ClusterFixture;
  let collection: { context: string; namespace: string; gvr: typeof configMaps };
  let path: string;
  before(async () => {
    fixture = await openFixture();
    collection = { context: 'admin', namespace: fixture.namespace, gvr: configMaps };
    path = `/api/v1/namespaces/${fixture.namespace}/configmaps`;
  });
  after(() => fixture[Symbol.asyncDispose]());

  async function listVersion() {
    const page = await fixture.cluster.list(collection, { content: 'metadata' }, noAbort);
    assert.equal(page.kind, 'ok');
    return page.value.resourceVersion;
  }

  it("hands over changes in the order of the stream, from the list's version on", async () => {
    const { cluster, other } = fixture;
    const resourceVersion = await listVersion();
    await other.create(path, configMap('seen'));
    const watch = recordWatch(cluster, collection, { resourceVersion });
    await watch.until(isChange('added', 'seen'));
    await other.patch(`${path}/seen`, { data: { key: 'two' } });
    await other.delete(`${path}/seen`);
    await watch.until(isChange('deleted', 'seen'));
    watch.stop();
    assert.deepEqual(await watch.end, { kind: 'aborted' });
    const kinds = watch.events.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['opened', 'added', 'modified', 'deleted']);
  });

  it('watches one object by its name', async () => {
    const { cluster, other } = fixture;
    const resourceVersion = await listVersion();
    const watch = recordWatch(cluster, collection, { resourceVersion, name: 'one' });
    await other.create(path, configMap('not-this'));
    await other.create(path, configMap('one'));
    const event = await watch.until(({ kind }) => kind === 'added');
    watch.stop();
    assert.equal(event.kind === 'added' && memberAt(event.object, 'metadata', 'name'), 'one');
  });

  it('leaves data out of a metadata watch', async () => {
    const { cluster, other } = fixture;
    const resourceVersion = await listVersion();
    const watch = recordWatch(cluster, collection, { resourceVersion, content: 'metadata' });
    await other.create(path, configMap('thin'));
    const event = await watch.until(isChange('added', 'thin'));
    watch.stop();
    assert.equal(event.kind === 'added' && event.object.data, undefined);
  });

  it("a list and a watch of rows bring the server's own columns, bookmarks included", async () => {
    const { cluster, other } = fixture;
    await other.create(path, configMap('row', { one: '1' }));
    const page = await cluster.list(collection, { content: 'rows' }, noAbort);
    assert.equal(page.kind, 'ok');
    const row = page.value.objects.find((object) => memberAt(object, 'metadata', 'name') === 'row');
    assert.equal(row?.summary, '1 data');
    const { resourceVersion } = page.value;
    const watch = recordWatch(cluster, collection, { resourceVersion, content: 'rows', timeoutSeconds: 5 });
    await watch.until(isOpened);
    await other.patch(`${path}/row`, { data: { two: '2' } });
    await other.patch(`${path}/row`, { data: { three: '3' } });
    await watch.until(({ kind }) => kind === 'bookmark');
    assert.deepEqual(await watch.end, { kind: 'ended' });
    const changes = watch.events.filter(isChange('modified', 'row'));
    assert.deepEqual(
      changes.map((event) => event.kind === 'modified' && event.object.summary),
      ['2 data', '3 data'],
    );
  });

  it('a bookmark moves the point to resume from, and the server ends the watch when asked to', async () => {
    const { cluster, other } = fixture;
    const resourceVersion = await listVersion();
    const watch = recordWatch(cluster, collection, { resourceVersion, timeoutSeconds: 5 });
    await watch.until(isOpened);
    // The server marks only what it has sent meanwhile, two seconds before the end.
    await other.create(path, configMap('marked'));
    const bookmark = await watch.until(({ kind }) => kind === 'bookmark');
    assert.ok(bookmark.kind === 'bookmark');
    assert.equal(bookmark.isInitialEventsEnd, false);
    assert.deepEqual(await watch.end, { kind: 'ended' });
    const resumed = recordWatch(cluster, collection, { resourceVersion: bookmark.resourceVersion });
    await other.create(path, configMap('after-mark'));
    await resumed.until(isChange('added', 'after-mark'));
    resumed.stop();
    assert.ok(!resumed.events.some(isChange('added', 'marked')));
  });

  it('lines and characters that are split across packets arrive whole', async () => {
    const { cluster, other, proxy } = fixture;
    const resourceVersion = await listVersion();
    const text = 'Grüße, 世界 🚀\r\nline\u2028two';
    await other.create(path, configMap('dripped', { text }));
    using dripped = proxy.inject(isWatch, { kind: 'drip', bytes: 1 }, 1);
    const watch = recordWatch(cluster, collection, { resourceVersion, name: 'dripped' });
    const event = await watch.until(isChange('added', 'dripped'));
    watch.stop();
    assert.equal(event.kind === 'added' && memberAt(event.object, 'data', 'text'), text);
    assert.equal(dripped.met.length, 1);
  });

  for (const kind of ['truncate', 'reset'] as const) {
    it(`B6: a connection that breaks in the middle of a line (${kind}) is interrupted, and the half line no event`, async () => {
      const { cluster, other, proxy } = fixture;
      const resourceVersion = await listVersion();
      const name = `cut-by-${kind}`;
      await other.create(path, configMap(name));
      using _ = proxy.inject(isWatch, { kind, bytes: 150 }, 1);
      const watch = recordWatch(cluster, collection, { resourceVersion, name });
      const end = await watch.end;
      assert.equal(end.kind, 'interrupted');
      assert.deepEqual(watch.events, [{ kind: 'opened' }]);
      const next = recordWatch(cluster, collection, { resourceVersion, name });
      await next.until(isChange('added', name));
      next.stop();
    });
  }

  it('a network that goes away interrupts an open watch', async () => {
    const { cluster, proxy } = fixture;
    const watch = recordWatch(cluster, collection, { resourceVersion: await listVersion() });
    await watch.until(isOpened);
    proxy.cutConnections();
    assert.equal((await watch.end).kind, 'interrupted');
  });

  it('B1: a watch that has gone silent past its own limit is given up', async () => {
    const clock = new AnnouncingClock();
    const { connect } = await fixture.open({ clock });
    using _ = fixture.proxy.inject(isWatch, { kind: 'stallBody' }, 1);
    const watch = recordWatch(connect('admin'), collection, { timeoutSeconds: 60 });
    await watch.until(isOpened);
    await clock.advance(69_999);
    const early = await Promise.race([watch.end, Promise.resolve('open')]);
    assert.equal(early, 'open');
    await clock.advance(1);
    assert.equal((await watch.end).kind, 'interrupted');
  });

  it('B1: a watch whose headers never come is given up', async () => {
    const clock = new AnnouncingClock();
    const { connect } = await fixture.open({ clock });
    using stalled = fixture.proxy.inject(isWatch, { kind: 'stall' }, 1);
    const watch = recordWatch(connect('admin'), collection);
    await stalled.first;
    await clock.advance(65_000);
    assert.equal((await watch.end).kind, 'interrupted');
    assert.deepEqual(watch.events, []);
  });

  it('B2: an ERROR event is a failure, never an object', async () => {
    const { cluster, proxy } = fixture;
    const status = {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'too old resource version: 1 (2)',
    };
    const line = `${JSON.stringify({ type: 'ERROR', object: status })}\n`;
    using _ = proxy.inject(isWatch, { kind: 'answer', status: 200, body: line }, 1);
    const watch = recordWatch(cluster, collection);
    assert.deepEqual(await watch.end, { kind: 'ended' });
    const failure = { kind: 'expired', message: 'too old resource version: 1 (2)' };
    assert.deepEqual(watch.events, [{ kind: 'opened' }, { kind: 'error', failure }]);
  });

  it('a 410 as the answer itself is expired', async () => {
    const { cluster, proxy } = fixture;
    const body = JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
    using _ = proxy.inject(isWatch, { kind: 'answer', status: 410, body }, 1);
    const watch = recordWatch(cluster, collection);
    assert.deepEqual(await watch.end, { kind: 'expired', message: 'too old' });
    assert.deepEqual(watch.events, []);
  });

  it('a web page instead of events is no watch', async () => {
    const { cluster, proxy } = fixture;
    using _ = proxy.inject(isWatch, { kind: 'answer', status: 200, body: '<html>\n</html>\n' }, 1);
    const watch = recordWatch(cluster, collection);
    assert.equal((await watch.end).kind, 'invalidAnswer');
  });

  it('an empty answer is an ordinary end', async () => {
    const { cluster, proxy } = fixture;
    using _ = proxy.inject(isWatch, { kind: 'answer', status: 200 }, 1);
    assert.deepEqual(await recordWatch(cluster, collection).end, { kind: 'ended' });
  });

  it('what a user may not watch is forbidden', async () => {
    const secrets = { ...collection, context: 'viewer', gvr: { ...configMaps, resource: 'secrets' } };
    const watch = recordWatch(fixture.viewer, secrets);
    assert.equal((await watch.end).kind, 'forbidden');
  });

  it('B8: watches that were opened and stopped leave no connection behind', async () => {
    const { proxy } = fixture;
    const { connect, clusters } = await fixture.open({});
    const cluster = connect('admin');
    proxy.cutConnections();
    for (let round = 0; round < 50; round++) {
      const watch = recordWatch(cluster, collection);
      await watch.until(isOpened);
      watch.stop();
      await watch.end;
    }
    // The proxy hears of a closed connection a moment after we have closed it.
    while (proxy.connectionCount > 1) await new Promise((resolve) => setTimeout(resolve, 5));
    clusters.dispose();
  });

  it('an event handler is not called after its watch was stopped', async () => {
    const { cluster, other } = fixture;
    const watch = recordWatch(cluster, collection, { resourceVersion: await listVersion() });
    await watch.until(isOpened);
    watch.stop();
    await other.create(path, configMap('too-late'));
    await watch.end;
    assert.deepEqual(watch.events, [{ kind: 'opened' }]);
  });
});

describe('a watch across a restart of the API server', () => {
  it('B2: a version from before it is expired, by an ERROR event', async () => {
    await using server = await startApiServer();
    const { connect, clusters } = await openClusters([server.kubeconfigPath]);
    const cluster = connect('admin');
    const ref = { context: 'admin', namespace: 'default', gvr: configMaps, name: 'old' };
    const made = await create(cluster, ref, configMap('old'));
    const other = server.client();
    await other.patch('/api/v1/namespaces/default/configmaps/old', { data: { key: 'new' } });
    other.close();
    const open = recordWatch(cluster, ref, { resourceVersion: made.resourceVersion });
    await open.until(isOpened);
    await server.restart();
    assert.notEqual((await open.end).kind, 'aborted');
    const watch = recordWatch(cluster, ref, { resourceVersion: made.resourceVersion });
    const event = await watch.until(({ kind }) => kind === 'error');
    watch.stop();
    assert.ok(event.kind === 'error' && event.failure.kind === 'expired');
    assert.deepEqual(
      watch.events.map(({ kind }) => kind),
      ['opened', 'error'],
    );
    clusters.dispose();
  }).timeout(60_000);
});
