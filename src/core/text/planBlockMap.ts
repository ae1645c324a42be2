import type { Json, JsonObject } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { itemEnd } from './contentEnd.ts';
import { compareKeys, compareRootKeys } from './keyOrder.ts';
import { columnOf, lineStart, nextLine, startsLine } from './lines.ts';
import { behindItem, leadStart } from './itemLines.ts';
import { planMergeKeys } from './planMergeKeys.ts';
import { dropAnchors, type PlanContext, type Slot } from './planContext.ts';
import { printEntry } from './renderObject.ts';
import { absorbFollowing, endsInLiteral } from './replaceValue.ts';
import type { MapEntry, MapNode } from './yamlTree.ts';

export type PlanValue = (context: PlanContext, slot: Slot, target: Json, schema: MergeSchema) => void;

/** Plans a block mapping entry by entry. @returns false where it must be replaced as a whole */
export function planBlockMap(
  context: PlanContext,
  slot: Slot,
  node: MapNode,
  target: JsonObject,
  schema: MergeSchema,
  planValue: PlanValue,
): boolean {
  const wanted = planMergeKeys(context, node, target);
  if (wanted === undefined) return false;
  const kept = keptEntries(node, wanted);
  if (!kept.some(({ isMerge }) => !isMerge)) return false;
  const [first] = node.entries;
  if (first === undefined) return false;
  const isCompact = !startsLine(context.text, first.start);
  const stays = new Set(kept);
  // In the order of the text: what an anchor stands for is settled before its aliases are planned.
  for (const entry of node.entries) {
    if (!stays.has(entry)) dropAnchors(context, entry.node);
    else if (!entry.isMerge) planEntry(context, node, entry, wanted[entry.key] ?? null, schema, planValue);
  }
  removeEntries(context, slot, node, kept, isCompact);
  insertEntries(context, slot, node, kept, wanted, isCompact);
  return true;
}

/** Of entries with the same key the last is what was read. */
function keptEntries(node: MapNode, target: JsonObject): readonly MapEntry[] {
  const last = new Map(node.entries.map((entry) => [entry.key, entry]));
  return node.entries.filter(
    (entry) => entry.isMerge || (Object.hasOwn(target, entry.key) && last.get(entry.key) === entry),
  );
}

function planEntry(
  context: PlanContext,
  node: MapNode,
  entry: MapEntry,
  target: Json,
  schema: MergeSchema,
  planValue: PlanValue,
): void {
  const { text, edits, style } = context;
  const indent = columnOf(text, entry.start);
  if (entry.colonEnd !== undefined) {
    const slot = { kind: 'entry', node: entry.node, indicatorEnd: entry.colonEnd, indent } as const;
    planValue(context, slot, target, schema.member(entry.key));
  } else if (target !== null) {
    // A `? key` without a value: written anew.
    const printed = printEntry(entry.key, target, indent, style).slice(indent);
    edits.replace(entry.start, nextLine(text, entry.keyNode.end), printed, node);
  }
}

function removeEntries(
  context: PlanContext,
  slot: Slot,
  node: MapNode,
  kept: readonly MapEntry[],
  isCompact: boolean,
): void {
  const { text, edits } = context;
  const stays = new Set(kept);
  const firstKept = node.entries.findIndex((entry) => stays.has(entry));
  const pulledUp = isCompact ? firstKept : 0;
  if (pulledUp > 0) pullUp(context, slot, node, pulledUp);
  node.entries.forEach((entry, index) => {
    if (stays.has(entry) || index < pulledUp) return;
    edits.replace(lineStart(text, entry.start), behindItem(text, entry), '', node);
  });
}

/** The first entries of a mapping that begins behind a dash go: the next one takes their place. */
function pullUp({ text, edits }: PlanContext, slot: Slot, node: MapNode, count: number): void {
  const [first, next] = [node.entries[0], node.entries[count]];
  if (first === undefined || next === undefined) return;
  const gone = node.entries.slice(0, count);
  const hasComments = gone.some((entry, index) => {
    const end = nextLine(text, itemEnd(text, entry));
    return text.slice(end, node.entries[index + 1]?.start).includes('#');
  });
  if (!hasComments || slot.kind !== 'item') {
    edits.replace(first.start, next.start, '', node);
    return;
  }
  edits.replace(slot.indicatorEnd, nextLine(text, itemEnd(text, first)) - lineBreakAt(text, first), '', node);
  for (const entry of gone.slice(1)) {
    edits.replace(lineStart(text, entry.start), behindItem(text, entry), '', node);
  }
}

