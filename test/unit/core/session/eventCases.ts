import type { RequestFailure, WriteOutcome } from '../../../../src/core/errors.ts';
import { type JsonObject, memberAt, withMember } from '../../../../src/core/json.ts';
import { noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { type Snapshot, toSnapshot, type Uid } from '../../../../src/core/resource/snapshot.ts';
import type { SessionEvent } from '../../../../src/core/session/sessionEvent.ts';
import type { Mine, SessionState } from '../../../../src/core/session/sessionState.ts';
import { newestOf } from '../../../../src/core/session/viewOf.ts';
import { deployment, DrivenSession } from './sessionHarness.ts';

/** One way in which an event can come, told from the state that it meets. */
export interface EventCase {
  readonly words: string;
  readonly toEvent: (state: SessionState) => SessionEvent;
}

type Kind = SessionEvent['kind'];

const uid = 'uid-a' as Uid;
/** What the text of every case grew from. */
export const grew = deployment('1');
export const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] };

// Typed by what it must cover: an event, outcome, phase or stage that is added is missing here until it is told.
export const eventCases: Readonly<Record<Kind, readonly EventCase[]>> = {
  textChanged: [
    { words: 'the text is edited in another field', toEvent: textOf(withSpec({ minReadySeconds: 7 })) },
    { words: 'the text is edited back to its base', toEvent: textOf(() => startOf(grew).mine) },
    { words: 'the text becomes unreadable', toEvent: textOf(() => ({ kind: 'unreadable' })) },
    {
      words: 'the text names a version that is not remembered',
      toEvent: (state) => ({
        kind: 'textChanged',
        mine: state.mine,
        named: deployment('0-old').resourceVersion,
        isDirty: true,
      }),
    },
  ],
  watched: [
    {
      words: 'the watch shows a change that nobody edits',
      toEvent: seen((spec) => spec, { isStatus: true }),
    },
    { words: 'the watch shows another field changed', toEvent: seen((spec) => ({ ...spec, paused: true })) },
    { words: 'the watch shows the same field changed', toEvent: seen((spec) => ({ ...spec, replicas: 5 })) },
    { words: 'the watch shows the deletion begun', toEvent: seen((spec) => spec, { metadata: deletion }) },
    { words: 'the watch shows another object of the name', toEvent: seen((spec) => spec, { uid: 'uid-c' }) },
    {
      words: 'the watch shows an earlier version again',
      toEvent: () => watched({ kind: 'seen', snapshot: grew }),
    },
    { words: 'the watch says that the object is gone', toEvent: () => watched({ kind: 'gone', uid }) },
    {
      words: 'the watch says that an earlier object is gone',
      toEvent: () => watched({ kind: 'gone', uid: 'uid-z' as Uid }),
    },
    { words: 'a relist does not hold the object', toEvent: () => watched({ kind: 'relisted' }) },
    {
      words: 'a relist holds what is known',
      toEvent: (state) => watched({ kind: 'relisted', snapshot: newestOf(state.live) }),
    },
  ],
  readFresh: [
    {
      words: 'a read shows another field changed',
      toEvent: (state) => ({
        kind: 'readFresh',
        outcome: { kind: 'ok', value: nextOf(state, (spec) => ({ ...spec, paused: true })) },
      }),
    },
    {
      words: 'a read finds the object gone',
      toEvent: () => ({ kind: 'readFresh', outcome: { kind: 'notFound', message: '' } }),
    },
    {
      words: 'a read fails',
      toEvent: () => ({ kind: 'readFresh', outcome: { kind: 'unreachable', message: '' } }),
    },
  ],
  saveStarted: [
    {
      words: 'the text is saved',
      toEvent: (state) => ({
        kind: 'saveStarted',
        mine: state.mine.kind === 'read' ? state.mine.object : {},
        named: state.named,
      }),
    },
  ],
  baseOffered: [
    {
      words: 'live is handed to the editor',
      toEvent: (state) => ({ kind: 'baseOffered', snapshot: newestOf(state.live) }),
    },
  ],
  baseSettled: [
    {
      words: 'the user keeps mine at a conflict',
      toEvent: (state) => {
        const base = state.ledger.get(state.named);
        if (base === undefined) throw new Error('the base is known');
        const live = specOf(newestOf(state.live).object);
        const object = withMember(base.object, 'spec', {
          ...specOf(base.object),
          replicas: live.replicas ?? 1,
        });
        return { kind: 'baseSettled', named: state.named, base: { ...base, object, expected: object } };
      },
    },
  ],
  adopted: [
    {
      words: 'the user goes on with the object that has the name now',
      toEvent: (state) => ({
        kind: 'adopted',
        snapshot:
          state.live.kind === 'recreated'
            ? state.live.snapshot
            : nextOf(state, (spec) => spec, { uid: 'uid-c' }),
      }),
    },
  ],
  mergingChanged: [
    { words: 'a merge is opened', toEvent: () => ({ kind: 'mergingChanged', isMerging: true }) },
  ],
  livenessChanged: [
    {
      words: 'the watch is lost',
      toEvent: () => ({ kind: 'livenessChanged', liveness: { kind: 'reconnecting', since: 0 } }),
    },
  ],
  readOnlyChanged: [
    { words: 'writing is forbidden', toEvent: () => ({ kind: 'readOnlyChanged', reason: 'No right.' }) },
  ],
  reviewSettingChanged: [
    {
      words: 'saves are to be reviewed from now on',
      toEvent: () => ({ kind: 'reviewSettingChanged', reviewsForeignChanges: true }),
    },
  ],
  schemaLoaded: [
    { words: 'the schema is loaded', toEvent: () => ({ kind: 'schemaLoaded', schema: noSchema }) },
  ],
  wrote: writeCases(),
  readAnswered: readCases(),
  waited: [{ words: 'the pause is over', toEvent: () => ({ kind: 'waited' }) }],
  reviewed: [
    { words: 'the reviewer agrees', toEvent: () => ({ kind: 'reviewed', isAccepted: true }) },
    { words: 'the reviewer refuses', toEvent: () => ({ kind: 'reviewed', isAccepted: false }) },
  ],
  saveCancelled: [{ words: 'the save is cancelled', toEvent: () => ({ kind: 'saveCancelled' }) }],
};

