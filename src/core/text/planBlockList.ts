import type { Json, JsonArray } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { longestRising } from '../merge/order.ts';
import { type Alignment, alignLists } from './alignLists.ts';
import { EditSink } from './editSink.ts';
import { behindItem, leadStart } from './itemLines.ts';
import { columnOf, lineStart, startsLine } from './lines.ts';
import type { PlanValue } from './planBlockMap.ts';
import { dropAnchors, type PlanContext, type Slot } from './planContext.ts';
import { printItem } from './renderObject.ts';
import { absorbFollowing, endsInLiteral } from './replaceValue.ts';
import type { ListItem, ListNode } from './yamlTree.ts';

/** Plans a block list element by element. @returns false where it must be replaced as a whole */
export function planBlockList(
  context: PlanContext,
  _slot: Slot,
  node: ListNode,
  target: JsonArray,
  schema: MergeSchema,
  planValue: PlanValue,
): boolean {
  const { text, edits } = context;
  const alignment = alignLists(
    node.items.map((item) => item.node.value),
    target,
    schema.list,
  );
  const staying = stayingItems(alignment);
  const [first] = node.items;
  if (first === undefined || staying.size === 0) return false;
  // A list that begins behind another dash: its first element has no line of its own.
  if (!startsLine(text, first.start) && !(staying.has(0) && alignment[0] === 0)) return false;
  const indent = columnOf(text, first.start);
  const matched = new Set(alignment);
  node.items.forEach((item, index) => {
    if (staying.has(index)) return;
    const isMoved = matched.has(index);
    if (!isMoved) dropAnchors(context, item.node);
    const start = isMoved ? leadStart(text, item.start) : lineStart(text, item.start);
    edits.replace(start, behindItem(text, item), '', node);
  });
  // A literal block would take in what is left between removed elements: it goes behind them.
  const lastBefore = (item: ListItem): ListItem => {
    let index = node.items.indexOf(item);
    while (index + 1 < node.items.length && !staying.has(index + 1)) index += 1;
    return node.items[index] ?? item;
  };
  let predecessor: ListItem | undefined;
  let added = '';
  let last: Json = null;
  const flush = (): void => {
    if (added === '') return;
    const at =
      predecessor === undefined
        ? leadStart(text, first.start)
        : behindItem(text, endsInLiteral(last) ? lastBefore(predecessor) : predecessor);
    edits.insert(at, added, node);
    const following = absorbFollowing(context, at, indent, last);
    edits.replace(at, following.end, following.text, node);
    added = '';
  };
  target.forEach((value, position) => {
    const index = alignment[position];
    const item = index === undefined ? undefined : node.items[index];
    if (item === undefined || index === undefined) {
      added += printItem(value, indent, context.style);
      last = value;
    } else if (staying.has(index)) {
      flush();
      planItem(context, item, value, schema, planValue, indent);
      predecessor = item;
    } else {
      added += movedLines(context, item, value, schema, planValue, indent);
      last = value;
    }
  });
  flush();
  return true;
}

/** Of the elements found again, the most that keep their order. */
export function stayingItems(alignment: Alignment): ReadonlySet<number> {
  const found = alignment.filter((index) => index !== undefined);
  return new Set(longestRising(found).map((at) => found[at] ?? -1));
}

function planItem(
  context: PlanContext,
  item: ListItem,
  target: Json,
  schema: MergeSchema,
  planValue: PlanValue,
  indent: number,
): void {
  const slot = { kind: 'item', node: item.node, indicatorEnd: item.indicatorEnd, indent } as const;
  planValue(context, slot, target, schema.items());
}

/** An element's lines with its comments, edited to read as `target`. */
function movedLines(
  context: PlanContext,
  item: ListItem,
  target: Json,
  schema: MergeSchema,
  planValue: PlanValue,
  indent: number,
): string {
  const inner = { ...context, edits: new EditSink() };
  planItem(inner, item, target, schema, planValue, indent);
  const { text } = context;
  return inner.edits.applyTo(text, leadStart(text, item.start), behindItem(text, item));
}
