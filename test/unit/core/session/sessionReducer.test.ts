import assert from 'node:assert/strict';
import { memberAt } from '../../../../src/core/json.ts';
import type { Uid } from '../../../../src/core/resource/snapshot.ts';
import { deployment, DrivenSession, sentSpec } from './sessionHarness.ts';

describe('session', () => {
  it('A1: a status-only change is no foreign change, and the save carries the newest status', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', {}, { status: { readyReplicas: 1 } }));
    assert.equal(session.view.phase, 'fresh');
    session.save();
    const [write] = session.writes;
    assert.ok(write);
    assert.equal(write.precondition.resourceVersion, '2');
    assert.deepEqual(memberAt(write.object, 'status'), { readyReplicas: 1 });
    assert.equal(sentSpec(session, 'replicas'), 3);
  });

  it('A2: edits of one field by two writers are a conflict, and nothing is sent', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', { replicas: 5 }));
    assert.equal(session.view.phase, 'conflicted');
    session.save();
    assert.equal(session.writes.length, 0);
    const result = session.lastResult;
    assert.ok(result?.kind === 'conflict');
    assert.deepEqual(
      result.conflicts.map(({ base, mine, live }) => [base, mine, live]),
      [[1, 3, 5]],
    );
  });

  it('A2: edits of two fields by two writers land in one write on the live version', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', { paused: true }));
    assert.equal(session.view.phase, 'stale');
    session.save();
    assert.equal(session.writes.length, 1);
    assert.equal(session.writes[0]?.precondition.resourceVersion, '2');
    assert.equal(sentSpec(session, 'replicas'), 3);
    assert.equal(sentSpec(session, 'paused'), true);
    session.commit(deployment('3', { replicas: 3, paused: true }));
    const result = session.lastResult;
    assert.ok(result?.kind === 'committed');
    assert.equal(result.applied.length, 1);
  });

  it('A3: the second save of two carries the version of the first response', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 2 });
    session.save();
    session.commit(deployment('2', { replicas: 2 }));
    session.take(deployment('2', { replicas: 2 }));
    session.type(deployment('2', { replicas: 2 }), { replicas: 3 });
    session.save();
    assert.equal(session.writes[1]?.precondition.resourceVersion, '2');
  });

  describe('A4: own writes', () => {
    it('are not foreign when their event comes before the response', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.see(deployment('2', { replicas: 2 }));
      assert.equal(session.view.liveVersion, '1');
      session.commit(deployment('2', { replicas: 2 }));
      assert.equal(session.view.phase, 'fresh');
      assert.equal(session.view.liveVersion, '2');
      assert.equal(session.state.awaited, undefined);
    });

    it('are not foreign when their event comes after the response', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.commit(deployment('2', { replicas: 2 }));
      session.take(deployment('2', { replicas: 2 }));
      session.see(deployment('2', { replicas: 2 }));
      assert.equal(session.view.phase, 'fresh');
      assert.equal(session.state.awaited, undefined);
      assert.deepEqual(session.follows, []);
    });

    it('hide no older event that is replayed after the response', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.commit(deployment('2', { replicas: 2 }));
      session.take(deployment('2', { replicas: 2 }));
      session.see(deployment('1'));
      session.see(deployment('2', { replicas: 2 }));
      session.see(deployment('1'));
      assert.equal(session.view.liveVersion, '2');
      assert.deepEqual(session.follows, []);
    });

    it('hide no foreign event that follows theirs while the save is in flight', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.see(deployment('2', { replicas: 2 }));
      session.see(deployment('3', { replicas: 2, paused: true }));
      session.commit(deployment('2', { replicas: 2 }));
      assert.equal(session.view.liveVersion, '3');
      assert.equal(session.view.foreign.length, 1);
    });

    it('that changed nothing on the server wait for no event', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.see(deployment('2', { paused: true }));
      session.commit(deployment('1'));
      assert.equal(session.state.awaited, undefined);
      assert.equal(session.view.liveVersion, '2');
      const result = session.lastResult;
      assert.ok(result?.kind === 'committed');
      assert.equal(result.altered.length, 1);
    });

    it('ask for a fresh read when a relist may be newer than the response', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      const foreign = deployment('3', { replicas: 2, paused: true });
      session.watch({ kind: 'relisted', snapshot: foreign });
      session.commit(deployment('2', { replicas: 2 }));
      assert.equal(session.confirmations, 1);
      session.send({ kind: 'readFresh', outcome: { kind: 'ok', value: foreign } });
      assert.equal(session.view.liveVersion, '3');
      assert.equal(session.state.awaited, undefined);
    });
  });

  it('A5: a foreign change marks a dirty session stale and touches nothing; a clean one follows', () => {
    const dirty = new DrivenSession(deployment('1'));
    dirty.type(deployment('1'), { replicas: 2 });
    dirty.see(deployment('2', { paused: true }));
    assert.equal(dirty.view.phase, 'stale');
    assert.deepEqual(dirty.follows, []);
    const clean = new DrivenSession(deployment('1'));
    clean.see(deployment('2', { paused: true }));
    assert.deepEqual(
      clean.follows.map(({ resourceVersion }) => resourceVersion),
      ['2'],
    );
  });

  it('follows no change that is not foreign', () => {
    const session = new DrivenSession(deployment('1'));
    session.see(deployment('2', {}, { status: { replicas: 1 } }));
    assert.deepEqual(session.follows, []);
    assert.equal(session.view.phase, 'fresh');
    assert.equal(session.view.baseVersion, '1');
  });

  it('A7: a text that reads like its base sends nothing', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), {});
    session.save();
    assert.deepEqual(session.results, [{ kind: 'unchanged', tookLive: false }]);
    assert.equal(session.writes.length, 0);
  });

  it('A11: a recreated object is not written, and both uids are told', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 2 });
    session.see(deployment('9', {}, { uid: 'uid-b' }));
    assert.equal(session.view.phase, 'recreated');
    session.save();
    assert.equal(session.writes.length, 0);
    assert.deepEqual(session.results, [{ kind: 'recreated', uid: 'uid-a', liveUid: 'uid-b' }]);
  });

  it('A11: a recreation that only the write met is told by the read after it', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 2 });
    session.save();
    assert.equal(session.writes[0]?.precondition.uid, 'uid-a');
    session.answer({ kind: 'preconditionFailed', message: 'uid' });
    session.read(deployment('9', {}, { uid: 'uid-b' }));
    assert.equal(session.lastResult?.kind, 'recreated');
    assert.equal(session.writes.length, 1);
  });

  it('A12: a deleted object is not written by a save', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 2 });
    session.watch({ kind: 'gone', uid: 'uid-a' as Uid });
    assert.equal(session.view.phase, 'deleted');
    session.save();
    assert.equal(session.writes.length, 0);
    assert.deepEqual(session.results, [{ kind: 'deleted' }]);
  });

  it('A12: a list from before an object was recreated does not take the new one for deleted', () => {
    const session = new DrivenSession(deployment('1'));
    session.watch({ kind: 'gone', uid: 'uid-a' as Uid });
    const made = deployment('5', {}, { uid: 'uid-b' });
    session.send({ kind: 'adopted', snapshot: made });
    session.watch({ kind: 'relisted' });
    assert.equal(session.confirmations, 1);
    session.send({ kind: 'readFresh', outcome: { kind: 'ok', value: made } });
    assert.equal(session.confirmations, 2);
    session.send({ kind: 'readFresh', outcome: { kind: 'ok', value: made } });
    session.see(made);
    session.take(made);
    assert.equal(session.view.phase, 'fresh');
    assert.equal(session.state.awaited, undefined);
  });

  it('A12: an object that was recreated and is gone again is not taken for live', () => {
    const session = new DrivenSession(deployment('1'));
    session.watch({ kind: 'gone', uid: 'uid-a' as Uid });
    session.watch({ kind: 'relisted' });
    session.send({ kind: 'adopted', snapshot: deployment('5', {}, { uid: 'uid-b' }) });
    session.send({ kind: 'readFresh', outcome: { kind: 'notFound', message: '' } });
    assert.equal(session.view.phase, 'deleted');
    assert.equal(session.state.awaited, undefined);
  });

  it('B7: a replayed version changes nothing', () => {
    const session = new DrivenSession(deployment('1'));
    session.see(deployment('2', { paused: true }));
    session.take(deployment('2', { paused: true }));
    const before = session.state;
    session.see(deployment('2', { paused: true }));
    session.see(deployment('1'));
    assert.equal(session.view.phase, 'fresh');
    assert.equal(session.state.live, before.live);
  });

  it('B7: a version that an answer overtook while a save was in flight is a replay from then on', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 2 });
    session.save();
    const overtaken = deployment('2', { paused: true });
    session.see(overtaken);
    session.see(deployment('3'));
    session.see(overtaken);
    session.answer({ kind: 'preconditionFailed', message: '' });
    session.read(deployment('3'));
    session.answer({ kind: 'rejected', code: 422, message: '', causes: [] });
    assert.equal(session.view.liveVersion, '3');
    assert.equal(session.view.phase, 'fresh');
  });

  describe('base', () => {
    it('undo after a save is an edit like any other', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.commit(deployment('2', { replicas: 2, minReadySeconds: 0 }));
      session.take(deployment('2', { replicas: 2, minReadySeconds: 0 }));
      session.type(deployment('1'), { replicas: 1 });
      session.save();
      assert.equal(sentSpec(session, 'replicas'), 1);
      assert.equal(sentSpec(session, 'minReadySeconds'), 0);
      assert.equal(session.writes[1]?.precondition.resourceVersion, '2');
    });

    it('undo across a refresh never reverts the change of someone else', () => {
      const session = new DrivenSession(deployment('1'));
      session.see(deployment('2', { paused: true }));
      session.take(deployment('2', { paused: true }));
      session.type(deployment('1'), {});
      assert.equal(session.view.phase, 'stale');
      session.save();
      assert.deepEqual(session.results, [{ kind: 'unchanged', tookLive: true }]);
      session.type(deployment('1'), { replicas: 4 });
      session.save();
      assert.equal(sentSpec(session, 'paused'), true);
      assert.equal(sentSpec(session, 'replicas'), 4);
    });

    it('typing during a save never deletes what the server filled in', () => {
      const session = new DrivenSession(deployment('1'));
      session.type(deployment('1'), { replicas: 2 });
      session.save();
      session.type(deployment('1'), { replicas: 2, paused: true });
      session.commit(deployment('2', { replicas: 2, minReadySeconds: 7 }));
      assert.equal(session.view.phase, 'fresh');
      session.save();
      assert.equal(sentSpec(session, 'minReadySeconds'), 7);
      assert.equal(sentSpec(session, 'paused'), true);
      assert.equal(session.writes[1]?.precondition.resourceVersion, '2');
    });

    it('that is no longer known refuses the save', () => {
      const session = new DrivenSession(deployment('1'), {
        restored: { ledger: new Map(), named: deployment('0-old').resourceVersion },
      });
      session.type(deployment('0-old'), { replicas: 2 });
      assert.equal(session.view.phase, 'stale');
      session.save();
      assert.deepEqual(session.results, [{ kind: 'baseUnknown', resourceVersion: '0-old' }]);
      assert.equal(session.writes.length, 0);
    });
  });
});
