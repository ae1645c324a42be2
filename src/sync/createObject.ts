import type { WriteOutcome } from '../core/errors.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonEqual } from '../core/json.ts';
import { foldStringData } from '../core/resource/editableObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { type Snapshot, toSnapshot } from '../core/resource/snapshot.ts';
import type { ClusterPort, WriteConsent } from './clusterPort.ts';

export type CreateOutcome =
  | {
      readonly kind: 'created';
      /** Absent where the server keeps no version of it. */
      readonly snapshot?: Snapshot;
      readonly warnings: readonly string[];
    }
  | Exclude<WriteOutcome, { readonly kind: 'committed' | 'preconditionFailed' | 'notFound' }>;

/**
 * Creates an object, by one request that is never repeated: a lost answer is settled by a read. What is there then
 * and holds all that was sent is ours.
 *
 * @param object without what only the server gives, see `toCreatable`
 */
export async function createObject(
  cluster: Pick<ClusterPort, 'write' | 'get'>,
  ref: ResourceRef,
  object: JsonObject,
  consent: WriteConsent,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const outcome = await cluster.write({ kind: 'create', ref, object }, signal, consent);
  switch (outcome.kind) {
    case 'committed': {
      const { snapshot, warnings } = outcome;
      return { kind: 'created', warnings, ...(snapshot === undefined ? {} : { snapshot }) };
    }
    case 'preconditionFailed':
      return { kind: 'alreadyExists', message: outcome.message };
    case 'notFound':
      return { kind: 'rejected', code: 404, message: outcome.message, causes: [] };
    case 'unknown':
      return await settle(cluster, ref, object, outcome, signal);
    default:
      return outcome;
  }
}

async function settle(
  cluster: Pick<ClusterPort, 'get'>,
  ref: ResourceRef,
  object: JsonObject,
  lost: Extract<WriteOutcome, { readonly kind: 'unknown' }>,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const now = await cluster.get(ref, signal);
  if (now.kind === 'notFound') return { kind: 'notSent', message: lost.message };
  if (now.kind !== 'ok') return lost;
  if (!holds(now.value, foldStringData(object))) {
    return {
      kind: 'alreadyExists',
      message: 'An object of this name is there, and it is not as you sent it.',
    };
  }
  const snapshot = toSnapshot(now.value);
  return { kind: 'created', warnings: [], ...(snapshot === undefined ? {} : { snapshot }) };
}

/** Whether `whole` has every field of `part`; defaults may have come to it. */
function holds(whole: Json | undefined, part: Json): boolean {
  if (isJsonObject(part)) {
    return Object.entries(part).every(
      ([key, value]) =>
        (isJsonObject(whole) && Object.hasOwn(whole, key) && holds(whole[key], value)) || isNothing(value),
    );
  }
  if (!isJsonArray(part)) return jsonEqual(whole, part);
  return (
    isJsonArray(whole) &&
    whole.length >= part.length &&
    part.every((item, index) => holds(whole[index], item))
  );
}

/** Servers drop empty values. */
function isNothing(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
