import { isJsonArray, isJsonObject, type Json } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { planBlockList } from './planBlockList.ts';
import { planBlockMap } from './planBlockMap.ts';
import { isSettled, type PlanContext, type Slot } from './planContext.ts';
import { planFlowList, planFlowMap } from './planFlow.ts';
import { planScalar } from './planScalar.ts';
import { replacePrinted, replaceValue } from './replaceValue.ts';
import { isScalar, printQuoted } from './writeScalar.ts';
import type { TextNode } from './yamlTree.ts';

/** Plans the edits after which the value in `slot` reads as `target`. */
export function planValue(context: PlanContext, slot: Slot, target: Json, schema: MergeSchema): void {
  const { node } = slot;
  if (isSettled(context, node, target) && !holdsForced(context, node)) return;
  if (!context.forced.has(node) && planInside(context, slot, target, schema)) {
    if (node.anchor !== undefined) context.anchored.set(node, target);
  } else if (context.forced.has(node) && isBlockText(slot, target)) {
    // Quotes read back where a block did not.
    replacePrinted(context, slot, { head: ` ${printQuoted(target, 'double')}`, body: '' }, target);
  } else replaceValue(context, slot, target);
}

/** Whether a part that must be replaced as a whole stands in a node: one that repeats a key reads well. */
function holdsForced({ forced }: PlanContext, { start, end }: TextNode): boolean {
  return [...forced].some((node) => node.start >= start && node.end <= end);
}

function isBlockText(slot: Slot, target: Json): target is string {
  return typeof target === 'string' && slot.kind !== 'root' && slot.flow === undefined;
}

/** @returns false where the value must be replaced as a whole */
function planInside(context: PlanContext, slot: Slot, target: Json, schema: MergeSchema): boolean {
  const { node } = slot;
  if (node.kind === 'scalar' && isScalar(target)) {
    planScalar(context, slot, node, target);
    return true;
  }
  if (node.kind === 'map' && isJsonObject(target) && node.entries.length > 0) {
    const plan = node.isFlow ? planFlowMap : planBlockMap;
    return Object.keys(target).length > 0 && plan(context, slot, node, target, schema, planValue);
  }
  if (node.kind === 'list' && isJsonArray(target) && node.items.length > 0) {
    const plan = node.isFlow ? planFlowList : planBlockList;
    return target.length > 0 && plan(context, slot, node, target, schema, planValue);
  }
  return false;
}
