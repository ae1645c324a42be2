import { jsonEqual } from '../../../../src/core/json.ts';
import { metadataString } from '../../../../src/core/resource/kubeObject.ts';
import type { Uid } from '../../../../src/core/resource/snapshot.ts';
import type { SessionEffect, SessionEvent } from '../../../../src/core/session/sessionEvent.ts';
import { reduceSession } from '../../../../src/core/session/sessionReducer.ts';
import type { PendingSave, SessionState } from '../../../../src/core/session/sessionState.ts';
import type { SessionPhase } from '../../../../src/core/session/sessionView.ts';
import { viewOf } from '../../../../src/core/session/viewOf.ts';
import { deletion, type EventCase, eventCases, grew } from './eventCases.ts';
import { deployment, DrivenSession } from './sessionHarness.ts';

/** What one event did to one state. */
interface Reaction {
  readonly before: SessionState;
  readonly event: SessionEvent;
  readonly after: SessionState;
  readonly effects: readonly SessionEffect[];
}

/** A table as Markdown holds it, without its alignment. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A column: the states that it stands for, by how the text is. */
interface Column {
  readonly title: string;
  readonly states: Readonly<Record<string, () => SessionState>>;
}

type Kind = SessionEvent['kind'];

const uid = 'uid-a' as Uid;

/** Answers to what a save asked for: one row tells of all of them where no save is under way. */
const answers: readonly Kind[] = ['wrote', 'readAnswered', 'waited', 'reviewed'];

const phases: Readonly<Record<SessionPhase, (session: DrivenSession) => void>> = {
  fresh: () => undefined,
  stale: (session) => {
    session.see(deployment('2', { paused: true }));
  },
  conflicted: (session) => {
    session.see(deployment('2', { replicas: 4 }));
  },
  terminating: (session) => {
    session.see(deployment('2', {}, { metadata: deletion }));
  },
  deleted: (session) => {
    session.watch({ kind: 'gone', uid });
  },
  recreated: (session) => {
    session.see(deployment('9', {}, { uid: 'uid-b' }));
  },
};

type Stage = PendingSave['stage'];
type Moment = Stage | 'reading, answer lost';

const stages: Readonly<Record<Moment, (session: DrivenSession) => void>> = {
  reviewing: () => undefined,
  writing: (session) => {
    session.save();
  },
  waiting: (session) => {
    session.save();
    session.answer({ kind: 'notSent', message: '' });
  },
  reading: (session) => {
    session.save();
    session.answer({ kind: 'preconditionFailed', message: '' });
  },
  'reading, answer lost': (session) => {
    session.save();
    session.answer({ kind: 'unknown', message: '' });
  },
};

/** Every phase × event, while no save is under way. */
export function phaseTable(): Table {
  const columns = Object.entries(phases).map(([phase, reach]): Column => {
    const dirty = (): SessionState => typed(phase, reach, true);
    // A conflict needs an edit.
    if (phase === 'conflicted') return { title: phase, states: { edited: dirty } };
    return { title: phase, states: { edited: dirty, clean: () => typed(phase, reach, false) } };
  });
  const cases = Object.entries(eventCases).flatMap(([kind, all]) =>
    answers.includes(kind as Kind) ? [] : all,
  );
  const answer = Object.values(answers).flatMap((kind) => eventCases[kind]);
  return {
    head: ['Event', ...columns.map(({ title }) => title)],
    rows: [
      ...cases.map((one) => [one.words, ...columns.map((column) => cellOf(column, [one]))]),
      ['an answer, though nothing was asked', ...columns.map((column) => cellOf(column, answer))],
    ],
  };
}

/** Every stage of a save × event. */
export function saveTable(): Table {
  const columns = Object.keys(stages).map((moment): Column => ({
    title: moment,
    states: { edited: () => savingState(moment as Moment) },
  }));
  const cases = Object.values(eventCases).flat();
  return {
    head: ['Event', ...columns.map(({ title }) => title)],
    rows: cases.map((one) => [one.words, ...columns.map((column) => cellOf(column, [one]))]),
  };
}

