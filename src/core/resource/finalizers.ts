import { isJsonArray, type JsonObject, memberAt } from '../json.ts';
import { metadataString } from './kubeObject.ts';

/** What holds an object's deletion up: names of work that somebody has still to do. */
export function finalizersOf(object: JsonObject): readonly string[] {
  const finalizers = memberAt(object, 'metadata', 'finalizers');
  return isJsonArray(finalizers) ? finalizers.filter((item): item is string => typeof item === 'string') : [];
}

/**
 * True for an object that is being deleted and that nothing holds up any longer: the server removes it with the
 * very write that makes it so.
 * Source: apiserver registry store, `deleteWithoutFinalizers`; a grace period that is left holds it, too.
 */
export function isReleased(object: JsonObject | undefined): boolean {
  if (object === undefined || metadataString(object, 'deletionTimestamp') === undefined) return false;
  const graceSeconds = memberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0;
  return finalizersOf(object).length === 0 && graceSeconds === 0;
}
