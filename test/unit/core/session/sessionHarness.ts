import type { WriteOutcome } from '../../../../src/core/errors.ts';
import { type JsonObject, memberAt, withMember } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { toEditable } from '../../../../src/core/resource/editableObject.ts';
import type { ResourceRef } from '../../../../src/core/resource/resourceRef.ts';
import { type Snapshot, toSnapshot } from '../../../../src/core/resource/snapshot.ts';
import type { SaveResult } from '../../../../src/core/session/saveResult.ts';
import type { SessionEffect, SessionEvent } from '../../../../src/core/session/sessionEvent.ts';
import {
  reduceSession,
  type SessionStart,
  startSession,
} from '../../../../src/core/session/sessionReducer.ts';
import type { SessionState, WatchNews } from '../../../../src/core/session/sessionState.ts';
import { viewOf } from '../../../../src/core/session/viewOf.ts';

const ref: ResourceRef = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};
const traits = { hasStatusSubresource: true };

/** A Deployment `web` in one version; `changes` replaces members of its spec. */
export function deployment(
  resourceVersion: string,
  spec: JsonObject = {},
  {
    uid = 'uid-a',
    status = {},
    metadata = {},
  }: { uid?: string; status?: JsonObject; metadata?: JsonObject } = {},
): Snapshot {
  const snapshot = toSnapshot({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid, resourceVersion, ...metadata },
    spec: { replicas: 1, paused: false, ...spec },
    status,
  });
  if (snapshot === undefined) throw new Error('no version');
  return snapshot;
}

/** A session that a test drives event by event; what it asks for is kept until the test answers. */
export class DrivenSession {
  state: SessionState;
  readonly results: SaveResult[] = [];
  readonly follows: Snapshot[] = [];
  readonly writes: Extract<SessionEffect, { kind: 'write' }>[] = [];
  readonly pauses: number[] = [];
  reads = 0;
  confirmations = 0;
  reviews = 0;

  constructor(opened: Snapshot, start: Partial<SessionStart> = {}) {
    this.state = startSession({
      ref,
      traits,
      schema: builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }),
      opened,
      reviewsForeignChanges: false,
      ...start,
    });
  }

  get view(): ReturnType<typeof viewOf> {
    return viewOf(this.state);
  }

  send(event: SessionEvent): void {
    const { state, effects } = reduceSession(this.state, event);
    this.state = state;
    for (const effect of effects) this.#take(effect);
  }

  watch(...news: WatchNews[]): void {
    for (const one of news) this.send({ kind: 'watched', news: one });
  }

  see(snapshot: Snapshot): void {
    this.watch({ kind: 'seen', snapshot });
  }

  /** The text becomes this object, naming this version. */
  type(snapshot: Snapshot, spec: JsonObject, { isDirty = true }: { isDirty?: boolean } = {}): void {
    this.send({
      kind: 'textChanged',
      mine: { kind: 'read', object: withSpec(snapshot, spec) },
      named: snapshot.resourceVersion,
      isDirty,
    });
  }

  /** Saves the text as it is. */
  save(): void {
    if (this.state.mine.kind !== 'read') throw new Error('the text cannot be read');
    this.send({ kind: 'saveStarted', mine: this.state.mine.object, named: this.state.named });
  }

  answer(outcome: WriteOutcome): void {
    this.send({ kind: 'wrote', outcome });
  }

  commit(snapshot: Snapshot): void {
    this.answer({ kind: 'committed', object: snapshot.object, snapshot, warnings: [] });
  }

  read(snapshot: Snapshot): void {
    this.send({ kind: 'readAnswered', outcome: { kind: 'ok', value: snapshot } });
  }

  /** The text takes a version, as the editor does after a save or for a clean document. */
  take(snapshot: Snapshot): void {
    this.send({ kind: 'baseOffered', snapshot });
    this.send({
      kind: 'textChanged',
      mine: { kind: 'read', object: toEditable(snapshot.object, traits) },
      named: snapshot.resourceVersion,
      isDirty: false,
    });
  }

  get lastResult(): SaveResult | undefined {
    return this.results.at(-1);
  }

  #take(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'write':
        this.writes.push(effect);
        break;
      case 'read':
        this.reads++;
        break;
      case 'confirmLive':
        this.confirmations++;
        break;
      case 'wait':
        this.pauses.push(effect.pauseMs);
        break;
      case 'review':
        this.reviews++;
        break;
      case 'finishSave':
        this.results.push(effect.result);
        break;
      case 'follow':
        this.follows.push(effect.snapshot);
        break;
    }
  }
}

/** The spec member of the last write. */
export function sentSpec(session: DrivenSession, ...keys: string[]): unknown {
  return memberAt(session.writes.at(-1)?.object, 'spec', ...keys);
}

function withSpec(snapshot: Snapshot, spec: JsonObject): JsonObject {
  const editable = toEditable(snapshot.object, traits);
  const old = memberAt(editable, 'spec') as JsonObject;
  return withMember(editable, 'spec', { ...old, ...spec });
}
