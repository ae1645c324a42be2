import { isJsonArray, isJsonObject, type Json } from '../json.ts';
import { isEqual, isNothing } from './equality.ts';
import type { FieldPath } from './fieldPath.ts';
import { MergeContext, type MergeOptions, type Triple } from './mergeContext.ts';
import { mergeLists } from './mergeLists.ts';
import { type MergeParts, mergeMaps } from './mergeMaps.ts';
import type { MergeResult } from './mergeResult.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { mergeWhole } from './mergeWhole.ts';

/**
 * Merges what mine and what live changed since base; see design.md section 4 for its laws.
 * Server-owned fields are the caller's to leave out, and a Secret's `stringData` to fold into `data`.
 *
 * @param schema of the objects' type; base, mine and live are not mutated
 */
export function mergeThreeWay(
  base: Json,
  mine: Json,
  live: Json,
  schema: MergeSchema,
  options: MergeOptions = {},
): MergeResult {
  const context = new MergeContext(options);
  const value = mergeField({ base, mine, live }, schema, [], context) ?? null;
  return { value, applied: context.applied, conflicts: context.conflicts };
}

/** Undefined stands for an absent field. */
function mergeField(
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
): Json | undefined {
  const { base, mine, live } = values;
  if (mine === live || live === base) return context.keep(values);
  const maps = schema.map.kind === 'atomic' ? undefined : fillNothing(values, {}, isJsonObject, schema);
  if (maps !== undefined) {
    const merged = mergeMaps(maps, schema, path, context, parts);
    return Object.keys(merged).length === 0 ? spellNothing(values, merged, context) : merged;
  }
  const lists = fillNothing(values, [], isJsonArray, schema);
  const merged = lists && mergeLists(lists, schema, path, context, parts);
  if (merged !== undefined) return merged.length === 0 ? spellNothing(values, merged, context) : merged;
  return mergeWhole(values, schema, path, context);
}

/** An entry that one side lacks is one value: a part of a deleted one would be neither side's. */
function mergeEntry(
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
): Json | undefined {
  const isOnBothSides = values.mine !== undefined && values.live !== undefined;
  if (isOnBothSides) return mergeField(values, schema, path, context);
  return mergeWhole(values, schema, path, context, isEqual);
}

const parts: MergeParts = { field: mergeField, entry: mergeEntry };

/**
 * The three as containers of one kind: an absent base of two additions as an empty one, and where absent is
 * the same as empty, any absent one. Undefined where they must merge as one value.
 */
function fillNothing<T extends Json>(
  { base, mine, live }: Triple,
  empty: T,
  isKind: (value: Json | undefined) => value is T,
  schema: MergeSchema,
): { base: T; mine: T; live: T } | undefined {
  const mayFill = isNothing(empty, schema);
  if (mayFill ? !isKind(base) && !isKind(mine) && !isKind(live) : !isKind(mine) || !isKind(live)) {
    return undefined;
  }
  const fill = (value: Json | undefined): T | undefined =>
    isKind(value) ? value : value === undefined || value === null ? empty : undefined;
  const filled = { base: fill(base), mine: fill(mine), live: fill(live) };
  const isWhole = filled.base === undefined || filled.mine === undefined || filled.live === undefined;
  return isWhole ? undefined : (filled as { base: T; mine: T; live: T });
}

/** An empty result as the side spells it that has nothing there, mine first: absent, null or empty. */
function spellNothing(values: Triple, empty: Json, { ground }: MergeContext): Json | undefined {
  const spellings = ground === 'merged' ? [values.mine, values.live] : [values[ground]];
  const isBlank = (value: Json | undefined): boolean => value === undefined || value === null;
  return spellings.some(isBlank) ? spellings.find(isBlank) : empty;
}
