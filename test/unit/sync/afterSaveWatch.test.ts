import assert from 'node:assert/strict';
import { printFieldPath } from '../../../src/core/merge/fieldPath.ts';
import { Emitter } from '../../../src/core/lifecycle.ts';
import type { Snapshot } from '../../../src/core/resource/snapshot.ts';
import type { OverturnedField } from '../../../src/core/session/afterSave.ts';
import type { SessionState } from '../../../src/core/session/sessionState.ts';
import { AfterSaveWatch, watchedMs } from '../../../src/sync/afterSaveWatch.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { deployment, DrivenSession } from '../core/session/sessionHarness.ts';

const managedFields = [
  {
    manager: 'hpa-controller',
    operation: 'Update',
    time: '2030-01-01T00:00:02Z',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  },
];

/** A session that has just saved replicas 3, and the watch that looks after it. */
class Saved {
  readonly clock = new FakeClock();
  readonly told: (readonly OverturnedField[])[] = [];
  readonly session = new DrivenSession(deployment('1'));
  readonly #changed = new Emitter<SessionState>();

  constructor() {
    const { session } = this;
    session.type(deployment('1'), { replicas: 3 });
    session.save();
    session.commit(deployment('2', { replicas: 3 }));
    session.see(deployment('2', { replicas: 3 }));
    session.take(deployment('2', { replicas: 3 }));
    const watch = new AfterSaveWatch({
      runner: {
        get state() {
          return session.state;
        },
        onDidChange: this.#changed.event,
      },
      clock: this.clock,
      onOverturned: (fields) => this.told.push(fields),
    });
    const result = session.lastResult;
    assert.ok(result?.kind === 'committed');
    watch.begin(result);
  }

  see(snapshot: Snapshot): void {
    this.session.see(snapshot);
    this.#changed.fire(this.session.state);
  }

  notify(): void {
    this.#changed.fire(this.session.state);
  }
}

describe('the watch after a save', () => {
  it('tells which field a controller set back, and who did', () => {
    const saved = new Saved();
    saved.see(deployment('3', { replicas: 1 }, { metadata: { managedFields } }));
    const [fields] = saved.told;
    assert.deepEqual(
      fields?.map(({ path, isReverted, by }) => [printFieldPath(path), isReverted, by?.manager]),
      [['spec.replicas', true, 'hpa-controller']],
    );
  });

  it('tells a field that became something else again, once', () => {
    const saved = new Saved();
    saved.see(deployment('3', { replicas: 9 }));
    saved.see(deployment('4', { replicas: 1 }));
    assert.equal(saved.told.length, 1);
    assert.equal(saved.told[0]?.[0]?.isReverted, false);
  });

  it('keeps quiet about fields that the save did not touch, status, and its own event', () => {
    const saved = new Saved();
    saved.see(deployment('2', { replicas: 3 }));
    saved.see(deployment('3', { replicas: 3, paused: true }));
    saved.see(deployment('4', { replicas: 3, paused: true }, { status: { replicas: 3 } }));
    assert.deepEqual(saved.told, []);
  });

  it('ends after its time', async () => {
    const saved = new Saved();
    await saved.clock.advance(watchedMs);
    saved.see(deployment('3', { replicas: 1 }));
    assert.deepEqual(saved.told, []);
    assert.equal(saved.clock.pendingTimers, 0);
  });

  it('ends with the next save: what that changes is nobody’s answer to this one', () => {
    const saved = new Saved();
    const { session } = saved;
    session.type(deployment('2', { replicas: 3 }), { replicas: 1 });
    session.save();
    saved.notify();
    session.commit(deployment('3', { replicas: 1 }));
    saved.notify();
    assert.deepEqual(saved.told, []);
    assert.equal(saved.clock.pendingTimers, 0);
  });
});
