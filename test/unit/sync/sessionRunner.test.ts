import assert from 'node:assert/strict';
import type { Outcome, WriteOutcome } from '../../../src/core/errors.ts';
import { type JsonObject, withMember } from '../../../src/core/json.ts';
import { toEditable } from '../../../src/core/resource/editableObject.ts';
import type { Snapshot } from '../../../src/core/resource/snapshot.ts';
import type { SaveResult } from '../../../src/core/session/saveResult.ts';
import type { ClusterPort, WriteConsent, WriteRequest } from '../../../src/sync/clusterPort.ts';
import {
  type SaveQuestion,
  SessionRunner,
  type SessionRunnerOptions,
} from '../../../src/sync/sessionRunner.ts';
import { FakeClock, settled } from '../../support/fakeClock.ts';
import { FakeCluster, type PendingWatch } from '../../support/fakeCluster.ts';
import { deployment } from '../core/session/sessionHarness.ts';

const agreed: WriteConsent = { context: 'prod' };

interface Deferred<T> {
  answer(value: T): Promise<void>;
}

/** A cluster whose every answer the test gives. */
class HandCluster extends FakeCluster {
  readonly writes: (Deferred<WriteOutcome> & {
    readonly request: WriteRequest;
    readonly consent: WriteConsent | undefined;
  })[] = [];
  readonly gets: (Deferred<Outcome<JsonObject>> & { readonly signal: AbortSignal })[] = [];

  get(_ref: unknown, signal: AbortSignal): Promise<Outcome<JsonObject>> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ kind: 'aborted' });
      });
      this.gets.push({ signal, answer: (value) => (resolve(value), settled()) });
    });
  }

  write(request: WriteRequest, _signal: AbortSignal, consent?: WriteConsent): Promise<WriteOutcome> {
    return new Promise((resolve) => {
      this.writes.push({ request, consent, answer: (value) => (resolve(value), settled()) });
    });
  }
}

class Fixture {
  readonly cluster = new HandCluster();
  readonly clock = new FakeClock();
  readonly follows: Snapshot[] = [];
  readonly errors: unknown[] = [];
  readonly questions: AbortSignal[] = [];
  readonly runner: SessionRunner;

  constructor(askConsent: SessionRunnerOptions['askConsent'] = () => Promise.resolve(agreed)) {
    const opened = deployment('1');
    this.runner = new SessionRunner({
      cluster: this.cluster as unknown as ClusterPort,
      clock: this.clock,
      start: {
        ref: {
          context: 'prod',
          namespace: 'shop',
          gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
          name: 'web',
        },
        traits: { hasStatusSubresource: true },
        opened,
        reviewsForeignChanges: false,
      },
      review: () => Promise.reject(new Error('no review was asked for')),
      askConsent: (question) => {
        this.questions.push(question.signal);
        return askConsent(question);
      },
      follow: (snapshot) => this.follows.push(snapshot),
      onError: (error) => this.errors.push(error),
    });
  }

  /** Starts the watch, which is at version 1. */
  async watch(): Promise<PendingWatch> {
    this.runner.start();
    await settled();
    const list = this.cluster.requests.at(-1);
    assert.ok(list?.kind === 'list');
    await list.page([deployment('1').object], '1');
    const watch = this.cluster.requests.at(-1);
    assert.ok(watch?.kind === 'watch');
    await watch.open();
    return watch;
  }

  save(replicas: number): Promise<SaveResult> {
    const editable = toEditable(deployment('1').object, { hasStatusSubresource: true });
    const mine = withMember(editable, 'spec', { replicas, paused: false });
    const { named } = this.runner.state;
    this.runner.dispatch({ kind: 'textChanged', mine: { kind: 'read', object: mine }, named, isDirty: true });
    return this.runner.save(mine, named);
  }
}

function committed(snapshot: Snapshot): WriteOutcome {
  return { kind: 'committed', object: snapshot.object, snapshot, warnings: [] };
}

