import assert from 'node:assert/strict';
import { memberAt } from '../../../src/core/json.ts';
import { toResourceVersion } from '../../../src/core/resource/snapshot.ts';
import type { WatchEvent } from '../../../src/sync/clusterPort.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, fakeObject } from '../../support/fakeCluster.ts';
import { ReflectorHarness } from './reflectorHarness.ts';

function bookmark(version: string): WatchEvent {
  const resourceVersion = toResourceVersion(version);
  assert.ok(resourceVersion);
  return { kind: 'bookmark', resourceVersion, isInitialEventsEnd: false };
}

describe('Reflector: list, then watch', () => {
  it('asks for nothing before it is started', async () => {
    const { cluster } = new ReflectorHarness();
    await settled();
    assert.deepEqual(cluster.log, []);
  });

  it('watches from the version of the list', async () => {
    const harness = await ReflectorHarness.live();
    assert.deepEqual(harness.cluster.log, ['list', 'watch 100']);
    assert.deepEqual(harness.said, ['replaced a@1 b@2']);
    assert.deepEqual(harness.livenessKinds, ['live']);
  });

  it('hands pages over as they come, then the whole list', async () => {
    const harness = new ReflectorHarness({ pageSize: 2 });
    harness.reflector.start();
    await harness.cluster.lastList.page([fakeObject('a', '1'), fakeObject('b', '2')], '100', 'more');
    assert.deepEqual(harness.said, ['page a@1 b@2']);
    assert.deepEqual(harness.cluster.lastList.options, { content: 'full', limit: 2, continueToken: 'more' });
    await harness.cluster.lastList.page([fakeObject('c', '3')], '100');
    assert.deepEqual(harness.said, ['page a@1 b@2', 'replaced a@1 b@2 c@3']);
  });

  it('is not live before the server has accepted the watch', async () => {
    const harness = new ReflectorHarness();
    harness.reflector.start();
    await harness.cluster.lastList.page([]);
    assert.deepEqual(harness.liveness, []);
    await harness.cluster.lastWatch.open();
    assert.deepEqual(harness.livenessKinds, ['live']);
  });

  it('hands changes over in order, named by what the consumer knows', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.send(
      { kind: 'modified', object: fakeObject('a', '101') },
      { kind: 'added', object: fakeObject('c', '102') },
      { kind: 'deleted', object: fakeObject('b', '103') },
    );
    assert.deepEqual(harness.said.slice(1), ['modified a@101', 'added c@102', 'deleted b@103']);
  });

  it('asks for one object by name and reports its absence as a deletion would be', async () => {
    const harness = new ReflectorHarness({ name: 'a' });
    harness.reflector.start();
    assert.deepEqual(harness.cluster.lastList.options, { content: 'full', name: 'a' });
    await harness.cluster.lastList.page([], '100');
    assert.deepEqual(harness.said, ['replaced']);
    assert.equal(harness.cluster.lastWatch.options.name, 'a');
  });

  it('leaves managedFields and the last-applied annotation out of metadata', async () => {
    const harness = new ReflectorHarness({ content: 'metadata' });
    harness.reflector.start();
    await harness.cluster.lastList.page([
      {
        metadata: {
          name: 'a',
          managedFields: [],
          annotations: { keep: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
        },
      },
    ]);
    const [delta] = harness.deltas;
    assert.ok(delta?.kind === 'replaced');
    assert.deepEqual(memberAt(delta.objects[0], 'metadata'), { name: 'a', annotations: { keep: 'x' } });
  });

  it('gives up a list whose pages go in a circle', async () => {
    const harness = new ReflectorHarness();
    harness.reflector.start();
    await harness.cluster.lastList.page([], '100', 'again');
    await harness.cluster.lastList.page([], '100', 'again');
    assert.deepEqual(harness.cluster.log, ['list', 'list']);
    assert.deepEqual(harness.livenessKinds, ['reconnecting']);
  });
});

