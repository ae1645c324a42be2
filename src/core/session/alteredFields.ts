import { isJsonArray, isJsonObject, type Json, jsonEqual, type JsonObject } from '../json.ts';
import { diffObjects } from '../merge/diff.ts';
import type { FieldChange } from '../merge/mergeResult.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { pathsOverlap } from '../merge/pathsOverlap.ts';
import { isServerOwned } from './analysis.ts';

/** What an answer holds otherwise than it was sent; `before` is what was sent. */
export interface AlteredFields {
  /** Where mine had changed something: the edit was ignored or changed. */
  readonly altered: readonly FieldChange[];
  /** Elsewhere: what admission or the server set beside. */
  readonly mutated: readonly FieldChange[];
}

/**
 * Compares an answer with what was sent (design.md section 3, point 9). What the server fills in inside of a
 * value that was added, its defaults, is neither; nor is an empty value that it leaves out.
 */
export function findAltered(
  { base, mine }: { readonly base: JsonObject; readonly mine: JsonObject },
  sent: JsonObject,
  received: JsonObject,
  schema: MergeSchema,
): AlteredFields {
  const edits = diffObjects(base, mine, schema);
  const altered: FieldChange[] = [];
  const mutated: FieldChange[] = [];
  for (const change of diffObjects(sent, received, schema)) {
    const touched = edits.filter((edit) => pathsOverlap(edit.path, change.path));
    if (isNothing(change.before) && isNothing(change.after)) continue;
    if (touched.length === 0) {
      if (!isServerOwned(change.path)) mutated.push(change);
    } else if (!isFilledIn(change, touched)) altered.push(change);
  }
  return { altered, mutated };
}

/** A field that mine took away and that is back is no default: the edit was ignored. */
function isFilledIn({ before, after }: FieldChange, touched: readonly FieldChange[]): boolean {
  if (before === undefined || isNothing(before)) return !touched.some((edit) => isNothing(edit.after));
  return after !== undefined && holds(after, before);
}

/** Whether a value holds all of another, and maybe more. */
function holds(value: Json, part: Json): boolean {
  if (isJsonObject(part)) {
    return (
      isJsonObject(value) &&
      Object.entries(part).every(([key, member]) => {
        const there = Object.hasOwn(value, key) ? value[key] : undefined;
        return there === undefined ? isNothing(member) : holds(there, member);
      })
    );
  }
  if (isJsonArray(part)) {
    return (
      isJsonArray(value) &&
      value.length === part.length &&
      part.every((item, index) => holds(value[index] ?? null, item))
    );
  }
  return jsonEqual(value, part);
}

/** Servers leave out what is absent, null or empty, and mean the same by it. */
function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
