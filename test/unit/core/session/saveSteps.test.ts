import assert from 'node:assert/strict';
import type { WriteOutcome } from '../../../../src/core/errors.ts';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { racePausesMs, repeatPausesMs } from '../../../../src/core/session/saveSteps.ts';
import { deployment, DrivenSession, sentSpec } from './sessionHarness.ts';

const changed: WriteOutcome = { kind: 'preconditionFailed', message: 'the object has been modified' };

function saving(): DrivenSession {
  const session = new DrivenSession(deployment('1'));
  session.type(deployment('1'), { replicas: 3 });
  session.save();
  return session;
}

describe('a save that removes the last finalizer of an object that is being deleted', () => {
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  const held = deployment('1', {}, { metadata: { ...metadata, finalizers: ['example.com/hold'] } });
  const released = deployment('2', {}, { metadata });

  function releasing(graceSeconds = 0): DrivenSession {
    const session = new DrivenSession(held);
    const mine = deployment('1', {}, { metadata: { ...metadata, deletionGracePeriodSeconds: graceSeconds } });
    session.type(mine, {});
    session.save();
    return session;
  }

  it('ends in “gone”, and the watch’s news of it are no news', () => {
    const session = releasing();
    session.commit(released);
    assert.equal(session.lastResult?.kind, 'gone');
    assert.equal(session.view.phase, 'deleted');
    session.see(released);
    session.watch({ kind: 'gone', uid: released.uid });
    assert.equal(session.view.phase, 'deleted');
  });

  it('ends so, too, where the answer is lost or the object went first', () => {
    for (const kind of ['unknown', 'notFound'] as const) {
      const session = releasing();
      session.answer({ kind, message: '' });
      session.send({ kind: 'readAnswered', outcome: { kind: 'notFound', message: '' } });
      assert.equal(session.lastResult?.kind, 'gone', kind);
    }
  });

  it('ends as any other where a grace period holds the object still', () => {
    const session = releasing();
    session.commit(deployment('2', {}, { metadata: { ...metadata, deletionGracePeriodSeconds: 30 } }));
    assert.equal(session.lastResult?.kind, 'committed');
    assert.equal(session.view.phase, 'terminating');
  });
});

describe('a save of what live holds already', () => {
  it('sends nothing, and the text takes the version', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', { replicas: 3, paused: true }));
    session.save();
    assert.deepEqual(session.results, [{ kind: 'unchanged', tookLive: true, isHeld: true }]);
    assert.equal(session.writes.length, 0);
  });

  it('sends nothing, even where it is not known what the text grew from', () => {
    const live = deployment('2', { replicas: 3 });
    const restored = { ledger: new Map(), named: deployment('1').resourceVersion };
    const session = new DrivenSession(live, { restored });
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    assert.deepEqual(session.results, [{ kind: 'unchanged', tookLive: false, isHeld: true }]);
  });
});

