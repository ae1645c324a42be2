import assert from 'node:assert/strict';
import type { WriteOutcome } from '../../../../src/core/errors.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import { toEditable } from '../../../../src/core/resource/editableObject.ts';
import type { ResourceVersion, Snapshot } from '../../../../src/core/resource/snapshot.ts';
import type { SaveResult } from '../../../../src/core/session/saveResult.ts';
import type { SessionEffect, SessionEvent } from '../../../../src/core/session/sessionEvent.ts';
import { reduceSession, startSession } from '../../../../src/core/session/sessionReducer.ts';
import type { SessionState, WatchNews } from '../../../../src/core/session/sessionState.ts';
import { newestOf, viewOf } from '../../../../src/core/session/viewOf.ts';
import { type Field, fields, type ModelServer, type Values, valuesOf } from './modelServer.ts';

const traits = { hasStatusSubresource: true };

/** What a person sees in the editor: the fields, or a text that cannot be read. */
interface Text {
  readonly values: Values;
  readonly named: ResourceVersion;
  readonly isReadable: boolean;
}

/**
 * A session with the editor that it is about, against a model of the server. What the session asks for waits
 * until the test lets it happen. After each event it is checked that the typed text is what it was.
 */
export class ModelWindow {
  readonly #server: ModelServer;
  #state: SessionState;
  #text: Text;
  #isDirty = false;
  /** Counts what the person typed: nothing else may change a text with unsaved edits. */
  #typed: Text | undefined;
  readonly #past: Text[] = [];
  #saved: Text | undefined;
  /** What the text that is being saved had changed, when its save began. */
  #edited: readonly Field[] = [];
  #delivered = 0;
  readonly #seen: WatchNews[] = [];
  #write: Extract<SessionEffect, { kind: 'write' }> | undefined;
  #answer: WriteOutcome | undefined;
  #isReading = false;
  #isWaiting = false;
  #isReviewing = false;
  #isConfirming = false;
  /** What the user chose to override, by field. */
  readonly #overridden = new Map<Field, number>();
  /** The user's own POST, whose answer is on its way back. */
  #created: { readonly text: Text; readonly snapshot: Snapshot } | undefined;

