import { isJsonArray, isJsonObject, type Json } from '../json.ts';
import { blockBody, contentEnd } from './contentEnd.ts';
import { orderedEntries, orderedRootEntries } from './keyOrder.ts';
import { columnOf, lineEnd, lineStart, nextLine, startsLine } from './lines.ts';
import { dropAnchors, type PlanContext, type Slot } from './planContext.ts';
import { type PrintedValue, printElement, printEntry, printFlow, printValue } from './renderObject.ts';
import { toLiteral } from './writeScalar.ts';
import type { TextNode } from './yamlTree.ts';

/** Replaces a whole value, its anchor kept. A comment behind it on the line of its key or dash stays. */
export function replaceValue(context: PlanContext, slot: Slot, target: Json): void {
  dropAnchors(context, slot.node);
  if (slot.kind === 'root') replaceRoot(context, slot.node, target);
  else if (slot.flow !== undefined) replaceInFlow(context, slot, printFlow(target, slot.flow));
  else {
    const { style } = context;
    const print = slot.kind === 'item' ? printElement : printValue;
    replacePrinted(context, slot, print(target, slot.indent, style), target);
  }
  if (slot.node.anchor !== undefined && slot.kind !== 'root') context.anchored.set(slot.node, target);
}

/** Replaces a value outside of flow collections by lines that are printed already. */
export function replacePrinted(context: PlanContext, slot: Slot, printed: PrintedValue, target: Json): void {
  const { text, edits } = context;
  const { node } = slot;
  const after = node.props?.end ?? slot.indicatorEnd;
  const { head, body } = rangesOf(text, slot, after);
  // A tag might read the new value as something else; only the anchor stays.
  const dropsTag = node.tag !== undefined && node.props !== undefined;
  const anchor = node.anchor === undefined ? '' : `&${node.anchor}`;
  const headText = dropsTag ? (anchor + printed.head).replace(/^ /, '') : printed.head;
  if (dropsTag) edits.replace(node.props.start, head.end, headText, node);
  else if (head.start === after || printed.head === '') edits.replace(head.start, head.end, headText, node);
  else edits.replace(head.start, head.end, headText.slice(1), node);
  const isLiteral = typeof target === 'string' && printed.body !== '';
  const bodyStart = isLiteral ? Math.min(body.start, nextLine(text, head.end)) : body.start;
  const following =
    printed.body === ''
      ? { end: body.end, text: '' }
      : absorbFollowing(context, body.end, slot.indent, target);
  edits.replace(bodyStart, following.end, printed.body + following.text, node);
}

interface Ranges {
  readonly head: { readonly start: number; readonly end: number };
  readonly body: { readonly start: number; readonly end: number };
}

/** What of a value stands on the line of its key or dash, and which whole lines below are its own. */
function rangesOf(text: string, slot: Slot, after: number): Ranges {
  const { node } = slot;
  if (node.kind === 'scalar' && node.block !== undefined) {
    const lines = blockBody(text, node);
    const start = nextLine(text, node.block.headerEnd);
    const end = lines.end > lines.start ? nextLine(text, lines.end) : start;
    return { head: { start: after, end: node.block.headerEnd }, body: { start, end } };
  }
  if (node.kind === 'scalar' && node.style === 'empty') {
    const line = nextLine(text, after);
    return { head: { start: after, end: after }, body: { start: line, end: line } };
  }
  if (node.kind === 'scalar' || node.kind === 'alias' || node.isFlow) {
    const line = nextLine(text, node.end);
    // A value on a line of its own stays there: comments may stand above it.
    const start = lineStart(text, node.start) > after ? node.start : after;
    return { head: { start, end: node.end }, body: { start: line, end: line } };
  }
  const end = nextLine(text, contentEnd(text, node));
  if (startsLine(text, node.start)) {
    return { head: { start: after, end: after }, body: { start: lineStart(text, node.start), end } };
  }
  const start = nextLine(text, node.start);
  return {
    head: { start: after, end: lineEnd(text, node.start) },
    body: { start, end: Math.max(start, end) },
  };
}

function replaceInFlow({ text, edits }: PlanContext, slot: Slot, newText: string): void {
  const { node, indicatorEnd } = slot;
  const anchor = node.anchor === undefined ? '' : `&${node.anchor} `;
  if (node.tag !== undefined && node.props !== undefined) {
    edits.replace(node.props.start, Math.max(node.props.end, node.end), anchor + newText, node);
  } else if (node.kind === 'scalar' && node.style === 'empty') {
    const at = node.props?.end ?? indicatorEnd;
    edits.insert(at, text[at - 1] === ':' || node.props ? ` ${newText}` : `: ${newText}`, node);
  } else edits.replace(node.start, node.end, newText, node);
}

function replaceRoot({ text, edits, style }: PlanContext, node: TextNode, target: Json): void {
  const start = node.props?.start ?? node.start;
  const ownsLine = startsLine(text, start);
  const entries = isJsonObject(target)
    ? orderedRootEntries(target).map(([key, value]) => printEntry(key, value, 0, style))
    : [];
  const printed = entries.length > 0 ? entries.join('') : `${printFlow(target, {})}${style.lineBreak}`;
  const from = ownsLine ? start - columnOf(text, start) : start;
  const end = nextLine(text, contentEnd(text, node));
  edits.replace(from, end, (ownsLine ? '' : style.lineBreak) + printed, node);
}

/**
 * Behind a literal block that is about to be written, lines that would become part of it: comments further
 * to the right than the block's key are moved to its column, and blank lines that would count are dropped.
 *
 * @param at start of the line behind the block
 */
export function absorbFollowing(
  { text, style }: PlanContext,
  at: number,
  indent: number,
  target: Json,
): { readonly end: number; readonly text: string } {
  const leaf = lastLeaf(target);
  if (!leaf.includes('\n') || toLiteral(leaf, style.indentStep) === undefined) return { end: at, text: '' };
  const keepsBreaks = leaf.endsWith('\n\n');
  let [end, moved] = [at, ''];
  for (let position = at; position < text.length; position = nextLine(text, position)) {
    const line = text.slice(position, lineEnd(text, position));
    const column = line.search(/\S/);
    if (column >= 0 && (line[column] !== '#' || column <= indent)) break;
    const isBlank = column < 0;
    if (isBlank && !keepsBreaks) continue;
    moved += isBlank ? '' : `${' '.repeat(indent)}${line.slice(column)}${style.lineBreak}`;
    end = nextLine(text, position);
  }
  return { end, text: moved };
}

/** Whether a value, printed in block style, ends with a literal block. */
export function endsInLiteral(value: Json): boolean {
  return lastLeaf(value).includes('\n');
}

/** The string that a printed value ends with, or ''. */
function lastLeaf(value: Json): string {
  let current: Json | undefined = value;
  while (typeof current === 'object' && current !== null) {
    current = isJsonArray(current) ? current.at(-1) : orderedEntries(current).at(-1)?.[1];
  }
  return typeof current === 'string' ? current : '';
}