/** What every event does in every phase and stage. */
export function allReactions(): readonly Reaction[] {
  const states = [
    ...Object.entries(phases).flatMap(([phase, reach]) =>
      [true, false].map((isDirty) => typed(phase, reach, isDirty)),
    ),
    ...Object.keys(stages).map((moment) => savingState(moment as Moment)),
  ];
  return states.flatMap((state) =>
    Object.values(eventCases)
      .flat()
      .map(({ toEvent }) => react(state, toEvent(state))),
  );
}

function cellOf({ states }: Column, cases: readonly EventCase[]): string {
  const told = Object.entries(states).map(([text, reach]) => {
    const words = new Set(cases.map(({ toEvent }) => tell(react(reach(), toEvent(reach())))));
    return { text, words: [...words].join(' or ') };
  });
  const [first, ...others] = told;
  if (first === undefined) throw new Error('a column has a state');
  if (others.every(({ words }) => words === first.words)) return first.words;
  return told.map(({ text, words }) => `${text}: ${words}`).join('; ');
}

function react(before: SessionState, event: SessionEvent): Reaction {
  const { state: after, effects } = reduceSession(before, event);
  return { before, event, after, effects };
}

function tell({ before, after, effects }: Reaction): string {
  const [from, to] = [viewOf(before).phase, viewOf(after).phase];
  const parts = [
    ...effects.map(tellEffect),
    ...(from === to ? [] : [`→ ${to}`]),
    ...(after.held.length > before.held.length ? ['waits'] : []),
    ...(before.save?.isCancelled === false && after.save?.isCancelled === true
      ? ['ends after this stage']
      : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return after === before || isSame(before, after) ? '–' : 'noted';
}

function tellEffect(effect: SessionEffect): string {
  switch (effect.kind) {
    case 'write':
      return `PUT on ${effect.precondition.resourceVersion === '1' ? 'what it grew from' : 'live'}`;
    case 'read':
      return 'GET';
    case 'confirmLive':
      return 'GET to tell which is newer';
    case 'wait':
      return `pause of ${String(effect.pauseMs / 1000)} s`;
    case 'review':
      return 'asks for review';
    case 'finishSave':
      return `ends: **${effect.result.kind}**`;
    case 'follow':
      return 'text takes live';
  }
}

/** News that changes nothing is taken from the queue again. */
function isSame(before: SessionState, after: SessionState): boolean {
  const keys = Object.keys(after) as (keyof SessionState)[];
  return keys.every((key) => before[key] === after[key] || (key === 'held' && after.held.length === 0));
}

function typed(phase: string, reach: (session: DrivenSession) => void, isDirty: boolean): SessionState {
  const session = new DrivenSession(grew);
  if (isDirty) session.type(grew, { replicas: 3 });
  reach(session);
  if (isDirty || phase !== 'conflicted') {
    if (session.view.phase !== phase) throw new Error(`${session.view.phase} is not ${phase}`);
  }
  return session.state;
}

function savingState(moment: Moment): SessionState {
  const isReviewed = moment === 'reviewing';
  const session = new DrivenSession(grew, { reviewsForeignChanges: isReviewed });
  session.type(grew, { replicas: 3 });
  if (isReviewed) {
    session.see(deployment('2', { paused: true }));
    session.save();
  }
  stages[moment](session);
  const stage = session.state.save?.stage;
  if (stage === undefined || !moment.startsWith(stage)) throw new Error(`${String(stage)} is not ${moment}`);
  return session.state;
}

/** True where what a person typed is in the state as before, or they typed something else. */
export function keepsMine({ before, event, after }: Reaction): boolean {
  if (event.kind === 'textChanged') return after.mine === event.mine && after.isDirty === event.isDirty;
  return after.mine === before.mine && after.isDirty === before.isDirty && after.named === before.named;
}

/** True where every write names version and uid of the object that the text is about. */
export function isConditional({ before, effects }: Reaction): boolean {
  return effects.every(
    (effect) =>
      effect.kind !== 'write' ||
      (effect.precondition.uid === before.uid &&
        jsonEqual(
          metadataString(effect.object, 'resourceVersion') ?? null,
          effect.precondition.resourceVersion,
        )),
  );
}