function startOf(snapshot: Snapshot): SessionState {
  return new DrivenSession(snapshot).state;
}

function textOf(toMine: (state: SessionState) => Mine): EventCase['toEvent'] {
  return (state) => ({ kind: 'textChanged', mine: toMine(state), named: state.named, isDirty: true });
}

function withSpec(changes: JsonObject): (state: SessionState) => Mine {
  return ({ mine }) =>
    mine.kind === 'read'
      ? { kind: 'read', object: withMember(mine.object, 'spec', { ...specOf(mine.object), ...changes }) }
      : mine;
}

function watched(news: Extract<SessionEvent, { kind: 'watched' }>['news']): SessionEvent {
  return { kind: 'watched', news };
}

function seen(
  toSpec: (spec: JsonObject) => JsonObject,
  also: { readonly isStatus?: boolean; readonly metadata?: JsonObject; readonly uid?: string } = {},
): EventCase['toEvent'] {
  return (state) => watched({ kind: 'seen', snapshot: nextOf(state, toSpec, also) });
}

/** The next version of what is live, or was last. */
function nextOf(
  state: SessionState,
  toSpec: (spec: JsonObject) => JsonObject,
  also: { readonly isStatus?: boolean; readonly metadata?: JsonObject; readonly uid?: string } = {},
): Snapshot {
  const { object } = newestOf(state.live);
  const metadata = {
    ...(memberAt(object, 'metadata') as JsonObject),
    resourceVersion: '20',
    ...(also.uid === undefined ? {} : { uid: also.uid }),
    ...also.metadata,
  };
  const status = also.isStatus === true ? { readyReplicas: 1 } : {};
  const next = toSnapshot({ ...object, metadata, spec: toSpec(specOf(object)), status });
  if (next === undefined) throw new Error('no version');
  return next;
}

