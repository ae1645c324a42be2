import type { JsonArray, JsonObject } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { alignLists } from './alignLists.ts';
import { compareKeys, compareRootKeys } from './keyOrder.ts';
import { addItems, type FlowItem, removeItems } from './flowItems.ts';
import { stayingItems } from './planBlockList.ts';
import { placeKeys, type PlanValue } from './planBlockMap.ts';
import { dropAnchors, type PlanContext, type Slot } from './planContext.ts';
import { type FlowStyle, printFlow, printFlowEntry } from './renderObject.ts';
import type { CollectionNode, ListNode, MapNode, TextNode } from './yamlTree.ts';

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
  removeItems(context, node, items, isKept);
  addItems(context, node, items, added);
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
  removeItems(context, node, items, isKept);
  addItems(context, node, items, added);
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