describe('a save whose object changed first', () => {
  it('reads, merges and writes again at once, on the version it read', () => {
    const session = saving();
    session.answer(changed);
    assert.equal(session.reads, 1);
    session.read(deployment('2', { paused: true }));
    assert.deepEqual(session.pauses, []);
    assert.equal(session.writes[1]?.precondition.resourceVersion, '2');
    assert.equal(sentSpec(session, 'paused'), true);
    assert.equal(sentSpec(session, 'replicas'), 3);
    session.commit(deployment('3', { paused: true, replicas: 3 }));
    const result = session.lastResult;
    assert.ok(result?.kind === 'committed');
    assert.equal(result.applied.length, 1);
  });

  it('tells and asks of what others changed, whatever version the text names by then', () => {
    const session = new DrivenSession(deployment('1'), { reviewsForeignChanges: true });
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    session.answer(changed);
    session.type(deployment('7'), { replicas: 3 });
    session.read(deployment('2', { paused: true }));
    assert.equal(session.writes.length, 1);
    assert.equal(session.reviews, 1);
  });

  it('is told that the server refuses it where each read finds the object and no write does', () => {
    const session = saving();
    for (const pauses of [0, 1, 2, 3]) {
      session.answer({ kind: 'notFound', message: 'the server could not find the requested resource' });
      assert.equal(session.pauses.length, pauses);
      if (pauses > 0) session.send({ kind: 'waited' });
      session.read(deployment('1'));
    }
    session.answer({ kind: 'notFound', message: 'the server could not find the requested resource' });
    const result = session.lastResult;
    assert.ok(result?.kind === 'rejected');
    assert.equal(result.code, 404);
    assert.equal(session.writes.length, 5);
  });

  it('tells of what others changed alone, not of what the server filled in at an earlier save', () => {
    const session = new DrivenSession(deployment('1'));
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    session.commit(deployment('2', { replicas: 3, minReadySeconds: 7 }));
    session.type(deployment('1'), { replicas: 4 });
    session.save();
    session.answer({ kind: 'preconditionFailed', message: '' });
    session.read(deployment('3', { replicas: 3, minReadySeconds: 7, paused: true }));
    session.commit(deployment('4', { replicas: 4, minReadySeconds: 7, paused: true }));
    const result = session.lastResult;
    assert.ok(result?.kind === 'committed');
    assert.deepEqual(
      result.applied.map(({ path }) => printFieldPath(path)),
      ['spec.paused'],
    );
  });

  it('ends in a conflict where the read shows one', () => {
    const session = saving();
    session.answer(changed);
    session.read(deployment('2', { replicas: 9 }));
    assert.equal(session.lastResult?.kind, 'conflict');
    assert.equal(session.writes.length, 1);
    assert.equal(session.view.phase, 'conflicted');
  });

  it('pauses 1, 2 and 4 s before further tries, then leaves it to the user', () => {
    const session = saving();
    for (let round = 0; round < racePausesMs.length; round++) {
      session.answer(changed);
      if (round > 0) session.send({ kind: 'waited' });
      session.read(deployment(`${round + 2}`, { minReadySeconds: round + 1 }));
    }
    assert.deepEqual(session.pauses, [1000, 2000, 4000]);
    session.answer(changed);
    assert.deepEqual(session.results, [{ kind: 'preconditionFailed', attempts: 5 }]);
  });

  it('can be cancelled while it pauses', () => {
    const session = saving();
    session.answer(changed);
    session.read(deployment('2', { paused: true }));
    session.answer(changed);
    session.send({ kind: 'saveCancelled' });
    session.send({ kind: 'waited' });
    assert.deepEqual(session.results, [{ kind: 'cancelled' }]);
  });

  it('says that the object was deleted where the read finds none', () => {
    const session = saving();
    session.answer({ kind: 'notFound', message: 'gone' });
    session.send({ kind: 'readAnswered', outcome: { kind: 'notFound', message: 'gone' } });
    assert.deepEqual(session.results, [{ kind: 'deleted' }]);
    assert.equal(session.view.phase, 'deleted');
  });
});

describe('a save that did not arrive', () => {
  for (const outcome of [
    { kind: 'notSent', message: 'connection refused' },
    { kind: 'throttled', message: 'too many requests', retryAfterMs: 0 },
  ] as const) {
    it(`repeats the same write after pauses, then says so: ${outcome.kind}`, () => {
      const session = saving();
      for (const pauseMs of repeatPausesMs) {
        session.answer(outcome);
        assert.equal(session.pauses.at(-1), pauseMs);
        session.send({ kind: 'waited' });
      }
      session.answer(outcome);
      assert.deepEqual(session.results, [{ kind: outcome.kind, message: outcome.message }]);
      assert.deepEqual(new Set(session.writes.map(({ object }) => JSON.stringify(object))).size, 1);
    });
  }

  it('waits as long as the server asked', () => {
    const session = saving();
    session.answer({ kind: 'throttled', message: '', retryAfterMs: 30_000 });
    assert.deepEqual(session.pauses, [30_000]);
  });
});