describe('Reflector: resuming', () => {
  it('resumes at once from the last version after an ordinary end, still live', async () => {
    const harness = await ReflectorHarness.live();
    const { clock, cluster } = harness;
    await cluster.lastWatch.send({ kind: 'modified', object: fakeObject('a', '101') });
    await clock.advance(80_000);
    await cluster.lastWatch.end();
    assert.deepEqual(cluster.log, ['list', 'watch 100', 'watch 101']);
    assert.deepEqual(harness.livenessKinds, ['live']);
  });

  it('resumes from a bookmark', async () => {
    const harness = await ReflectorHarness.live();
    const { clock, cluster } = harness;
    await cluster.lastWatch.send(bookmark('150'));
    await clock.advance(80_000);
    await cluster.lastWatch.end();
    assert.deepEqual(cluster.log.at(-1), 'watch 150');
    assert.deepEqual(harness.said, ['replaced a@1 b@2']);
  });

  it('backs off from a server that closes every watch at once', async () => {
    const harness = await ReflectorHarness.live();
    const { clock, cluster } = harness;
    const pauses: (number | undefined)[] = [];
    for (let round = 0; round < 7; round++) {
      await cluster.lastWatch.end();
      const last = cluster.requests.at(-1);
      pauses.push(last?.signal.aborted === true ? clock.nextDelayMs : 0);
      await clock.advance(pauses.at(-1) ?? 0);
      await cluster.lastWatch.open();
    }
    assert.deepEqual(pauses, [0, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert.equal(cluster.log.filter((request) => request === 'list').length, 1);
    assert.equal(harness.livenessKinds.at(-1), 'reconnecting');
  });

  it('B7: a replayed version changes nothing', async () => {
    const harness = await ReflectorHarness.live();
    const changed = fakeObject('a', '101');
    await harness.cluster.lastWatch.send({ kind: 'modified', object: changed });
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(1_000);
    await harness.cluster.lastWatch.send(
      { kind: 'added', object: fakeObject('b', '2') },
      { kind: 'modified', object: changed },
    );
    assert.deepEqual(harness.said, ['replaced a@1 b@2', 'modified a@101']);
  });

  it('A4: a replay of older versions does not take an object back, nor the resume point', async () => {
    const harness = await ReflectorHarness.live();
    for (const version of ['101', '102', '103']) {
      await harness.cluster.lastWatch.send({ kind: 'modified', object: fakeObject('a', version) });
    }
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(1_000);
    await harness.cluster.lastWatch.send(
      { kind: 'modified', object: fakeObject('a', '1') },
      { kind: 'modified', object: fakeObject('a', '101') },
      { kind: 'modified', object: fakeObject('a', '102') },
    );
    assert.deepEqual(harness.said.slice(1), ['modified a@101', 'modified a@102', 'modified a@103']);
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(2_000);
    assert.equal(harness.cluster.log.at(-1), 'watch 103');
  });

  it('tells a recreated object from a change, and ignores a late deletion of its predecessor', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.send(
      { kind: 'added', object: fakeObject('a', '105', 'uid-new') },
      { kind: 'deleted', object: fakeObject('a', '104') },
      { kind: 'deleted', object: fakeObject('never', '106') },
    );
    assert.deepEqual(harness.said.slice(1), ['added a@105']);
  });

  it('B6: a change made while the connection was gone arrives after the resume', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end(failure('interrupted'));
    assert.deepEqual(harness.livenessKinds, ['live', 'reconnecting']);
    await harness.clock.advance(1_000);
    assert.equal(harness.cluster.log.at(-1), 'watch 100');
    await harness.cluster.lastWatch.open();
    await harness.cluster.lastWatch.send({ kind: 'modified', object: fakeObject('a', '101') });
    assert.deepEqual(harness.said.at(-1), 'modified a@101');
    assert.deepEqual(harness.livenessKinds, ['live', 'reconnecting', 'live']);
  });

  it('calls a quiet watch live again once it has held for a second', async () => {
    const harness = await ReflectorHarness.live();
    const lostAt = harness.clock.now();
    await harness.cluster.lastWatch.end(failure('unreachable'));
    await harness.clock.advance(1_000);
    await harness.cluster.lastWatch.open();
    await harness.clock.advance(999);
    assert.deepEqual(harness.liveness.at(-1), { kind: 'reconnecting', since: lostAt });
    await harness.clock.advance(1);
    assert.deepEqual(harness.liveness.at(-1), { kind: 'live' });
  });

  it('takes the first moment of a row of failures as the one at which the watch was lost', async () => {
    const harness = await ReflectorHarness.live();
    const lostAt = harness.clock.now();
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await harness.cluster.lastWatch.end(failure('serverError'));
      await harness.clock.advance(pauseMs);
    }
    assert.deepEqual(harness.liveness, [{ kind: 'live' }, { kind: 'reconnecting', since: lostAt }]);
  });
});