describe('session runner', () => {
  it('A4: takes its own event for what it is, also when it comes before the answer', async () => {
    const fixture = new Fixture();
    const watch = await fixture.watch();
    const result = fixture.save(2);
    await settled();
    await watch.send({ kind: 'modified', object: deployment('2', { replicas: 2 }).object });
    assert.equal(fixture.runner.view.isSaving, true);
    await fixture.cluster.writes[0]?.answer(committed(deployment('2', { replicas: 2 })));
    assert.equal((await result).kind, 'committed');
    assert.equal(fixture.runner.view.phase, 'fresh');
    assert.deepEqual(fixture.errors, []);
  });

  it('A4: never goes back to what a read answered that the watch has overtaken', async () => {
    const fixture = new Fixture();
    const watch = await fixture.watch();
    const reading = fixture.runner.refresh();
    await settled();
    await watch.send({ kind: 'modified', object: deployment('2', { replicas: 2 }).object });
    await fixture.cluster.gets[0]?.answer({ kind: 'ok', value: deployment('1').object });
    await reading;
    assert.equal(fixture.runner.view.liveVersion, '2');
    assert.equal(fixture.cluster.gets.length, 1);
  });

  it('A12: does not bring back a deleted object that a read begun before still found', async () => {
    const fixture = new Fixture();
    const watch = await fixture.watch();
    const reading = fixture.runner.refresh();
    await settled();
    await watch.send({ kind: 'deleted', object: deployment('2').object });
    await fixture.cluster.gets[0]?.answer({ kind: 'ok', value: deployment('1').object });
    await reading;
    assert.equal(fixture.runner.view.phase, 'deleted');
  });

  it('reads anew where the watch went on and the answer is another, and hears the watch afterwards', async () => {
    const fixture = new Fixture();
    const watch = await fixture.watch();
    const reading = fixture.runner.refresh();
    await settled();
    await watch.send({ kind: 'deleted', object: deployment('2').object });
    await watch.send({ kind: 'added', object: deployment('4', {}, { uid: 'uid-b' }).object });
    await fixture.cluster.gets[0]?.answer({ kind: 'notFound', message: '' });
    await fixture.cluster.gets[1]?.answer({
      kind: 'ok',
      value: deployment('4', {}, { uid: 'uid-b' }).object,
    });
    await reading;
    assert.equal(fixture.runner.view.phase, 'recreated');
    await watch.send({ kind: 'modified', object: deployment('5', {}, { uid: 'uid-b' }).object });
    assert.equal(fixture.runner.view.liveVersion, '5');
  });

  it('sends one save after the other, each on what the one before brought', async () => {
    const fixture = new Fixture();
    const first = fixture.save(2);
    const second = fixture.save(3);
    await settled();
    assert.equal(fixture.cluster.writes.length, 1);
    await fixture.cluster.writes[0]?.answer(committed(deployment('2', { replicas: 2 })));
    assert.equal((await first).kind, 'committed');
    await settled();
    const request = fixture.cluster.writes[1]?.request;
    assert.ok(request?.kind === 'update');
    assert.equal(request.precondition.resourceVersion, '2');
    await fixture.cluster.writes[1]?.answer(committed(deployment('3', { replicas: 3 })));
    assert.equal((await second).kind, 'committed');
  });

  it('adds up to a quarter of chance to a pause, and nothing takes away from it', async () => {
    const fixture = new Fixture();
    fixture.clock.chance = 0.5;
    void fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer({ kind: 'throttled', message: '', retryAfterMs: 8000 });
    assert.equal(fixture.clock.nextDelayMs, 9000);
  });

  it('ends a pause at once when the save is cancelled', async () => {
    const fixture = new Fixture();
    const result = fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer({ kind: 'notSent', message: 'refused' });
    fixture.runner.cancelSave();
    assert.deepEqual(await result, { kind: 'cancelled' });
    assert.equal(fixture.clock.pendingTimers, 0);
  });

  it('H5: sends nothing of a save that is not agreed to', async () => {
    const fixture = new Fixture(() => Promise.resolve(undefined));
    assert.deepEqual(await fixture.save(2), { kind: 'cancelled' });
    assert.equal(fixture.cluster.writes.length, 0);
    assert.equal(fixture.runner.view.isDirty, true);
  });

  it('H5: ends a question at once when the save is cancelled, and asks anew for the next', async () => {
    const answers: ((consent: WriteConsent) => void)[] = [];
    const fixture = new Fixture(() => new Promise((resolve) => answers.push(resolve)));
    const result = fixture.save(2);
    await settled();
    fixture.runner.cancelSave();
    assert.deepEqual(await result, { kind: 'cancelled' });
    assert.equal(fixture.questions[0]?.aborted, true);
    answers[0]?.({ context: 'prod' });
    await settled();
    assert.equal(fixture.cluster.writes.length, 0);
    void fixture.save(3);
    await settled();
    assert.equal(fixture.questions.length, 2);
    assert.equal(fixture.cluster.writes.length, 0);
  });

  it('H5: asks again where others’ changes came into the save since; the first yes does not count for them', async () => {
    const answers: SaveQuestion[] = [];
    const fixture = new Fixture((question) => {
      answers.push(question);
      return Promise.resolve(answers.length === 1 ? agreed : undefined);
    });
    const result = fixture.save(2);
    await settled();
    const { writes, gets } = fixture.cluster;
    await writes[0]?.answer({ kind: 'preconditionFailed', message: '' });
    await gets[0]?.answer({ kind: 'ok', value: deployment('2', { paused: true }).object });
    assert.deepEqual(
      answers.map(({ isAskedAgain }) => isAskedAgain),
      [false, true],
    );
    assert.equal((await result).kind, 'cancelled');
    assert.equal(writes.length, 1);
  });

  it('H5: asks once for all tries that send what was agreed to', async () => {
    const fixture = new Fixture();
    const result = fixture.save(2);
    await settled();
    const { writes, gets } = fixture.cluster;
    await writes[0]?.answer({ kind: 'preconditionFailed', message: '' });
    const moved = deployment('2', {}, { status: { readyReplicas: 1 } });
    await gets[0]?.answer({ kind: 'ok', value: moved.object });
    await writes[1]?.answer(committed(deployment('3', { replicas: 2 })));
    assert.equal((await result).kind, 'committed');
    assert.equal(fixture.questions.length, 1);
    assert.deepEqual(
      writes.map(({ consent }) => consent),
      [agreed, agreed],
    );
  });

  it('H5: ends a save in what the server said on trial, before anything is written', async () => {
    const fixture = new Fixture(({ tryOut }) =>
      tryOut().then((trial) => ('outcome' in trial ? trial : agreed)),
    );
    const result = fixture.save(2);
    await settled();
    const [trial] = fixture.cluster.writes;
    assert.ok(trial?.request.kind === 'update' && trial.request.isDryRun === true);
    assert.equal(trial.request.precondition.resourceVersion, '1');
    const rejected = { kind: 'rejected', code: 422, message: 'no', causes: [] } as const;
    await trial.answer(rejected);
    assert.deepEqual(await result, rejected);
    assert.equal(fixture.cluster.writes.length, 1);
  });

  it('H5: merges what came in before the trial, and shows the object as it would be', async () => {
    const shown: unknown[] = [];
    const fixture = new Fixture(async ({ tryOut }) => {
      const trial = await tryOut();
      if ('outcome' in trial) return trial;
      shown.push(trial.after);
      return agreed;
    });
    const result = fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer({ kind: 'preconditionFailed', message: '' });
    await fixture.cluster.gets[0]?.answer({ kind: 'ok', value: deployment('2', { paused: true }).object });
    const wouldBe = deployment('2', { replicas: 2, paused: true });
    await fixture.cluster.writes[1]?.answer(committed(wouldBe));
    await settled();
    const requests = fixture.cluster.writes.map(({ request }) => request);
    assert.deepEqual(
      requests.map(
        (request) => request.kind === 'update' && [request.isDryRun, request.precondition.resourceVersion],
      ),
      [
        [true, '1'],
        [true, '2'],
        [undefined, '2'],
      ],
    );
    assert.deepEqual(shown, [wouldBe.object]);
    await fixture.cluster.writes[2]?.answer(committed(deployment('3', { replicas: 2, paused: true })));
    assert.equal((await result).kind, 'committed');
  });

  it('H5: repeats a trial whose answer was lost: it has written nothing', async () => {
    const fixture = new Fixture(({ tryOut }) =>
      tryOut().then((trial) => ('outcome' in trial ? trial : agreed)),
    );
    void fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer({ kind: 'unknown', message: 'reset' });
    assert.equal(fixture.cluster.gets.length, 0);
    await fixture.clock.advance(1000);
    assert.equal(fixture.cluster.writes.length, 2);
  });

  it('tells with the result who keeps the object, where nobody was asked about it', async () => {
    const keepers = [{ kind: 'helm', release: 'shop' }] as const;
    const fixture = new Fixture(() => Promise.resolve({ ...agreed, keepers }));
    const result = fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer(committed(deployment('2', { replicas: 2 })));
    const ended = await result;
    assert.ok(ended.kind === 'committed');
    assert.deepEqual(ended.keepers, keepers);
  });

  it('waits for a write under way when the save is cancelled', async () => {
    const fixture = new Fixture();
    const result = fixture.save(2);
    await settled();
    fixture.runner.cancelSave();
    await fixture.cluster.writes[0]?.answer(committed(deployment('2', { replicas: 2 })));
    assert.equal((await result).kind, 'committed');
  });

  it('reads again where a save came between the read and its answer', async () => {
    const fixture = new Fixture();
    const refreshed = fixture.runner.refresh();
    await settled();
    const result = fixture.save(2);
    await settled();
    await fixture.cluster.writes[0]?.answer(committed(deployment('2', { replicas: 2 })));
    await result;
    await fixture.cluster.gets[0]?.answer({ kind: 'ok', value: deployment('1').object });
    assert.equal(fixture.runner.view.liveVersion, '2');
    await fixture.cluster.gets[1]?.answer({ kind: 'ok', value: deployment('2', { replicas: 2 }).object });
    assert.equal((await refreshed).kind, 'ok');
    assert.equal(fixture.runner.view.liveVersion, '2');
  });

  it('asks for no text to follow after it was disposed', async () => {
    const fixture = new Fixture();
    const watch = await fixture.watch();
    fixture.runner.dispose();
    await watch.send({ kind: 'modified', object: deployment('2', { paused: true }).object });
    assert.deepEqual(fixture.follows, []);
  });

  it('reports a write that threw as one of unknown result, and reads', async () => {
    const fixture = new Fixture();
    fixture.cluster.write = () => Promise.reject(new Error('bug'));
    const result = fixture.save(2);
    await settled();
    assert.equal(fixture.errors.length, 1);
    await fixture.cluster.gets[0]?.answer({ kind: 'ok', value: deployment('2', { replicas: 2 }).object });
    assert.equal((await result).kind, 'committed');
  });
});