function lineBreakAt(text: string, entry: MapEntry): number {
  const end = nextLine(text, itemEnd(text, entry));
  return text[end - 2] === '\r' ? 2 : 1;
}

function insertEntries(
  context: PlanContext,
  slot: Slot,
  node: MapNode,
  kept: readonly MapEntry[],
  target: JsonObject,
  isCompact: boolean,
): void {
  const { text, edits, style } = context;
  const [first] = node.entries;
  if (first === undefined) return;
  const indent = columnOf(text, first.start);
  const groups = placeKeys(kept, target, slot.kind === 'root' ? compareRootKeys : compareKeys);
  for (const [predecessor, keys] of groups) {
    const printed = keys.map((key) => printEntry(key, target[key] ?? null, indent, style)).join('');
    if (predecessor !== undefined) {
      const at = behindItem(text, lastBefore(node, kept, predecessor, target[keys.at(-1) ?? ''] ?? null));
      const following = absorbFollowing(context, at, indent, target[keys.at(-1) ?? ''] ?? null);
      edits.insert(at, printed, node);
      edits.replace(at, following.end, following.text, node);
    } else if (isCompact) {
      edits.insert(first.start, printed.slice(indent) + ' '.repeat(indent), node);
    } else edits.insert(leadStart(text, first.start), printed, node);
  }
}

/**
 * The entry behind which to insert. A literal block would take in blank lines and comments that are left of
 * removed entries, so it goes behind those.
 */
function lastBefore(node: MapNode, kept: readonly MapEntry[], predecessor: MapEntry, last: Json): MapEntry {
  if (!endsInLiteral(last)) return predecessor;
  const stays = new Set(kept);
  let index = node.entries.indexOf(predecessor);
  while (index + 1 < node.entries.length && !stays.has(node.entries[index + 1] ?? predecessor)) index += 1;
  return node.entries[index] ?? predecessor;
}

/**
 * Where the members go that the text does not have yet: into their place where the text's keys are sorted,
 * else behind the member that precedes them in the target.
 *
 * @returns for each predecessor, undefined being the mapping's start, the keys to add behind it, in order
 */
export function placeKeys(
  kept: readonly MapEntry[],
  target: JsonObject,
  compare: (left: string, right: string) => number,
): ReadonlyMap<MapEntry | undefined, readonly string[]> {
  const byKey = new Map(kept.map((entry) => [entry.key, entry]));
  const keys = kept.map(({ key }) => key);
  const isSorted =
    keys.length > 1 && keys.every((key, index) => index === 0 || compare(keys[index - 1] ?? '', key) < 0);
  const groups = new Map<MapEntry | undefined, string[]>();
  const add = (predecessor: MapEntry | undefined, key: string): void => {
    const group = groups.get(predecessor);
    if (group === undefined) groups.set(predecessor, [key]);
    else group.push(key);
  };
  // Behind a merge key only: what precedes it would be overridden.
  const lastMerge = kept.findLast(({ isMerge }) => isMerge);
  const floor = lastMerge === undefined ? -1 : kept.indexOf(lastMerge);
  const placeOf = new Map(kept.map((entry, index) => [entry, index]));
  let previous: MapEntry | undefined = lastMerge;
  const missing: string[] = [];
  for (const key of Object.keys(target)) {
    const entry = byKey.get(key);
    if (entry !== undefined && !entry.isMerge) {
      if ((placeOf.get(entry) ?? 0) > floor) previous = entry;
    } else if (isSorted && lastMerge === undefined) missing.push(key);
    else add(previous, key);
  }
  missing.sort(compare);
  let index = 0;
  for (const key of missing) {
    while (index < kept.length && compare(keys[index] ?? '', key) < 0) index += 1;
    add(kept[index - 1], key);
  }
  return groups;
}
