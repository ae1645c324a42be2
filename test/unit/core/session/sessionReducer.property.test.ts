import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Outcome, WriteOutcome } from '../../../../src/core/errors.ts';
import { type JsonObject, memberAt } from '../../../../src/core/json.ts';
import { toEditable } from '../../../../src/core/resource/editableObject.ts';
import {
  type Precondition,
  type ResourceVersion,
  type Snapshot,
  toSnapshot,
} from '../../../../src/core/resource/snapshot.ts';
import type { SessionEffect, SessionEvent } from '../../../../src/core/session/sessionEvent.ts';
import { reduceSession, startSession } from '../../../../src/core/session/sessionReducer.ts';
import type { SessionState, WatchNews } from '../../../../src/core/session/sessionState.ts';
import { viewOf } from '../../../../src/core/session/viewOf.ts';

const fields = ['a', 'b', 'c'] as const;
type Field = (typeof fields)[number];
type Values = Readonly<Record<Field, number>>;

const traits = { hasStatusSubresource: true };

/** What the server holds: one object, its writes in order, and who wrote each field last. */
class ModelServer {
  #version = 1;
  #uid = 1;
  values: Values = { a: 0, b: 0, c: 0 };
  isThere = true;
  readonly events: WatchNews[] = [];
  /** The order of versions, for the test alone. */
  readonly order: ResourceVersion[] = [];
  /** The values of each version in {@link order}. */
  readonly history: Values[] = [];
  readonly foreignSince = new Map<Field, number>();

  constructor() {
    this.#record();
  }

  get snapshot(): Snapshot {
    const object: JsonObject = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'x', uid: `uid-${this.#uid}`, resourceVersion: `v${this.#version}` },
      spec: { ...this.values },
      status: { version: this.#version },
    };
    const snapshot = toSnapshot(object);
    assert.ok(snapshot);
    return snapshot;
  }

  write(values: Values, by: 'us' | 'other'): void {
    if (!this.isThere) return;
    this.#version++;
    const before = this.values;
    this.values = values;
    this.#record();
    for (const field of fields) {
      if (before[field] === values[field]) continue;
      if (by === 'other') this.foreignSince.set(field, this.order.length - 1);
      else this.foreignSince.delete(field);
    }
    this.events.push({ kind: 'seen', snapshot: this.snapshot });
  }

  remove(): void {
    if (!this.isThere) return;
    this.isThere = false;
    this.events.push({ kind: 'gone', uid: this.snapshot.uid });
  }

  recreate(): void {
    if (this.isThere) return;
    this.isThere = true;
    this.#uid++;
    this.#version++;
    this.#record();
    this.foreignSince.clear();
    this.events.push({ kind: 'seen', snapshot: this.snapshot });
  }

  #record(): void {
    this.order.push(this.snapshot.resourceVersion);
    this.history.push(this.values);
  }

  put({ uid, resourceVersion }: Precondition, object: JsonObject): WriteOutcome {
    if (!this.isThere) return { kind: 'notFound', message: '' };
    const now = this.snapshot;
    if (uid !== now.uid || resourceVersion !== now.resourceVersion) {
      return { kind: 'preconditionFailed', message: '' };
    }
    const values = memberAt(object, 'spec') as unknown as Values;
    if (fields.some((field) => values[field] !== this.values[field])) this.write(values, 'us');
    const snapshot = this.snapshot;
    return { kind: 'committed', object: snapshot.object, snapshot, warnings: [] };
  }
}

interface Text {
  readonly values: Values;
  readonly named: ResourceVersion;
}

/** A session with its editor, against the model server; the run decides what happens next. */
class Run {
  readonly server = new ModelServer();
  #delivered = 0;
  /** What the watch has handed over, and may replay. */
  readonly #seen: WatchNews[] = [];
  #state: SessionState;
  #text: Text;
  #isDirty = false;
  #savedText: Text | undefined;
  readonly #past: Text[] = [];
  #pendingWrite: Extract<SessionEffect, { kind: 'write' }> | undefined;
  #pendingAnswer: WriteOutcome | undefined;
  #isReadPending = false;
  #isWaitPending = false;
  #isConfirmPending = false;

