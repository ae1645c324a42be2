import type { Json } from '../json.ts';
import { type isEqual, isSameField } from './equality.ts';
import type { FieldPath } from './fieldPath.ts';
import { type LinePiece, mergeLines } from './lineMerge.ts';
import type { MergeContext, Triple } from './mergeContext.ts';
import type { MergeSchema } from './mergeSchema.ts';

/**
 * Merges a value that has no parts to merge by, but for the lines of a text.
 *
 * @param isSame equality of two sides
 * @param note goes with what is listed
 */
export function mergeWhole(
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  isSame: typeof isEqual = isSameField,
  note?: string,
): Json | undefined {
  const { base, mine, live } = values;
  if (isSame(mine, live, schema) || isSame(base, live, schema)) return context.keep(values);
  if (isSame(base, mine, schema)) return context.take(path, values, note);
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
  const isOneLine = !values.base.includes('\n');
  const side = lines.length === 0 ? 'mine' : context.clash(path, values, isOneLine ? {} : { lines });
  if (side === 'base') return values.base;
  const text = pieces
    .map((piece) => (piece.kind === 'conflict' ? piece[side] : mergedText(piece, context)))
    .join('');
  // Where mine's lines win, live's other edits of the text still come in.
  if (side === 'mine' && context.ground === 'merged' && text !== values.mine) {
    context.take(path, values, 'merged by line');
  }
  return text;
}

function mergedText(piece: Extract<LinePiece, { kind: 'merged' }>, { ground }: MergeContext): string {
  return ground === 'merged' ? piece.text : piece[ground];
}