  constructor(server: ModelServer) {
    this.#server = server;
    const opened = server.snapshot;
    this.#text = textOf(opened);
    this.#state = startSession({
      ref: { context: 'c', gvr: { group: 'example.com', version: 'v1', resource: 'things' }, name: 'x' },
      traits,
      opened,
      reviewsForeignChanges: false,
    });
  }

  type(field: Field, value: number): void {
    this.#edit({ ...this.#text, values: { ...this.#text.values, [field]: value }, isReadable: true });
  }

  /** Half a line, as each edit is for a while. */
  typeHalf(): void {
    this.#edit({ ...this.#text, isReadable: false });
  }

  undo(): void {
    const before = this.#past.pop();
    if (before !== undefined) this.#setText(before, true);
  }

  save(): void {
    const { mine, save, ledger, named } = this.#state;
    if (save !== undefined || mine.kind !== 'read') return;
    const base = ledger.get(named);
    this.#saved = this.#text;
    this.#edited = fields.filter(
      (field) => base !== undefined && valuesOf(base.object)[field] !== this.#text.values[field],
    );
    this.#send({ kind: 'saveStarted', mine: mine.object, named });
  }

  cancelSave(): void {
    this.#send({ kind: 'saveCancelled' });
  }

  review(isAccepted: boolean): void {
    if (!this.#isReviewing) return;
    this.#isReviewing = false;
    this.#send({ kind: 'reviewed', isAccepted });
  }

  setReviewing(reviewsForeignChanges: boolean): void {
    this.#send({ kind: 'reviewSettingChanged', reviewsForeignChanges });
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#send({ kind: 'readOnlyChanged', reason: isReadOnly ? 'No right.' : undefined });
  }

  setMerging(isMerging: boolean): void {
    this.#send({ kind: 'mergingChanged', isMerging });
  }

  /** The user keeps theirs at every conflict: live's values are what the text grew from there. */
  keepMine(): void {
    const { ledger, named, live, analysis, save } = this.#state;
    const base = ledger.get(named);
    if (base === undefined || live.kind !== 'present' || analysis.conflicts.length === 0) return;
    // As in the editor, where a save in flight is waited for.
    if (save !== undefined) return;
    const now = valuesOf(live.snapshot.object);
    const settled = Object.fromEntries(
      fields.map((field) => {
        const isConflict = analysis.conflicts.some(({ path }) => isPathOf(path.at(-1), field));
        return [field, isConflict ? now[field] : valuesOf(base.object)[field]];
      }),
    );
    for (const field of fields) if (settled[field] === now[field]) this.#overridden.set(field, now[field]);
    const object: JsonObject = { ...base.object, spec: settled };
    this.#send({ kind: 'baseSettled', named, base: { ...base, object, expected: object } });
  }

  /** The user goes on with the object that has the name now. */
  adopt(): void {
    const { live, save } = this.#state;
    if (live.kind !== 'recreated' || save !== undefined) return;
    this.#send({ kind: 'adopted', snapshot: live.snapshot });
    this.#take(live.snapshot);
  }

  /** The user creates the deleted object anew from the text. */
  recreate(): void {
    const isWanted = this.#state.live.kind === 'deleted' && this.#state.save === undefined;
    if (!isWanted || this.#server.isThere || this.#created !== undefined || !this.#text.isReadable) return;
    this.#created = { text: this.#text, snapshot: this.#server.create(this.#text.values) };
  }

  answerCreation(): void {
    const created = this.#created;
    if (created === undefined || this.#state.save !== undefined) return;
    this.#created = undefined;
    this.#send({ kind: 'adopted', snapshot: created.snapshot });
    if (this.#text === created.text) {
      this.#take(created.snapshot);
      return;
    }
    // What was typed meanwhile is an edit of the new object.
    this.#send({ kind: 'baseOffered', snapshot: created.snapshot });
    this.#edit({ ...this.#text, named: created.snapshot.resourceVersion });
  }

  deliver(): boolean {
    const news = this.#server.events[this.#delivered];
    if (news === undefined) return false;
    this.#delivered++;
    this.#seen.push(news);
    this.#send({ kind: 'watched', news });
    return true;
  }

  /** The watch tells again what it told. */
  replay(index: number): void {
    const news = this.#seen[index];
    if (news?.kind === 'seen' && news.snapshot.uid === this.#state.uid) this.#send({ kind: 'watched', news });
  }

  relist(): void {
    this.#delivered = this.#server.events.length;
    const { isThere, snapshot } = this.#server;
    this.#send({ kind: 'watched', news: isThere ? { kind: 'relisted', snapshot } : { kind: 'relisted' } });
  }

  /** The write arrives; its answer is on its way back. */
  carryOut(): void {
    if (this.#write === undefined || this.#answer !== undefined) return;
    const before = { values: this.#server.values, since: new Map(this.#server.foreignSince) };
    this.#answer = this.#server.put(this.#write.precondition, this.#write.object);
    if (this.#answer.kind === 'committed') this.#checkNothingOverwritten(before.values, before.since);
  }

  answerWrite(): void {
    const outcome = this.#answer;
    if (outcome === undefined) return;
    this.#answer = this.#write = undefined;
    this.#send({ kind: 'wrote', outcome });
  }

  /** The server says no, or the answer is lost on its way, or the write is. */
  failWrite(kind: 'unknown' | 'rejected' | 'forbidden' | 'throttled' | 'notSent'): void {
    if (this.#write === undefined) return;
    // Only a lost answer leaves open whether the write arrived.
    if (kind !== 'unknown' && this.#answer !== undefined) return;
    this.#answer = this.#write = undefined;
    this.#send({ kind: 'wrote', outcome: failures[kind] });
  }

  answerRead(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#send({ kind: 'readAnswered', outcome: this.#server.get() });
  }

  failRead(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#send({ kind: 'readAnswered', outcome: { kind: 'unreachable', message: '' } });
  }

  passTime(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#send({ kind: 'waited' });
  }

  /** A read outside of saves is not begun, nor taken, while a save is under way. */
  confirm(): void {
    if (!this.#isConfirming || this.#state.save !== undefined) return;
    this.#isConfirming = false;
    this.#send({ kind: 'readFresh', outcome: this.#server.get() });
  }

  /** Lets everything under way come to its end. */
  settle(): void {
    for (let round = 0; round < 200; round++) {
      this.carryOut();
      this.answerWrite();
      this.answerRead();
      this.passTime();
      this.review(true);
      this.answerCreation();
      this.confirm();
      if (!this.deliver() && this.#state.save === undefined && !this.#isConfirming) break;
    }
  }

  /** Once all is told, the phase is what the server's object says, and a fresh read changes nothing. */
  checkAtRest(): void {
    const server = this.#server;
    assert.equal(this.#state.save, undefined, 'a save never ends');
    assert.equal(this.#state.awaited, undefined, 'a version is waited for that has passed');
    assert.deepEqual(this.#state.held, []);
    const { phase } = viewOf(this.#state);
    assert.equal(phase, this.#phaseOf());
    if (server.isThere && server.snapshot.uid === this.#state.uid) {
      assert.equal(viewOf(this.#state).liveVersion, server.snapshot.resourceVersion);
      if (!this.#isDirty) assert.deepEqual(this.#text.values, server.values, 'a clean text did not follow');
    }
    this.#send({ kind: 'readFresh', outcome: server.get() });
    assert.equal(viewOf(this.#state).phase, phase, 'a fresh read says otherwise');
  }

  /** The phase by the server's own fields, those of the text, and those that it grew from. */
  #phaseOf(): string {
    const { isThere, snapshot, values } = this.#server;
    if (!isThere) return 'deleted';
    if (snapshot.uid !== this.#state.uid) return 'recreated';
    const base = this.#state.ledger.get(this.#text.named);
    // Undo has brought back the text of an object that is gone: a save of it is refused.
    if (base === undefined) return this.#server.isTerminating ? 'terminating' : 'stale';
    const [grew, expected] = [valuesOf(base.object), valuesOf(base.expected)];
    const mine = this.#text.values;
    const isConflicting = (field: Field): boolean =>
      mine[field] !== grew[field] && values[field] !== grew[field] && mine[field] !== values[field];
    if (this.#text.isReadable && fields.some(isConflicting)) return 'conflicted';
    if (this.#server.isTerminating) return 'terminating';
    return fields.some((field) => expected[field] !== values[field]) ? 'stale' : 'fresh';
  }

  /** A field that another wrote may change by our write only where the text had held what they wrote. */
  #checkNothingOverwritten(before: Values, since: ReadonlyMap<Field, number>): void {
    const { history, values } = this.#server;
    const named = this.#saved?.named ?? this.#text.named;
    for (const field of fields) {
      const foreign = since.get(field);
      if (foreign === undefined || values[field] === before[field]) continue;
      const grewFrom = history.findIndex(({ resourceVersion }) => resourceVersion === named);
      // A change that was taken back before we wrote is no change to lose.
      const isTakenBack = history[grewFrom]?.values[field] === before[field];
      const isAgreed = this.#overridden.get(field) === before[field];
      assert.ok(
        grewFrom >= foreign || isTakenBack || isAgreed,
        `overwrote another's ${field} that the text never held`,
      );
    }
  }

  #edit(text: Text): void {
    this.#past.push(this.#text);
    this.#setText(text, true);
  }

  #setText(text: Text, isDirty: boolean): void {
    this.#text = text;
    this.#isDirty = isDirty;
    this.#typed = isDirty ? text : undefined;
    const { live } = this.#state;
    const around = live.kind === 'present' ? live.snapshot.object : emptyThing;
    const object = toEditable({ ...around, spec: { ...text.values } }, traits);
    const mine = text.isReadable ? ({ kind: 'read', object } as const) : ({ kind: 'unreadable' } as const);
    this.#send({ kind: 'textChanged', mine, named: text.named, isDirty });
  }

  #take(snapshot: Snapshot): void {
    this.#past.push(this.#text);
    this.#send({ kind: 'baseOffered', snapshot });
    this.#setText(textOf(snapshot), false);
  }

  #send(event: SessionEvent): void {
    const { state, effects } = reduceSession(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.#checkText();
  }

  #checkText(): void {
    const { mine, isDirty, named } = this.#state;
    assert.equal(isDirty, this.#isDirty);
    assert.equal(named, this.#text.named);
    if (this.#typed !== undefined) assert.equal(this.#text, this.#typed, 'what was typed is gone');
    assert.equal(mine.kind === 'read', this.#text.isReadable);
    if (mine.kind === 'read') assert.deepEqual(valuesOf(mine.object), this.#text.values);
  }

  #perform(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'write':
        this.#checkWrite(effect);
        this.#write = effect;
        break;
      case 'read':
        this.#isReading = true;
        break;
      case 'wait':
        this.#isWaiting = true;
        break;
      case 'review':
        this.#isReviewing = true;
        break;
      case 'confirmLive':
        this.#isConfirming = true;
        break;
      case 'follow':
        assert.ok(!this.#isDirty, 'a text with unsaved edits was touched');
        this.#take(effect.snapshot);
        break;
      case 'finishSave':
        this.#finish(effect.result);
        break;
    }
  }

  /** Each write names a version that the server had, of the very object that the text is about. */
  #checkWrite({ precondition }: Extract<SessionEffect, { kind: 'write' }>): void {
    const { uid, resourceVersion } = precondition;
    const named = this.#server.history.find((version) => version.resourceVersion === resourceVersion);
    assert.ok(named, 'a write names no version');
    assert.equal(uid, named.uid);
    assert.equal(uid, this.#state.uid);
  }

  #finish(result: SaveResult): void {
    if (result.kind !== 'committed' && result.kind !== 'unchanged') return;
    if (result.kind === 'committed') this.#checkLanded();
    if (this.#text !== this.#saved) return;
    this.#setText(this.#text, false);
    const { live } = this.#state;
    if (result.kind === 'committed' && live.kind === 'present' && !this.#isDirty) this.#take(live.snapshot);
  }

  /** What is said to be saved has been on the server, all of it at once. */
  #checkLanded(): void {
    const { history, foreignSince } = this.#server;
    const { values } = this.#saved ?? this.#text;
    const holdsAll = history.some(
      (version) =>
        version.uid === this.#state.uid &&
        this.#edited.every((field) => version.values[field] === values[field]),
    );
    assert.ok(holdsAll, 'a save was confirmed that the server never held');
    // Where an answer was lost, what another set to the same value is as good as ours.
    const seen = history.findIndex(
      ({ resourceVersion }) => resourceVersion === newestOf(this.#state.live).resourceVersion,
    );
    for (const field of this.#edited) {
      const since = foreignSince.get(field);
      const isEqual = history[seen]?.values[field] === values[field];
      if (since !== undefined && since <= seen && isEqual) foreignSince.delete(field);
    }
  }
}

const emptyThing: JsonObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } };

const failures = {
  unknown: { kind: 'unknown', message: '' },
  rejected: { kind: 'rejected', code: 422, message: '', causes: [] },
  forbidden: { kind: 'forbidden', message: '' },
  throttled: { kind: 'throttled', message: '', retryAfterMs: 0 },
  notSent: { kind: 'notSent', message: '' },
} as const satisfies Readonly<Record<string, WriteOutcome>>;

function textOf(snapshot: Snapshot): Text {
  return { values: valuesOf(snapshot.object), named: snapshot.resourceVersion, isReadable: true };
}

function isPathOf(segment: unknown, field: Field): boolean {
  return typeof segment === 'object' && segment !== null && 'key' in segment && segment.key === field;
}