  constructor() {
    const opened = this.server.snapshot;
    this.#text = textOf(opened);
    this.#state = startSession({
      ref: { context: 'c', gvr: { group: 'example.com', version: 'v1', resource: 'things' }, name: 'x' },
      traits,
      opened,
      reviewsForeignChanges: false,
    });
  }

  /** Does what a number stands for, where it can be done now. */
  step(choice: number, field: Field, value: number): void {
    const { server } = this;
    switch (choice) {
      case 0:
        this.#edit({ ...this.#text, values: { ...this.#text.values, [field]: value } });
        break;
      case 1:
        server.write({ ...server.values, [field]: value }, 'other');
        break;
      case 2:
        server.write(server.values, 'other');
        break;
      case 3:
        this.deliverNext();
        break;
      case 4:
        this.#replay(value);
        break;
      case 5:
        this.#save();
        break;
      case 6:
        this.#carryOut();
        break;
      case 7:
        this.#answerWrite();
        break;
      case 8:
        this.#loseAnswer();
        break;
      case 9:
        this.#answerRead();
        break;
      case 10:
        this.#passTime();
        break;
      case 11:
        this.#undo();
        break;
      case 12:
        if (value > 7) server.remove();
        break;
      case 13:
        server.recreate();
        break;
      case 14:
        this.#relist();
        break;
      default:
        this.#confirm();
    }
    this.#check();
  }

  deliverNext(): boolean {
    const news = this.server.events[this.#delivered];
    if (news === undefined) return false;
    this.#delivered++;
    this.#seen.push(news);
    this.#send({ kind: 'watched', news });
    return true;
  }

  /** Lets everything under way come to its end. */
  settle(): void {
    for (let round = 0; round < 200; round++) {
      this.#carryOut();
      this.#answerWrite();
      this.#answerRead();
      this.#passTime();
      this.#confirm();
      if (!this.deliverNext() && this.#state.save === undefined && !this.#isConfirmPending) break;
      this.#check();
    }
  }

  checkQuiet(): void {
    const { live, save, awaited } = this.#state;
    assert.equal(save, undefined, 'a save never ends');
    assert.equal(awaited, undefined, 'a version is waited for that has passed');
    if (!this.server.isThere) {
      assert.equal(live.kind, 'deleted');
      return;
    }
    const now = this.server.snapshot;
    assert.ok(live.kind !== 'deleted');
    assert.equal(live.snapshot.resourceVersion, now.resourceVersion);
    if (now.uid !== this.#state.uid) {
      assert.equal(viewOf(this.#state).phase, 'recreated');
      return;
    }
    const base = this.#state.ledger.get(this.#text.named);
    const isForeign = base !== undefined && !sameSpec(base.expected, toEditable(now.object, traits));
    const { phase } = viewOf(this.#state);
    if (isForeign) assert.ok(phase === 'stale' || phase === 'conflicted', `foreign, yet ${phase}`);
    else if (base !== undefined) assert.notEqual(phase, 'stale');
    if (!this.#isDirty) assert.ok(!isForeign, 'a clean text did not follow');
  }

  #edit(text: Text): void {
    this.#past.push(this.#text);
    this.#setText(text, true);
  }

  #undo(): void {
    const before = this.#past.pop();
    if (before !== undefined) this.#setText(before, true);
  }

  #setText(text: Text, isDirty: boolean): void {
    this.#text = text;
    this.#isDirty = isDirty;
    const object = toEditable(
      {
        ...(this.#state.live.kind === 'present' ? this.#state.live.snapshot.object : baseObject),
        spec: { ...text.values },
      },
      traits,
    );
    this.#send({ kind: 'textChanged', mine: { kind: 'read', object }, named: text.named, isDirty });
  }

  #take(snapshot: Snapshot): void {
    this.#past.push(this.#text);
    this.#send({ kind: 'baseOffered', snapshot });
    this.#setText(textOf(snapshot), false);
  }

  #save(): void {
    if (this.#state.save !== undefined || this.#state.mine.kind !== 'read') return;
    this.#savedText = this.#text;
    this.#send({ kind: 'saveStarted', mine: this.#state.mine.object, named: this.#text.named });
  }

  #carryOut(): void {
    const write = this.#pendingWrite;
    if (write === undefined || this.#pendingAnswer !== undefined) return;
    const before = { values: this.server.values, since: new Map(this.server.foreignSince) };
    this.#pendingAnswer = this.server.put(write.precondition, write.object);
    if (this.#pendingAnswer.kind !== 'committed') return;
    const named = this.#savedText?.named ?? this.#text.named;
    for (const field of fields) {
      const foreign = before.since.get(field);
      if (foreign === undefined || this.server.values[field] === before.values[field]) continue;
      const grewFrom = this.server.order.indexOf(named);
      // A change that was taken back before we wrote is no change to lose.
      const isTakenBack = this.server.history[grewFrom]?.[field] === before.values[field];
      assert.ok(grewFrom >= foreign || isTakenBack, `overwrote another's ${field} that the text never held`);
    }
  }

  #answerWrite(): void {
    const answer = this.#pendingAnswer;
    if (answer === undefined) return;
    this.#pendingAnswer = this.#pendingWrite = undefined;
    this.#send({ kind: 'wrote', outcome: answer });
  }

  /** The connection breaks: before the write arrived, or after. */
  #loseAnswer(): void {
    if (this.#pendingWrite === undefined) return;
    this.#pendingAnswer = this.#pendingWrite = undefined;
    this.#send({ kind: 'wrote', outcome: { kind: 'unknown', message: '' } });
  }

  #answerRead(): void {
    if (!this.#isReadPending) return;
    this.#isReadPending = false;
    this.#send({
      kind: 'readAnswered',
      outcome: this.#readNow(),
    });
  }

  #passTime(): void {
    if (!this.#isWaitPending) return;
    this.#isWaitPending = false;
    this.#send({ kind: 'waited' });
  }

  #replay(value: number): void {
    const news = this.#seen[value];
    if (news?.kind === 'seen' && news.snapshot.uid === this.#state.uid) this.#send({ kind: 'watched', news });
  }

  #relist(): void {
    this.#delivered = this.server.events.length;
    const { isThere, snapshot } = this.server;
    this.#send({ kind: 'watched', news: isThere ? { kind: 'relisted', snapshot } : { kind: 'relisted' } });
  }

  #confirm(): void {
    if (!this.#isConfirmPending || this.#state.save !== undefined) return;
    this.#isConfirmPending = false;
    this.#send({ kind: 'readFresh', outcome: this.#readNow() });
  }

  #readNow(): Outcome<Snapshot> {
    const { isThere, snapshot } = this.server;
    return isThere ? { kind: 'ok', value: snapshot } : { kind: 'notFound', message: '' };
  }

  #send(event: SessionEvent): void {
    const { state, effects } = reduceSession(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'write':
        assert.match(effect.precondition.resourceVersion, /^v\d+$/);
        assert.match(effect.precondition.uid, /^uid-\d+$/);
        this.#pendingWrite = effect;
        break;
      case 'read':
        this.#isReadPending = true;
        break;
      case 'wait':
        this.#isWaitPending = true;
        break;
      case 'confirmLive':
        this.#isConfirmPending = true;
        break;
      case 'follow':
        assert.ok(!this.#isDirty, 'a dirty text was touched');
        this.#take(effect.snapshot);
        break;
      case 'finishSave': {
        const { kind } = effect.result;
        if (kind !== 'committed' && kind !== 'unchanged') break;
        if (this.#text !== this.#savedText) break;
        this.#setText(this.#text, false);
        const { live } = this.#state;
        if (kind === 'committed' && live.kind === 'present' && !this.#isDirty) this.#take(live.snapshot);
        break;
      }
      case 'review':
        assert.fail('no review was asked for');
    }
  }

  #check(): void {
    assert.equal(viewOf(this.#state).isDirty, this.#isDirty);
  }
}

const baseObject: JsonObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } };

function textOf(snapshot: Snapshot): Text {
  return {
    values: memberAt(snapshot.object, 'spec') as unknown as Values,
    named: snapshot.resourceVersion,
  };
}

function sameSpec(left: JsonObject, right: JsonObject): boolean {
  const [one, other] = [left, right].map((object) => memberAt(object, 'spec') as unknown as Values);
  return fields.every((field) => one?.[field] === other?.[field]);
}

const step = fc.tuple(fc.nat({ max: 15 }), fc.constantFrom(...fields), fc.nat({ max: 9 }));

describe('session reducer, in any order of events', () => {
  it('loses no one’s change, guards every write, and ends up knowing what the server holds', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const run = new Run();
        for (const [choice, field, value] of steps) run.step(choice, field, value);
        run.settle();
        run.checkQuiet();
      }),
      { numRuns: process.env['KUBEMERGE_LONG'] === '1' ? 200_000 : 3_000 },
    );
  });
});
