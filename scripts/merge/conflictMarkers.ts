import { diffLines, splitLines } from '../../src/core/merge/lineDiff.ts';

interface Region {
  readonly start: number;
  end: number;
}

/**
 * Puts conflict markers, with base in the middle, around all lines in which three texts differ.
 *
 * @param base, mine, live one text with base's, mine's and live's values at the conflicts
 */
export function markConflicts(base: string, mine: string, live: string): string {
  const lines = { base: splitLines(base), mine: splitLines(mine), live: splitLines(live) };
  const hunks = { mine: diffLines(lines.base, lines.mine), live: diffLines(lines.base, lines.live) };
  const regions: Region[] = [];
  for (const { start, end } of [...hunks.mine, ...hunks.live].sort(
    (left, right) => left.start - right.start,
  )) {
    const last = regions.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end });
  }

  const lineBreak = base.includes('\r\n') ? '\r\n' : '\n';
  const shift = { mine: 0, live: 0 };
  let result = '';
  let position = 0;
  for (const { start, end } of regions) {
    const sideLines = (side: 'mine' | 'live'): string => {
      const from = start + shift[side];
      for (const hunk of hunks[side]) {
        if (hunk.start >= start && hunk.end <= end)
          shift[side] += hunk.newEnd - hunk.newStart - (hunk.end - hunk.start);
      }
      return ended(lines[side].slice(from, end + shift[side]).join(''), lineBreak);
    };
    const before = ended(lines.base.slice(start, end).join(''), lineBreak);
    const [ours, theirs] = [sideLines('mine'), sideLines('live')];
    result += lines.base.slice(position, start).join('');
    result += `<<<<<<< mine${lineBreak}${ours}||||||| base${lineBreak}${before}`;
    result += `=======${lineBreak}${theirs}>>>>>>> live${lineBreak}`;
    position = end;
  }
  return result + lines.base.slice(position).join('');
}

/** Markers stand on lines of their own, also behind a text without a line break at its end. */
function ended(text: string, lineBreak: string): string {
  return text === '' || text.endsWith('\n') ? text : text + lineBreak;
}
