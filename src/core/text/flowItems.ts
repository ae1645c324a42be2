import { lineEnd, lineStart, nextLine } from './lines.ts';
import type { PlanContext } from './planContext.ts';
import type { CollectionNode } from './yamlTree.ts';

/** One entry or element between commas. */
export interface FlowItem {
  readonly start: number;
  readonly end: number;
}

/** Takes items with their commas out of a flow collection, and the lines that are theirs. At least one stays. */
export function removeItems(
  context: PlanContext,
  node: CollectionNode,
  items: readonly FlowItem[],
  isKept: readonly boolean[],
): void {
  for (let index = 0; index < items.length; index += 1) {
    if (isKept[index] === true) continue;
    const first = index;
    while (index + 1 < items.length && isKept[index + 1] !== true) index += 1;
    removeRun(context, node, items, first, index);
  }
}

function removeRun(
  { text, edits }: PlanContext,
  node: CollectionNode,
  items: readonly FlowItem[],
  first: number,
  last: number,
): void {
  const [from, to] = [items[first], items[last]];
  const [previous, next] = [items[first - 1], items[last + 1]];
  if (from === undefined || to === undefined) return;
  const rest = text.slice(to.end, lineEnd(text, to.end));
  const ownsLines = startsOwnLine(text, node, from) && /^\s*,?\s*(?:#.*)?$/.test(rest);
  if (!ownsLines) {
    if (next !== undefined) edits.replace(from.start, next.start, '', node);
    else edits.replace(previous?.end ?? from.start, to.end, '', node);
    return;
  }
  // Only the lines of the items go: comments above the next one stay.
  edits.replace(lineStart(text, from.start), nextLine(text, to.end), '', node);
  const comma = previous === undefined ? -1 : commaBehind(text, previous.end);
  if (next === undefined && comma >= 0 && !/^\s*,/.test(rest)) edits.replace(comma, comma + 1, '', node);
}

/**
 * Puts texts into a flow collection, on lines of their own where its items are.
 *
 * @param added by the index of the item to stand behind, -1 for the beginning
 */
export function addItems(
  context: PlanContext,
  node: CollectionNode,
  items: readonly FlowItem[],
  added: ReadonlyMap<number, readonly string[]>,
): void {
  const { text, edits } = context;
  for (const [index, texts] of added) {
    const item = items[index];
    const [first] = items;
    if (item === undefined) {
      if (first === undefined) return;
      const gap = gapOf(context, node, first);
      edits.insert(first.start, texts.map((added) => `${added},${gap}`).join(''), node);
      continue;
    }
    const gap = gapOf(context, node, item);
    const comma = commaBehind(text, item.end);
    const comment = text.slice(comma < 0 ? item.end : comma + 1, lineEnd(text, item.end));
    if (!startsOwnLine(text, node, item) || !/^\s*#/.test(comment)) {
      edits.insert(item.end, texts.map((added) => `,${gap}${added}`).join(''), node);
      continue;
    }
    // The comment at the line's end is about the item in front of it.
    if (comma < 0) edits.insert(item.end, ',', node);
    const isLast = items[index + 1] === undefined && comma < 0;
    edits.insert(lineEnd(text, item.end), gap + texts.join(`,${gap}`) + (isLast ? '' : ','), node);
  }
}

function startsOwnLine(text: string, node: CollectionNode, item: FlowItem): boolean {
  const start = lineStart(text, item.start);
  return start > node.start && /^\s*$/.test(text.slice(start, item.start));
}

function gapOf({ text, style }: PlanContext, node: CollectionNode, item: FlowItem): string {
  if (!startsOwnLine(text, node, item)) return ' ';
  return style.lineBreak + text.slice(lineStart(text, item.start), item.start);
}

/** @returns -1 where something else than a comma comes next */
function commaBehind(text: string, at: number): number {
  const match = /^[ \t]*,/.exec(text.slice(at, lineEnd(text, at)));
  return match === null ? -1 : at + match[0].length - 1;
}
