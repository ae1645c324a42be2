import { defineMembers, isJsonObject, type Json, jsonEqual } from '../../../../src/core/json.ts';

/** A JSON merge patch (RFC 7396) from one value to another: lists as a whole, null for what is gone. */
export function mergePatch(from: Json | undefined, to: Json): Json {
  if (!isJsonObject(from) || !isJsonObject(to)) return to;
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  const changed = Object.entries(to).filter(([key, value]) => !jsonEqual(from[key], value));
  return defineMembers([
    ...gone.map((key) => [key, null] as const),
    ...changed.map(([key, value]) => [key, mergePatch(from[key], value)] as const),
  ]);
}