function specOf(object: JsonObject): JsonObject {
  return memberAt(object, 'spec') as JsonObject;
}

function writeCases(): readonly EventCase[] {
  const refused: Readonly<Record<Exclude<WriteOutcome['kind'], 'committed'>, WriteOutcome>> = {
    preconditionFailed: { kind: 'preconditionFailed', message: '' },
    notFound: { kind: 'notFound', message: '' },
    alreadyExists: { kind: 'alreadyExists', message: '' },
    ownedByOther: { kind: 'ownedByOther', message: '', fields: [] },
    rejected: { kind: 'rejected', code: 422, message: '', causes: [] },
    unauthenticated: { kind: 'unauthenticated', message: '' },
    forbidden: { kind: 'forbidden', message: '' },
    throttled: { kind: 'throttled', message: '', retryAfterMs: 0 },
    notSent: { kind: 'notSent', message: '' },
    unknown: { kind: 'unknown', message: '' },
    readOnly: { kind: 'readOnly', message: '' },
  };
  return [
    {
      words: 'PUT answered: committed',
      toEvent: (state) => {
        const snapshot = landed(state);
        return {
          kind: 'wrote',
          outcome: { kind: 'committed', object: snapshot.object, snapshot, warnings: [] },
        };
      },
    },
    ...Object.values(refused).map((outcome): EventCase => ({
      words: `PUT answered: ${outcome.kind}`,
      toEvent: () => ({ kind: 'wrote', outcome }),
    })),
  ];
}

function readCases(): readonly EventCase[] {
  const failed: Readonly<Record<Exclude<RequestFailure['kind'], 'notFound'>, RequestFailure>> = {
    unauthenticated: { kind: 'unauthenticated', message: '' },
    forbidden: { kind: 'forbidden', message: '' },
    expired: { kind: 'expired', message: '' },
    throttled: { kind: 'throttled', message: '', retryAfterMs: 0 },
    versionTooLarge: { kind: 'versionTooLarge', message: '', retryAfterMs: 0 },
    refused: { kind: 'refused', message: '', code: 406 },
    serverError: { kind: 'serverError', message: '', code: 500 },
    unreachable: { kind: 'unreachable', message: '' },
    interrupted: { kind: 'interrupted', message: '' },
    invalidAnswer: { kind: 'invalidAnswer', message: '' },
    misconfigured: { kind: 'misconfigured', message: '' },
    aborted: { kind: 'aborted' },
  };
  const found = (words: string, toSnapshot: (state: SessionState) => Snapshot): EventCase => ({
    words: `GET shows ${words}`,
    toEvent: (state) => ({ kind: 'readAnswered', outcome: { kind: 'ok', value: toSnapshot(state) } }),
  });
  return [
    found('the object as it was sent on', (state) => state.save?.sent?.on ?? newestOf(state.live)),
    found('our change', landed),
    found('another field changed', (state) => nextOf(state, (spec) => ({ ...spec, paused: true }))),
    found('the same field changed', (state) => nextOf(state, (spec) => ({ ...spec, replicas: 5 }))),
    found('another object of the name', (state) => nextOf(state, (spec) => spec, { uid: 'uid-c' })),
    {
      words: 'GET: not found',
      toEvent: () => ({ kind: 'readAnswered', outcome: { kind: 'notFound', message: '' } }),
    },
    ...Object.values(failed).map((outcome): EventCase => ({
      words: `GET fails: ${outcome.kind}`,
      toEvent: () => ({ kind: 'readAnswered', outcome }),
    })),
  ];
}

/** What the server holds once the save under way has landed. */
function landed(state: SessionState): Snapshot {
  return nextOf(state, (spec) => ({ ...spec, ...(state.save === undefined ? {} : { replicas: 3 }) }));
}
