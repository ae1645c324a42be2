import { assertNever } from '../assertNever.ts';
import { noSchema, type MergeSchema } from '../merge/mergeSchema.ts';
import { type ObjectTraits, toEditable } from '../resource/editableObject.ts';
import type { ResourceRef } from '../resource/resourceRef.ts';
import type { ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import { analyse, nothingForeign } from './analysis.ts';
import { type BaseLedger, recordBase } from './baseLedger.ts';
import { type Step, takeAnswer, takeFreshRead, takeNews } from './liveNews.ts';
import { continueRead, continueReviewed, continueWaited, continueWritten, startSave } from './saveSteps.ts';
import type { SessionEffect, SessionEvent } from './sessionEvent.ts';
import type { Live, SessionState, WatchNews } from './sessionState.ts';
import { newestOf } from './viewOf.ts';

/** What a session begins with: a fresh read, or what an earlier window remembered. */
export interface SessionStart {
  readonly ref: ResourceRef;
  readonly traits: ObjectTraits;
  readonly schema?: MergeSchema;
  /** The object that the document was opened on. */
  readonly opened: Snapshot;
  /** Bases and the named version from before a reload; absent for a fresh open. */
  readonly restored?: { readonly ledger: BaseLedger; readonly named: ResourceVersion };
  readonly reviewsForeignChanges: boolean;
  readonly readOnlyReason?: string;
}

export function startSession(start: SessionStart): SessionState {
  const { opened, traits, schema = noSchema } = start;
  const named = start.restored?.named ?? opened.resourceVersion;
  return withAnalysis({
    ref: start.ref,
    traits,
    schema,
    uid: opened.uid,
    ledger: start.restored?.ledger ?? recordBase(new Map(), opened, traits),
    named,
    mine: { kind: 'read', object: toEditable(opened.object, traits) },
    live: { kind: 'present', snapshot: opened },
    isDirty: false,
    isMerging: false,
    ...(start.readOnlyReason === undefined ? {} : { readOnlyReason: start.readOnlyReason }),
    liveness: { kind: 'notWatched', reason: 'The watch has not started yet.' },
    reviewsForeignChanges: start.reviewsForeignChanges,
    held: [],
    history: [opened.resourceVersion],
    analysis: nothingForeign,
  });
}

/**
 * One step of a session: pure, total, and the only place where its state changes.
 * Source: design.md sections 1 to 3.
 */
export function reduceSession(state: SessionState, event: SessionEvent): Step {
  const moved = settle(move(state, event));
  const next = hasNewInputs(state, moved.state) ? withAnalysis(moved.state, state) : moved.state;
  return { state: next, effects: [...moved.effects, ...followLive(state, next)] };
}

function move(state: SessionState, event: SessionEvent): Step {
  switch (event.kind) {
    case 'textChanged':
      return stay({ ...state, mine: event.mine, named: event.named, isDirty: event.isDirty });
    case 'baseOffered':
      return stay({ ...state, ledger: recordBase(state.ledger, event.snapshot, state.traits) });
    case 'baseSettled':
      return stay({ ...state, ledger: new Map(state.ledger).set(event.named, event.base) });
    case 'watched':
      return stay({ ...state, held: [...state.held, event.news] });
    case 'saveStarted':
      return state.save === undefined ? startSave(state, event.mine, event.named) : stay(state);
    case 'reviewed':
      return state.save?.stage === 'reviewing'
        ? continueReviewed(state, state.save, event.isAccepted)
        : stay(state);
    case 'wrote':
      return state.save?.stage === 'writing'
        ? continueWritten(state, state.save, event.outcome)
        : stay(state);
    case 'readAnswered':
      return state.save?.stage === 'reading' ? continueRead(state, state.save, event.outcome) : stay(state);
    case 'waited':
      return state.save?.stage === 'waiting' ? continueWaited(state, state.save) : stay(state);
    case 'saveCancelled':
      return state.save === undefined
        ? stay(state)
        : stay({ ...state, save: { ...state.save, isCancelled: true } });
    case 'readFresh':
      return stay(takeFreshRead(state, event.outcome));
    case 'adopted':
      return adopt(state, event.snapshot);
    case 'mergingChanged':
      return stay({ ...state, isMerging: event.isMerging });
    case 'livenessChanged':
      return stay({ ...state, liveness: event.liveness });
    case 'readOnlyChanged': {
      const { readOnlyReason: _old, ...rest } = state;
      return stay(event.reason === undefined ? rest : { ...rest, readOnlyReason: event.reason });
    }
    case 'reviewSettingChanged':
      return stay({ ...state, reviewsForeignChanges: event.reviewsForeignChanges });
    case 'schemaLoaded':
      return stay({ ...state, schema: event.schema });
    default:
      return assertNever(event);
  }
}

/** Takes the news that waited, once neither a save nor a confirming read is under way. */
function settle(step: Step): Step {
  let { state } = step;
  const effects: SessionEffect[] = [...step.effects];
  while (state.save === undefined && state.confirming === undefined && state.held.length > 0) {
    const [news, ...held] = state.held as [WatchNews, ...WatchNews[]];
    const taken = takeNews({ ...state, held }, news);
    state = taken.state;
    effects.push(...taken.effects);
  }
  return { state, effects };
}

/** The session goes on with another object of the same name: its text follows as any clean text does. */
function adopt(state: SessionState, snapshot: Snapshot): Step {
  const { live, history } = state;
  const ledger = recordBase(new Map(), snapshot, state.traits);
  const ours: SessionState = { ...state, uid: snapshot.uid, ledger };
  // Seen before: what live holds is as new, or newer.
  if (history.includes(snapshot.resourceVersion)) return stay({ ...ours, live: seenFrom(snapshot, live) });
  // The watch may have to reach it yet, or be beyond it already: a fresh read tells.
  return { state: { ...takeAnswer(ours, snapshot), confirming: {} }, effects: [{ kind: 'confirmLive' }] };
}

/** What live is to a text about this object. */
function seenFrom(last: Snapshot, live: Live): Live {
  if (live.kind === 'deleted') return { kind: 'deleted', last };
  const { snapshot } = live;
  return snapshot.uid === last.uid ? { kind: 'present', snapshot } : { kind: 'recreated', last, snapshot };
}

/** A clean buffer follows live; a dirty one is never touched without the user's say. */
function followLive(before: SessionState, after: SessionState): readonly SessionEffect[] {
  if (after.isDirty || after.save !== undefined || after.live.kind !== 'present') return [];
  const isBehind = after.analysis.foreign.length > 0 || !after.ledger.has(after.named);
  if (!isBehind) return [];
  const { snapshot } = after.live;
  const isNews =
    before.isDirty ||
    before.save !== undefined ||
    before.named !== after.named ||
    newestOf(before.live).resourceVersion !== snapshot.resourceVersion;
  return isNews ? [{ kind: 'follow', snapshot }] : [];
}

function hasNewInputs(before: SessionState, after: SessionState): boolean {
  return (
    before.mine !== after.mine ||
    before.named !== after.named ||
    before.ledger !== after.ledger ||
    before.live !== after.live ||
    before.schema !== after.schema
  );
}

function withAnalysis(state: SessionState, before?: SessionState): SessionState {
  return { ...state, analysis: analyse(state, before) };
}

function stay(state: SessionState): Step {
  return { state, effects: [] };
}
