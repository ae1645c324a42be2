import type { Json } from '../json.ts';
import { diffLines } from '../merge/lineDiff.ts';
import { blockBody } from './contentEnd.ts';
import { refold } from './foldedText.ts';
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
    if (node.style === 'folded' && planFolded(context, node, target)) return;
    if (node.block !== undefined && planBlockScalar(context, slot, node, target)) return;
  }
  replaceValue(context, slot, target);
}

/** @returns false where the string is better written as a literal block */
function planFolded({ text, edits, style }: PlanContext, node: ScalarNode, target: string): boolean {
  const breaks = /\n*$/.exec(target)?.[0].length ?? 0;
  const body = blockBody(text, node);
  const header = text.slice(node.start, node.block?.headerEnd);
  if (breaks > 1 || header.includes('+') || body.end <= body.start) return false;
  const lines = text.slice(body.start, body.end).split(/\r?\n/);
  const contents = lines.map((line) => line.slice(body.indent));
  const fresh = refold(contents, node.source, target);
  if (fresh === undefined) return false;
  const margin = ' '.repeat(body.indent);
  const printed = fresh.map((line, index) =>
    line === contents[index] ? (lines[index] ?? '') : line === '' ? '' : margin + line,
  );
  edits.replace(body.start, body.end, printed.join(style.lineBreak), node);
  const chomped = header.replace('-', '') + (breaks === 0 ? '-' : '');
  if (header.includes('-') !== (breaks === 0)) {
    edits.replace(node.start, node.block?.headerEnd ?? node.start, chomped, node);
  }
  return true;
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
