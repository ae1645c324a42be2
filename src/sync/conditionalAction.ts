import type { Outcome, WriteOutcome } from '../core/errors.ts';
import { jsonEqual, type JsonObject } from '../core/json.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import { type ObjectTraits, toEditable } from '../core/resource/editableObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { type Snapshot, toSnapshot } from '../core/resource/snapshot.ts';
import type { ClusterPort, WriteConsent, WriteRequest } from './clusterPort.ts';

/** How often an action is sent anew because only what nobody edits had changed. */
const maxTries = 4;

/** A write of a whole object or a subresource that a person asked for, beside saves. */
export interface ConditionalAction extends Decision {
  readonly ref: ResourceRef;
  readonly traits: ObjectTraits;
  /** What the person saw when they asked. */
  readonly seen: Snapshot;
}

/** What a person decided to do with an object. */
export interface Decision {
  /** The write on the condition that the object still is this one. */
  readonly toRequest: (on: Snapshot) => Exclude<WriteRequest, { readonly kind: 'create' }>;
  /** Whether the object, read after a lost answer, shows that the write landed; undefined: it is not there. */
  readonly isDone: (now: JsonObject | undefined) => boolean;
}

export type ActionOutcome =
  /** `isTerminating`: it is still there, being deleted. */
  | { readonly kind: 'done'; readonly warnings: readonly string[]; readonly isTerminating?: boolean }
  /** It was there no more when it came to it. */
  | { readonly kind: 'gone' }
  /** Nothing was done: it is no longer what the person saw. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'recreated' }
  | Exclude<
      WriteOutcome,
      { readonly kind: 'committed' | 'preconditionFailed' | 'notFound' | 'alreadyExists' }
    >;

/**
 * Sends an action under the version and uid that the person saw. A change that nobody makes by hand, such as
 * of status, does not stop it; any other does. A lost answer is settled by a read.
 */
export async function sendAction(
  cluster: ClusterPort,
  action: ConditionalAction,
  signal: AbortSignal,
  consent: WriteConsent,
): Promise<ActionOutcome> {
  let on = action.seen;
  for (let tries = 1; ; tries++) {
    const outcome = await cluster.write(action.toRequest(on), signal, consent);
    switch (outcome.kind) {
      case 'committed':
        return {
          kind: 'done',
          warnings: outcome.warnings,
          ...(metadataString(outcome.object, 'deletionTimestamp') === undefined
            ? {}
            : { isTerminating: true }),
        };
      case 'notFound':
        return { kind: 'gone' };
      case 'alreadyExists':
        return { kind: 'changed' };
      case 'unknown':
        return await settle(cluster, action, on, outcome, signal);
      case 'preconditionFailed': {
        const now = await readSnapshot(cluster, action.ref, signal);
        if (now.kind === 'notFound') return { kind: 'gone' };
        if (now.kind !== 'ok') return { kind: 'changed' };
        if (now.value.uid !== action.seen.uid) return { kind: 'recreated' };
        if (tries === maxTries || !isSameToPeople(now.value, action)) return { kind: 'changed' };
        on = now.value;
        break;
      }
      default:
        return outcome;
    }
  }
}

async function settle(
  cluster: ClusterPort,
  action: ConditionalAction,
  on: Snapshot,
  lost: Extract<WriteOutcome, { kind: 'unknown' }>,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const now = await readSnapshot(cluster, action.ref, signal);
  if (now.kind === 'notFound')
    return action.isDone(undefined) ? { kind: 'done', warnings: [] } : { kind: 'gone' };
  if (now.kind !== 'ok') return lost;
  if (now.value.uid !== on.uid) {
    return action.isDone(undefined) ? { kind: 'done', warnings: [] } : { kind: 'recreated' };
  }
  if (action.isDone(now.value.object)) return { kind: 'done', warnings: [] };
  return now.value.resourceVersion === on.resourceVersion ? { kind: 'notSent', message: lost.message } : lost;
}

/** Reads what an action would be about. */
export async function readSnapshot(
  cluster: ClusterPort,
  ref: ResourceRef,
  signal: AbortSignal,
): Promise<Outcome<Snapshot>> {
  const outcome = await cluster.get(ref, signal);
  if (outcome.kind !== 'ok') return outcome;
  const value = toSnapshot(outcome.value);
  return value === undefined
    ? { kind: 'invalidAnswer', message: 'The server holds this object without a version.' }
    : { kind: 'ok', value };
}

function isSameToPeople(now: Snapshot, { seen, traits }: ConditionalAction): boolean {
  return (
    jsonEqual(toEditable(now.object, traits), toEditable(seen.object, traits)) &&
    metadataString(now.object, 'deletionTimestamp') === metadataString(seen.object, 'deletionTimestamp')
  );
}
