import assert from 'node:assert/strict';
import { toResourceVersion } from '../../../src/core/resource/snapshot.ts';
import type { WatchEvent } from '../../../src/sync/clusterPort.ts';
import { initialPauseMs } from '../../../src/sync/initialEvents.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, fakeObject } from '../../support/fakeCluster.ts';
import { ReflectorHarness } from './reflectorHarness.ts';

const added = (name: string, version: string): WatchEvent => ({
  kind: 'added',
  object: fakeObject(name, version),
});

function endOfList(version: string): WatchEvent {
  const resourceVersion = toResourceVersion(version);
  assert.ok(resourceVersion);
  return { kind: 'bookmark', resourceVersion, isInitialEventsEnd: true };
}

async function startStream(pageSize = 500): Promise<ReflectorHarness> {
  const harness = new ReflectorHarness({ streamsLists: true, pageSize });
  harness.cluster.streamsLists = true;
  harness.reflector.start();
  await settled();
  return harness;
}

describe('Reflector: lists that are streamed', () => {
  it('takes list and changes from one watch, and resumes it from where it is', async () => {
    const harness = await startStream();
    const { cluster, clock } = harness;
    assert.deepEqual(cluster.log, ['watch all']);
    await cluster.lastWatch.send({ kind: 'opened' }, added('a', '1'), added('b', '2'));
    assert.deepEqual(harness.said, []);
    assert.deepEqual(harness.liveness, [], 'not live before the list is complete');
    await cluster.lastWatch.send(endOfList('100'));
    assert.deepEqual(harness.said, ['replaced a@1 b@2']);
    assert.deepEqual(harness.livenessKinds, ['live']);
    await cluster.lastWatch.send({ kind: 'modified', object: fakeObject('a', '101') });
    await clock.advance(60_000);
    await cluster.lastWatch.end();
    assert.deepEqual(harness.said.slice(1), ['modified a@101']);
    assert.deepEqual(cluster.log, ['watch all', 'watch 101']);
  });

  it('hands pages over as they come', async () => {
    const harness = await startStream(2);
    await harness.cluster.lastWatch.send(
      { kind: 'opened' },
      added('a', '1'),
      added('b', '2'),
      added('c', '3'),
    );
    assert.deepEqual(harness.said, ['page a@1 b@2']);
    await harness.cluster.lastWatch.send(endOfList('100'));
    assert.deepEqual(harness.said, ['page a@1 b@2', 'replaced a@1 b@2 c@3']);
  });

  it('B8: streams the list again after 410, and finds what was deleted', async () => {
    const harness = await startStream();
    await harness.cluster.lastWatch.send(
      { kind: 'opened' },
      added('a', '1'),
      added('b', '2'),
      endOfList('100'),
    );
    await harness.clock.advance(60_000);
    await harness.cluster.lastWatch.send({ kind: 'error', failure: failure('expired') });
    await harness.cluster.lastWatch.send({ kind: 'opened' }, added('b', '2'), endOfList('200'));
    assert.deepEqual(harness.cluster.log, ['watch all', 'watch all']);
    assert.equal(harness.said.at(-1), 'replaced b@2');
    assert.equal(harness.livenessKinds.at(-1), 'live');
  });

  it('asks for pages at once where the server refuses', async () => {
    const harness = await ReflectorHarness.live({ streamsLists: true });
    assert.deepEqual(harness.cluster.log, ['list', 'watch 100']);
    assert.deepEqual(harness.livenessKinds, ['live']);
  });

  it('asks for pages where the server sends objects and never says that they are all', async () => {
    const harness = await startStream();
    const watch = harness.cluster.lastWatch;
    await watch.send({ kind: 'opened' }, added('a', '1'));
    await harness.clock.advance(initialPauseMs - 1);
    await watch.send(added('b', '2'));
    await harness.clock.advance(initialPauseMs - 1);
    assert.deepEqual(harness.cluster.log, ['watch all']);
    await harness.clock.advance(1);
    assert.equal(watch.signal.aborted, true);
    await harness.cluster.lastList.page([fakeObject('a', '1')], '100');
    assert.deepEqual(harness.cluster.log, ['watch all', 'list', 'watch 100']);
  });

  for (const kind of ['expired', 'versionTooLarge', 'serverError', 'invalidAnswer'] as const) {
    it(`asks for pages at once after ${kind}`, async () => {
      const harness = await startStream();
      await harness.cluster.lastWatch.end(failure(kind));
      assert.deepEqual(harness.cluster.log, ['watch all', 'list']);
    });
  }

  it('streams again after a lost connection, half a list being no list', async () => {
    const harness = await startStream();
    await harness.cluster.lastWatch.send({ kind: 'opened' }, added('a', '1'));
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.cluster.log, ['watch all', 'watch all']);
    assert.deepEqual(harness.said, []);
  });

  it('stops where it is forbidden, and says so', async () => {
    const harness = await startStream();
    await harness.cluster.lastWatch.end(failure('forbidden'));
    assert.deepEqual(harness.liveness, [{ kind: 'notWatched', reason: 'it is forbidden' }]);
    assert.deepEqual(harness.cluster.log, ['watch all']);
  });

  it('leaves no timer behind', async () => {
    const harness = await startStream();
    await harness.cluster.lastWatch.send({ kind: 'opened' }, added('a', '1'));
    harness.reflector.dispose();
    await settled();
    assert.equal(harness.clock.pendingTimers, 0);
  });
});
