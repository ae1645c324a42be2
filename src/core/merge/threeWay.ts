import { isJsonArray, isJsonObject, type Json } from '../json.ts';
import { isEqual } from './equality.ts';
import type { FieldPath } from './fieldPath.ts';
import { mergeLines } from './lineMerge.ts';
import { MergeContext, type MergeOptions, type Triple } from './mergeContext.ts';
import { mergeLists } from './mergeLists.ts';
import { mergeMaps } from './mergeMaps.ts';
import type { MergeResult } from './mergeResult.ts';
import type { MergeSchema } from './mergeSchema.ts';

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

/** Merges one field; undefined stands for an absent one. */
function mergeField(
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
): Json | undefined {
  const { base, mine, live } = values;
  if (mine === live || live === base) return mine;
  const filled =
    schema.map.kind === 'atomic' ? undefined : fillAbsent(values, {}, isJsonObject, schema.isOpen);
  if (filled !== undefined) {
    const merged = mergeMaps(filled, schema, path, context, mergeField);
    return Object.keys(merged).length === 0 && hasAbsent(values) ? undefined : merged;
  }
  const mayBeAbsent = schema.list.kind === 'map' || schema.list.kind === 'set';
  const lists = fillAbsent(values, [], isJsonArray, mayBeAbsent);
  const merged = lists && mergeLists(lists, schema, path, context, mergeField, mergeWhole);
  if (merged !== undefined) return merged.length === 0 && hasAbsent(values) ? undefined : merged;
  return mergeWhole(values, schema, path, context);
}

/**
 * The three as containers of one kind, an absent base of two additions as an empty one; for containers that
 * are the same empty as absent, one absent side too. Undefined where they must merge as one value.
 */
function fillAbsent<T extends Json>(
  { base, mine, live }: Triple,
  empty: T,
  isKind: (value: Json | undefined) => value is T,
  mayBeAbsent = false,
): { base: T; mine: T; live: T } | undefined {
  const fill = (value: Json | undefined): T | undefined =>
    isKind(value) ? value : value === undefined || value === null ? empty : undefined;
  if (isKind(mine) && isKind(live)) {
    const filled = fill(base);
    return filled && { base: filled, mine, live };
  }
  if (!mayBeAbsent || !isKind(base) || (!isKind(mine) && !isKind(live))) return undefined;
  const [ours, theirs] = [fill(mine), fill(live)];
  return ours && theirs && { base, mine: ours, live: theirs };
}

function hasAbsent({ mine, live }: Triple): boolean {
  return mine === undefined || live === undefined;
}

/** Merges a value that has no parts to merge by, but for the lines of a text. */
export function mergeWhole(
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  note?: string,
): Json | undefined {
  const { base, mine, live } = values;
  if (isEqual(mine, live, schema) || isEqual(base, live, schema)) return mine;
  if (isEqual(base, mine, schema)) return context.take(path, values, note);
  if (typeof base === 'string' && typeof mine === 'string' && typeof live === 'string') {
    return mergeText({ base, mine, live }, path, context);
  }
  return values[context.clash(path, values, note === undefined ? {} : { note })];
}

function mergeText(
  values: { readonly base: string; readonly mine: string; readonly live: string },
  path: FieldPath,
  context: MergeContext,
): string {
  const pieces = mergeLines(values.base, values.mine, values.live);
  const lines = pieces.flatMap((piece) => (piece.kind === 'conflict' ? [piece.lines] : []));
  if (lines.length === 0) {
    context.take(path, values, 'merged by line');
  } else {
    const isOneLine = !values.base.includes('\n');
    const side = context.clash(path, values, isOneLine ? {} : { lines });
    if (side === 'base') return values.base;
    return pieces.map((piece) => (piece.kind === 'merged' ? piece.text : piece[side])).join('');
  }
  return pieces.map((piece) => (piece.kind === 'merged' ? piece.text : '')).join('');
}
