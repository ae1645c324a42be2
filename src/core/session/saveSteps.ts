import { assertNever } from '../assertNever.ts';
import type { Outcome, WriteOutcome } from '../errors.ts';
import { jsonEqual, type JsonObject } from '../json.ts';
import { diffObjects } from '../merge/diff.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import type { AppliedChange } from '../merge/mergeResult.ts';
import { noSchema } from '../merge/mergeSchema.ts';
import { pathsOverlap } from '../merge/pathsOverlap.ts';
import { rebase } from '../merge/rebase.ts';
import { mergeThreeWay } from '../merge/threeWay.ts';
import { restoreHidden, toEditable } from '../resource/editableObject.ts';
import { isReleased } from '../resource/finalizers.ts';
import type { ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import { findAltered } from './alteredFields.ts';
import { analyse, isServerOwned, withBlame } from './analysis.ts';
import { recordSave } from './baseLedger.ts';
import { type Step, takeAbsence, takeAnswer } from './liveNews.ts';
import type { SaveResult } from './saveResult.ts';
import type { PendingSave, SessionState } from './sessionState.ts';

/** Pauses before each new try after the object had changed, in ms. Source: design.md section 3, point 6. */
export const racePausesMs = [0, 1000, 2000, 4000] as const;

/** Pauses before each repeat of a write that did not arrive, in ms. Source: design.md section 3, point 7. */
export const repeatPausesMs = [1000, 2000, 4000] as const;

/** Begins a save of this reading of the text, which names this version. */
export function startSave(state: SessionState, mine: JsonObject, named: ResourceVersion): Step {
  if (state.readOnlyReason !== undefined) {
    return end(state, { kind: 'readOnly', message: state.readOnlyReason });
  }
  const gone = whereGone(state);
  if (gone !== undefined) return end(state, gone);
  const base = state.ledger.get(named);
  if (base === undefined) {
    // Whatever the text grew from, there is nothing to send.
    if (isLive(state, mine)) return end(state, { kind: 'unchanged', tookLive: false, isHeld: true });
    return end(state, { kind: 'baseUnknown', resourceVersion: named });
  }
  if (jsonEqual(mine, base.object)) {
    return end(state, { kind: 'unchanged', tookLive: state.analysis.foreign.length > 0 });
  }
  return mergeAndWrite(state, {
    mine,
    named,
    base: base.object,
    stage: 'writing',
    cause: 'first',
    applied: [],
    agreed: [],
    lostRaces: 0,
    repeats: 0,
    isCancelled: false,
    message: '',
  });
}

/** Goes on after the user looked at what would be merged. */
export function continueReviewed(state: SessionState, save: PendingSave, isAccepted: boolean): Step {
  if (!isAccepted || save.isCancelled) return end(state, { kind: 'cancelled' });
  return mergeAndWrite(state, { ...save, agreed: save.applied });
}

/** Goes on after a pause: reads what changed, or repeats the write that had not arrived. */
export function continueWaited(state: SessionState, save: PendingSave): Step {
  if (save.isCancelled) return end(state, { kind: 'cancelled' });
  return save.cause === 'repeat' ? writeAgain(state, save) : read(state, save);
}

/** Decides what one answer to a write means. Source: design.md section 3, points 6 to 9. */
export function continueWritten(state: SessionState, save: PendingSave, outcome: WriteOutcome): Step {
  switch (outcome.kind) {
    case 'committed':
      if (outcome.snapshot === undefined) return read(state, { ...save, cause: 'unknown' });
      return land(state, save, outcome.snapshot, outcome.warnings, true);
    case 'preconditionFailed':
      return raceLost(state, { ...save, cause: 'changed' }, (attempts) => ({
        kind: 'preconditionFailed',
        attempts,
      }));
    case 'notFound': {
      // An object that each read finds, and no write: it is the endpoint that is gone.
      const { message } = outcome;
      if (save.isCancelled) return read(state, { ...save, cause: 'notFound', message });
      return raceLost(state, { ...save, cause: 'notFound', message }, () => ({
        kind: 'rejected',
        code: 404,
        message,
        causes: [],
      }));
    }
    case 'throttled':
    case 'notSent': {
      const retryAfterMs = outcome.kind === 'throttled' ? outcome.retryAfterMs : 0;
      const last: SaveResult = { kind: outcome.kind, message: outcome.message };
      return repeatLater(state, save, retryAfterMs, last);
    }
    case 'unknown':
      return read(state, { ...save, cause: 'unknown', message: outcome.message });
    case 'rejected':
    case 'alreadyExists':
    case 'ownedByOther':
    case 'unauthenticated':
    case 'forbidden':
    case 'readOnly':
      return end(state, outcome);
    default:
      return assertNever(outcome);
  }
}

/** Decides what the fresh object means for the save that asked for it. */
export function continueRead(state: SessionState, save: PendingSave, outcome: Outcome<Snapshot>): Step {
  if (outcome.kind === 'notFound') return end(takeAbsence(state), toAbsentResult(save));
  if (outcome.kind !== 'ok') {
    const message = outcome.kind === 'aborted' ? save.message : outcome.message;
    if (save.isCancelled && save.cause !== 'unknown') return end(state, { kind: 'cancelled' });
    if (save.cause === 'unknown') return end(state, { kind: 'unknown', message: save.message || message });
    if (outcome.kind === 'unauthenticated' || outcome.kind === 'forbidden') return end(state, outcome);
    return end(state, { kind: 'notSent', message });
  }
  const snapshot = outcome.value;
  const isAsSentOn = snapshot.resourceVersion === save.sent?.on.resourceVersion && snapshot.uid === state.uid;
  const next = takeAnswer(state, snapshot);
  const gone = whereGone(next);
  if (gone !== undefined) return end(next, gone);
  if (save.cause === 'unknown') {
    const failed = { kind: 'unknown', message: save.message, isAsBefore: true } as const;
    if (isAsSentOn) return repeatLater(next, save, 0, failed);
    const live = toEditable(snapshot.object, state.traits);
    const holdsMine = jsonEqual(rebase(save.base, save.mine, live, state.schema), live);
    return holdsMine
      ? land(next, save, snapshot, [], false)
      : end(next, { kind: 'unknown', message: save.message });
  }
  if (save.isCancelled) return end(next, { kind: 'cancelled' });
  return mergeAndWrite(next, save);
}

function mergeAndWrite(state: SessionState, save: PendingSave): Step {
  if (state.live.kind !== 'present') return end(state, whereGone(state) ?? { kind: 'deleted' });
  const { snapshot } = state.live;
  const live = toEditable(snapshot.object, state.traits);
  const result = mergeThreeWay(save.base, save.mine, live, state.schema);
  // The text may name another version by now: typing and undo go on during a save.
  const base = state.ledger.get(save.named);
  if (result.conflicts.length > 0) {
    return end(state, { kind: 'conflict', conflicts: withBlame(result.conflicts, snapshot, base) });
  }
  // Someone else, or a save whose answer was lost, made the same changes.
  if (isLive(state, result.value as JsonObject)) {
    return end(state, { kind: 'unchanged', tookLive: result.applied.length > 0, isHeld: true });
  }
  // Live may be newer than the state's own analysis.
  const foreignPaths = analyse({ ...state, named: save.named }).foreign.map(({ path }) => path);
  const applied = withBlame(
    result.applied.filter(
      ({ path }) => !isServerOwned(path) && foreignPaths.some((one) => pathsOverlap(one, path)),
    ),
    snapshot,
    base,
  );
  if (state.reviewsForeignChanges && !applied.every((change) => isAgreed(change, save.agreed))) {
    const request = { applied, base: save.base, mine: save.mine, on: snapshot };
    return {
      state: { ...state, save: { ...save, stage: 'reviewing', applied } },
      effects: [{ kind: 'review', request }],
    };
  }
  const merged = result.value as JsonObject;
  return writeAgain(state, { ...save, applied, sent: { on: snapshot, merged } });
}

/** A race may bring in more than the user has looked at. */
function isAgreed({ path, after }: AppliedChange, agreed: readonly AppliedChange[]): boolean {
  return agreed.some((one) => jsonEqual(one.path, path) && jsonEqual(one.after ?? null, after ?? null));
}

function writeAgain(state: SessionState, save: PendingSave): Step {
  if (save.sent === undefined) return mergeAndWrite(state, save);
  const { on, merged } = save.sent;
  return {
    state: { ...state, save: { ...save, stage: 'writing' } },
    effects: [
      {
        kind: 'write',
        precondition: { uid: state.uid, resourceVersion: on.resourceVersion },
        object: restoreHidden(merged, on.object, state.traits),
      },
    ],
  };
}

function raceLost(state: SessionState, save: PendingSave, toLast: (attempts: number) => SaveResult): Step {
  if (save.isCancelled) return end(state, { kind: 'cancelled' });
  const pauseMs = racePausesMs[save.lostRaces];
  const lostRaces = save.lostRaces + 1;
  if (pauseMs === undefined) return end(state, toLast(lostRaces));
  const next: PendingSave = { ...save, lostRaces };
  return pauseMs === 0 ? read(state, next) : wait(state, next, pauseMs);
}

function repeatLater(state: SessionState, save: PendingSave, retryAfterMs: number, last: SaveResult): Step {
  if (save.isCancelled) return end(state, { kind: 'cancelled' });
  const pauseMs = repeatPausesMs[save.repeats];
  if (pauseMs === undefined) return end(state, last);
  return wait(
    state,
    { ...save, repeats: save.repeats + 1, cause: 'repeat' },
    Math.max(pauseMs, retryAfterMs),
  );
}

function wait(state: SessionState, save: PendingSave, pauseMs: number): Step {
  return { state: { ...state, save: { ...save, stage: 'waiting' } }, effects: [{ kind: 'wait', pauseMs }] };
}

function read(state: SessionState, save: PendingSave): Step {
  return { state: { ...state, save: { ...save, stage: 'reading' } }, effects: [{ kind: 'read' }] };
}

function land(
  state: SessionState,
  save: PendingSave,
  response: Snapshot,
  warnings: readonly string[],
  isOwnAnswer: boolean,
): Step {
  const sent = save.sent?.merged ?? save.mine;
  const received = toEditable(response.object, state.traits);
  const ledger = recordSave(
    state.ledger,
    { base: save.base, mine: save.mine, sent, ...(isOwnAnswer ? { response: received } : {}) },
    state.schema,
  );
  const before = save.sent?.on ?? response;
  const landed = { ...takeAnswer(state, response), ledger };
  if (isOwnAnswer && isReleased(response.object)) {
    return end(takeAbsence(landed), { kind: 'gone', before, response, warnings });
  }
  const { altered, mutated } = findAltered(save, sent, received, state.schema);
  return end(landed, {
    kind: 'committed',
    before,
    response,
    applied: save.applied,
    altered,
    // What was read later may hold what others have set since.
    ...(isOwnAnswer && mutated.length > 0 ? { mutated } : {}),
    warnings,
  });
}

/** What a save means whose object is not there: a release that nobody answered, or that came too late, is done. */
function toAbsentResult({ base, mine, cause, sent }: PendingSave): SaveResult {
  const before = sent?.on;
  if (before === undefined || !isReleased(sent?.merged)) return { kind: 'deleted' };
  const isMoot = diffObjects(base, mine, noSchema).every(({ path }) => isFinalizers(path));
  return cause === 'unknown' || isMoot ? { kind: 'gone', before, warnings: [] } : { kind: 'deleted' };
}

function isFinalizers([first, second]: FieldPath): boolean {
  return (
    first?.kind === 'member' &&
    first.key === 'metadata' &&
    second?.kind === 'member' &&
    second.key === 'finalizers'
  );
}

/** True for a text that reads like live. */
function isLive({ live, traits }: SessionState, object: JsonObject): boolean {
  return live.kind === 'present' && jsonEqual(object, toEditable(live.snapshot.object, traits));
}

function whereGone(state: SessionState): SaveResult | undefined {
  switch (state.live.kind) {
    case 'present':
      return undefined;
    case 'deleted':
      return { kind: 'deleted' };
    case 'recreated':
      return { kind: 'recreated', uid: state.uid, liveUid: state.live.snapshot.uid };
  }
}

function end(state: SessionState, result: SaveResult): Step {
  const { save: _ended, ...rest } = state;
  return { state: rest, effects: [{ kind: 'finishSave', result }] };
}
