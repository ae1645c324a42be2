import type { Json } from '../json.ts';
import { diffLines } from '../merge/lineDiff.ts';
import { blockBody } from './contentEnd.ts';
import { nextLine } from './lines.ts';
import type { PlanContext, Slot } from './planContext.ts';
import { absorbFollowing, replacePrinted, replaceValue } from './replaceValue.ts';
import { type LiteralBlock, printQuoted, toLiteral } from './writeScalar.ts';
import type { ScalarNode } from './yamlTree.ts';

/** Makes a scalar read as another one, in its own quotes or block style where that is safe. */
export function planScalar(context: PlanContext, slot: Slot, node: ScalarNode, target: Json): void {
  if (typeof target === 'string' && node.tag === undefined && slot.kind !== 'root') {
    if (node.style === 'single' || node.style === 'double') {
      const breaks = target.includes('\n');
      if (!breaks || slot.flow !== undefined || (node.style === 'double' && node.source.includes('\n'))) {
        context.edits.replace(node.start, node.end, printQuoted(target, node.style), node);
        return;
      }
    }
    if (node.block !== undefined && planBlockScalar(context, slot, node, target)) return;
  }
  replaceValue(context, slot, target);
}

/** @returns false where the string cannot be a literal block */
function planBlockScalar(context: PlanContext, slot: Slot, node: ScalarNode, target: string): boolean {
  const { text, edits, style } = context;
  if (node.block === undefined || (style.quotesTrailingBreaks && target.endsWith('\n\n'))) return false;
  const step = node.block.indent - slot.indent;
  const block = step < 1 ? undefined : toLiteral(target, step);
  if (block === undefined) return false;
  const header = keepDigit(text.slice(node.start, node.block.headerEnd), block.header, step);
  const oldHeader = text.slice(node.start, node.block.headerEnd);
  const margin = ' '.repeat(node.block.indent);
  const print = (line: string): string => (line === '' ? style.lineBreak : margin + line + style.lineBreak);
  const isSameKind = node.style === 'literal' && oldHeader.includes('+') === header.includes('+');
  const body = blockBody(text, node);
  if (!isSameKind || body.end <= body.start) {
    const printed = { head: ` ${header}`, body: block.lines.map(print).join('') };
    replacePrinted(context, slot, printed, target);
    return true;
  }
  edits.replace(node.start, node.block.headerEnd, header, node);
  planLines(context, node, block, print);
  if (node.source.endsWith('\n\n') || !target.endsWith('\n\n')) return true;
  const at = nextLine(text, body.end);
  const following = absorbFollowing(context, at, slot.indent, target);
  edits.replace(at, following.end, following.text, node);
  return true;
}

/** Replaces only the lines that differ in content, whatever spaces the blank ones have. */
function planLines(
  { text, edits }: PlanContext,
  node: ScalarNode,
  { lines }: LiteralBlock,
  print: (line: string) => string,
): void {
  const before = node.source.split('\n');
  if (node.source.endsWith('\n')) before.pop();
  let line = 0;
  let offset = blockBody(text, node).start;
  const seek = (index: number): number => {
    for (; line < index; line += 1) offset = nextLine(text, offset);
    return offset;
  };
  for (const hunk of diffLines(before, lines)) {
    const start = seek(hunk.start);
    const end = seek(hunk.end);
    edits.replace(start, end, lines.slice(hunk.newStart, hunk.newEnd).map(print).join(''), node);
  }
}

/** An indentation digit that the author wrote stays. */
function keepDigit(oldHeader: string, header: string, step: number): string {
  if (!/\d/.test(oldHeader) || /\d/.test(header)) return header;
  return `${header.charAt(0)}${step}${header.slice(1)}`;
}
