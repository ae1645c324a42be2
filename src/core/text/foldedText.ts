import { diffLines } from '../merge/lineDiff.ts';

/**
 * Rewrites the lines of a folded block scalar (`>`) for another text, so that the author's line breaks stay
 * where the words around them do.
 *
 * @param lines the block's lines without indentation and trailing blank ones
 * @param before what they read as
 * @returns the new lines; undefined where the block holds indented lines, or the text could not be folded
 */
export function refold(
  lines: readonly string[],
  before: string,
  after: string,
): readonly string[] | undefined {
  const [old, fresh] = [split(before), split(after)];
  const blocks = splitBlocks(lines);
  if (old === undefined || fresh === undefined || blocks.length !== old.paragraphs.length) return undefined;
  if (!blocks.every((block, index) => block.replaceAll('\n', ' ') === old.paragraphs[index]))
    return undefined;
  const result: string[] = [];
  let [oldAt, newAt] = [0, 0];
  const keep = (end: number): void => {
    for (; oldAt < end; oldAt += 1, newAt += 1) result.push(blocks[oldAt] ?? '');
  };
  for (const hunk of diffLines(old.paragraphs, fresh.paragraphs)) {
    keep(hunk.start);
    for (; newAt < hunk.newEnd; newAt += 1) {
      const paragraph = fresh.paragraphs[newAt] ?? '';
      const block = oldAt < hunk.end ? blocks[oldAt++] : undefined;
      result.push(block === undefined ? paragraph : reword(block, paragraph));
    }
    oldAt = hunk.end;
  }
  keep(blocks.length);
  return result.flatMap((block, index) => {
    const blanks = Array.from({ length: fresh.breaks[index] ?? 0 }, () => '');
    return [...block.split('\n'), ...blanks];
  });
}

interface Paragraphs {
  readonly paragraphs: readonly string[];
  /** Line breaks behind each paragraph but the last. */
  readonly breaks: readonly number[];
}

/** @returns undefined for texts of which not every paragraph begins and ends with a word */
function split(text: string): Paragraphs | undefined {
  const parts = text.replace(/\n+$/, '').split(/(\n+)/);
  const paragraphs = parts.filter((_part, index) => index % 2 === 0);
  if (!paragraphs.every((paragraph) => /^[^\s](?:.*[^\s])?$/.test(paragraph))) return undefined;
  return { paragraphs, breaks: parts.filter((_part, index) => index % 2 === 1).map((part) => part.length) };
}

function splitBlocks(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => (/^\s*$/.test(line) ? '' : line))
    .join('\n')
    .split(/\n\n+/);
}

/** Line breaks of the old lines stay in what both texts begin and end with. */
function reword(block: string, paragraph: string): string {
  const shorter = Math.min(block.length, paragraph.length);
  const plain = block.replaceAll('\n', ' ');
  let head = 0;
  while (head < shorter && plain[head] === paragraph[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && plain.at(-1 - tail) === paragraph.at(-1 - tail)) tail += 1;
  const text =
    block.slice(0, head) + paragraph.slice(head, paragraph.length - tail) + block.slice(block.length - tail);
  return /^\s|\s$|\s\n|\n\s/.test(text) ? paragraph : text;
}
