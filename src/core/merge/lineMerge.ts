import { diffLines, type Hunk, splitLines } from './lineDiff.ts';
import type { ConflictLines } from './mergeResult.ts';

/** A run of lines that merged, or one that both sides changed differently. */
export type LinePiece =
  | { readonly kind: 'merged'; readonly text: string; readonly base: string; readonly mine: string }
  | {
      readonly kind: 'conflict';
      readonly base: string;
      readonly mine: string;
      readonly live: string;
      readonly lines: ConflictLines;
    };

interface SidedHunk extends Hunk {
  readonly side: 'mine' | 'live';
}

/** Hunks that belong together, and the base lines `[start, end)` that they cover. */
interface Region {
  readonly start: number;
  end: number;
  readonly hunks: SidedHunk[];
}

/**
 * Merges two edits of one text line by line; line ends and the last line's end are kept as they are.
 *
 * Edits of different lines merge, of neighbouring lines too where each line was replaced by one line.
 * Two insertions at one place, or an insertion beside lines that were removed, are a conflict unless equal.
 */
export function mergeLines(base: string, mine: string, live: string): readonly LinePiece[] {
  const lines = { base: splitLines(base), mine: splitLines(mine), live: splitLines(live) };
  const hunks = [
    ...diffLines(lines.base, lines.mine).map((hunk): SidedHunk => ({ ...hunk, side: 'mine' })),
    ...diffLines(lines.base, lines.live).map((hunk): SidedHunk => ({ ...hunk, side: 'live' })),
  ].sort((left, right) => left.start - right.start || left.end - right.end);

  const pieces: LinePiece[] = [];
  const shift = { mine: 0, live: 0 };
  let position = 0;
  for (const region of findRegions(hunks)) {
    pieces.push(unchanged(lines.base.slice(position, region.start).join('')));
    const textOf = (side: 'mine' | 'live'): { text: string; range: readonly [number, number] } => {
      const start = region.start + shift[side];
      for (const hunk of region.hunks) {
        if (hunk.side === side) shift[side] += hunk.newEnd - hunk.newStart - (hunk.end - hunk.start);
      }
      const end = region.end + shift[side];
      return { text: lines[side].slice(start, end).join(''), range: [start + 1, end] };
    };
    const [ours, theirs] = [textOf('mine'), textOf('live')];
    const isOnly = (side: 'mine' | 'live'): boolean => region.hunks.every((hunk) => hunk.side === side);
    const before = lines.base.slice(region.start, region.end).join('');
    const isSettled = ours.text === theirs.text || isOnly('mine') || isOnly('live');
    if (isSettled) {
      const text = isOnly('live') ? theirs.text : ours.text;
      pieces.push({ kind: 'merged', text, base: before, mine: ours.text });
    } else {
      pieces.push({
        kind: 'conflict',
        base: before,
        mine: ours.text,
        live: theirs.text,
        lines: { base: [region.start + 1, region.end], mine: ours.range, live: theirs.range },
      });
    }
    position = region.end;
  }
  pieces.push(unchanged(lines.base.slice(position).join('')));
  return pieces;
}

function unchanged(text: string): LinePiece {
  return { kind: 'merged', text, base: text, mine: text };
}

function findRegions(hunks: readonly SidedHunk[]): readonly Region[] {
  const regions: Region[] = [];
  for (const hunk of hunks) {
    const last = regions.at(-1);
    if (last !== undefined && belongsTo(hunk, last)) {
      last.hunks.push(hunk);
      last.end = Math.max(last.end, hunk.end);
    } else regions.push({ start: hunk.start, end: hunk.end, hunks: [hunk] });
  }
  return regions;
}

function belongsTo(hunk: SidedHunk, region: Region): boolean {
  if (hunk.start < region.end) return true;
  return region.hunks.some(
    (other) => other.end === hunk.start && other.side !== hunk.side && isUnclearBeside(other, hunk),
  );
}

/** True where two touching hunks could be meant in either order. */
function isUnclearBeside(first: Hunk, second: Hunk): boolean {
  const isInsertion = (hunk: Hunk): boolean => hunk.start === hunk.end;
  const isLineForLine = (hunk: Hunk): boolean => hunk.newEnd - hunk.newStart === hunk.end - hunk.start;
  if (isInsertion(first) && isInsertion(second)) return true;
  return [first, second].some((hunk) => !isInsertion(hunk) && !isLineForLine(hunk));
}
