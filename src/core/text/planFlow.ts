import type { JsonArray, JsonObject } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { alignLists } from './alignLists.ts';
import { compareKeys, compareRootKeys } from './keyOrder.ts';
import { lineEnd, lineStart } from './lines.ts';
import { stayingItems } from './planBlockList.ts';
import { placeKeys, type PlanValue } from './planBlockMap.ts';
import { dropAnchors, type PlanContext, type Slot } from './planContext.ts';
import { type FlowStyle, printFlow, printFlowEntry } from './renderObject.ts';
import type { CollectionNode, ListNode, MapNode, TextNode } from './yamlTree.ts';

/** One entry or element between commas. */
interface FlowItem {
  readonly start: number;
  readonly end: number;
}

/** Plans a flow mapping entry by entry. @returns false where it must be replaced as a whole */
export function planFlowMap(
  context: PlanContext,
  slot: Slot,
  node: MapNode,
  target: JsonObject,
  schema: MergeSchema,
  planValue: PlanValue,
): boolean {
  const isOdd = node.entries.some(({ isMerge, keyNode }) => isMerge || keyNode.kind !== 'scalar');
  const kept = node.entries.filter(({ key }) => Object.hasOwn(target, key));
  const isUnique = new Set(node.entries.map(({ key }) => key)).size === node.entries.length;
  if (isOdd || kept.length === 0 || !isUnique || context.text[node.start] !== '{') return false;
  const flow = flowStyleOf(context, node, slot.flow);
  for (const entry of kept) {
    const indicatorEnd = entry.colonEnd ?? entry.keyNode.end;
    const inner = { kind: 'entry', node: entry.node, indicatorEnd, indent: 0, flow } as const;
    planValue(context, inner, target[entry.key] ?? null, schema.member(entry.key));
  }
  const items = node.entries.map((entry): FlowItem => {
    const isEmpty = entry.node.kind === 'scalar' && entry.node.style === 'empty';
    const end = isEmpty ? (entry.node.props?.end ?? entry.colonEnd ?? entry.keyNode.end) : entry.node.end;
    return { start: entry.start, end };
  });
  const isKept = node.entries.map((entry) => kept.includes(entry));
  node.entries.forEach((entry, index) => {
    if (isKept[index] !== true) dropAnchors(context, entry.node);
  });
  const added = new Map<number, string[]>();
  for (const [entry, keys] of placeKeys(kept, target, slot.kind === 'root' ? compareRootKeys : compareKeys)) {
    const texts = keys.map((key) => printFlowEntry(key, target[key] ?? null, flow));
    added.set(entry === undefined ? -1 : node.entries.indexOf(entry), texts);
  }
  editFlow(context, node, items, isKept, added);
  return true;
}

/** Plans a flow list element by element. @returns false where it must be replaced as a whole */
export function planFlowList(
  context: PlanContext,
  slot: Slot,
  node: ListNode,
  target: JsonArray,
  schema: MergeSchema,
  planValue: PlanValue,
): boolean {
  const alignment = alignLists(
    node.items.map((item) => item.node.value),
    target,
    schema.list,
  );
  const staying = stayingItems(alignment);
  if (staying.size === 0) return false;
  const flow = flowStyleOf(context, node, slot.flow);
  const added = new Map<number, string[]>();
  let predecessor = -1;
  target.forEach((value, position) => {
    const index = alignment[position];
    const item = index === undefined ? undefined : node.items[index];
    if (index !== undefined && item !== undefined && staying.has(index)) {
      const inner = { kind: 'item', node: item.node, indicatorEnd: item.start, indent: 0, flow } as const;
      planValue(context, inner, value, schema.items());
      predecessor = index;
    } else added.set(predecessor, [...(added.get(predecessor) ?? []), printFlow(value, flow)]);
  });
  const items = node.items.map((item): FlowItem => ({
    start: item.start,
    end: Math.max(item.node.end, item.node.props?.end ?? 0),
  }));
  const isKept = node.items.map((item, index) => {
    if (!staying.has(index)) dropAnchors(context, item.node);
    return staying.has(index);
  });
  editFlow(context, node, items, isKept, added);
  return true;
}

/** The quotes of the first key or string, for what is added to be in the same. */
function flowStyleOf({ text }: PlanContext, node: CollectionNode, outer: FlowStyle | undefined): FlowStyle {
  if (outer?.quotes !== undefined) return outer;
  const first: TextNode | undefined =
    node.kind === 'map'
      ? node.entries[0]?.keyNode
      : node.items.find(({ node: item }) => typeof item.value === 'string')?.node;
  const mark = first === undefined ? undefined : text[first.start];
  return mark === '"'
    ? { quotes: 'double' }
    : mark === "'" && node.kind === 'list'
      ? { quotes: 'single' }
      : {};
}

/** Takes items out and puts texts in, commas and lines included. At least one item is kept. */
function editFlow(
  { text, edits, style }: PlanContext,
  node: CollectionNode,
  items: readonly FlowItem[],
  isKept: readonly boolean[],
  added: ReadonlyMap<number, readonly string[]>,
): void {
  const ownsLine = (item: FlowItem): boolean =>
    lineStart(text, item.start) > node.start &&
    /^\s*$/.test(text.slice(lineStart(text, item.start), item.start));
  const gapOf = (item: FlowItem): string =>
    ownsLine(item) ? style.lineBreak + text.slice(lineStart(text, item.start), item.start) : ' ';
  for (let index = 0; index < items.length; index += 1) {
    if (isKept[index] === true) continue;
    let end = index;
    while (end + 1 < items.length && isKept[end + 1] !== true) end += 1;
    const [from, to] = [items[index], items[end]];
    const [previous, next] = [items[index - 1], items[end + 1]];
    if (from !== undefined && to !== undefined) {
      if (next !== undefined) edits.replace(from.start, next.start, '', node);
      else edits.replace(previous?.end ?? from.start, to.end, '', node);
    }
    index = end;
  }
  const last = items.at(-1);
  for (const [index, texts] of added) {
    const item = items[index];
    const first = items[0];
    if (item === undefined && first !== undefined) {
      edits.insert(first.start, texts.map((added) => `${added},${gapOf(first)}`).join(''), node);
    } else if (item !== undefined) {
      const comma = item === last ? -1 : commaBehind(text, item.end);
      const comment = comma < 0 ? '' : text.slice(comma + 1, lineEnd(text, comma));
      if (ownsLine(item) && comma >= 0 && /^\s*#/.test(comment)) {
        // The comment behind the comma is about the item in front of it.
        edits.insert(lineEnd(text, comma), texts.map((added) => `${gapOf(item)}${added},`).join(''), node);
      } else edits.insert(item.end, texts.map((added) => `,${gapOf(item)}${added}`).join(''), node);
    }
  }
}

/** @returns -1 where something else than a comma comes next */
function commaBehind(text: string, at: number): number {
  const match = /^[ \t]*,/.exec(text.slice(at, at + 200));
  return match === null ? -1 : at + match[0].length - 1;
}