describe('a save whose answer was lost', () => {
  it('is repeated where the object is as it was', () => {
    const session = saving();
    session.answer({ kind: 'unknown', message: 'reset' });
    session.read(deployment('1'));
    session.send({ kind: 'waited' });
    assert.equal(session.writes.length, 2);
    session.commit(deployment('2', { replicas: 3 }));
    assert.equal(session.lastResult?.kind, 'committed');
  });

  it('is done where the object holds the change', () => {
    const session = saving();
    session.answer({ kind: 'unknown', message: 'reset' });
    session.read(deployment('2', { replicas: 3 }));
    assert.equal(session.lastResult?.kind, 'committed');
    assert.equal(session.writes.length, 1);
    assert.equal(session.view.phase, 'fresh');
  });

  it('is left to the user in any other case', () => {
    const session = saving();
    session.answer({ kind: 'unknown', message: 'reset' });
    session.read(deployment('2', { paused: true }));
    assert.deepEqual(session.results, [{ kind: 'unknown', message: 'reset' }]);
    assert.equal(session.writes.length, 1);
  });

  it('is left to the user where the read fails too', () => {
    const session = saving();
    session.answer({ kind: 'unknown', message: 'reset' });
    session.send({ kind: 'readAnswered', outcome: { kind: 'unreachable', message: 'no route' } });
    assert.deepEqual(session.results, [{ kind: 'unknown', message: 'reset' }]);
  });
});

describe('a save that the server refused', () => {
  for (const outcome of [
    { kind: 'rejected', code: 422, message: 'invalid', causes: [] },
    { kind: 'forbidden', message: 'no' },
    { kind: 'unauthenticated', message: 'who' },
  ] as const) {
    it(`ends at once and can be tried again without a keystroke: ${outcome.kind}`, () => {
      const session = saving();
      session.answer(outcome);
      assert.deepEqual(session.results, [outcome]);
      assert.equal(session.view.isDirty, true);
      session.save();
      assert.equal(session.writes.length, 2);
    });
  }
});

describe('a save under the review setting', () => {
  it('asks before it sends foreign changes, and sends nothing on no', () => {
    const session = new DrivenSession(deployment('1'), { reviewsForeignChanges: true });
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', { paused: true }));
    session.save();
    assert.equal(session.reviews, 1);
    assert.equal(session.writes.length, 0);
    session.send({ kind: 'reviewed', isAccepted: false });
    assert.deepEqual(session.results, [{ kind: 'cancelled' }]);
    session.save();
    session.send({ kind: 'reviewed', isAccepted: true });
    assert.equal(session.writes.length, 1);
  });

  it('asks again where more came in before the write, and not where nothing did', () => {
    const session = new DrivenSession(deployment('1'), { reviewsForeignChanges: true });
    session.type(deployment('1'), { replicas: 3 });
    session.see(deployment('2', { paused: true }));
    session.save();
    session.send({ kind: 'reviewed', isAccepted: true });
    session.answer({ kind: 'preconditionFailed', message: '' });
    session.read(deployment('3', { paused: true }, { status: { replicas: 1 } }));
    assert.equal(session.reviews, 1);
    assert.equal(session.writes.length, 2);
    session.answer({ kind: 'preconditionFailed', message: '' });
    session.send({ kind: 'waited' });
    session.read(deployment('4', { paused: true, minReadySeconds: 9 }));
    assert.equal(session.reviews, 2);
    assert.equal(session.writes.length, 2);
    session.send({ kind: 'reviewed', isAccepted: true });
    assert.equal(sentSpec(session, 'minReadySeconds'), 9);
  });

  it('asks nothing where nothing foreign comes in', () => {
    const session = new DrivenSession(deployment('1'), { reviewsForeignChanges: true });
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    assert.equal(session.reviews, 0);
    assert.equal(session.writes.length, 1);
  });
});

describe('a read-only session', () => {
  it('sends nothing and says why', () => {
    const session = new DrivenSession(deployment('1'), { readOnlyReason: 'prod is read-only' });
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    assert.deepEqual(session.results, [{ kind: 'readOnly', message: 'prod is read-only' }]);
    assert.equal(session.writes.length, 0);
  });
});
