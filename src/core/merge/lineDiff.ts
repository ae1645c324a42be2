import { diffArrays } from 'diff';
import { longestRising } from './order.ts';

/** Lines `[start, end)` before became lines `[newStart, newEnd)`; 0-based, one of them may be empty. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Most edits for which the smallest diff of a span is looked for: the search is quadratic in it. Spans that
 * differ more are split at unique lines, compared line by line where they are of one length, or else count
 * as changed from end to end.
 */
const maxEdits = 300;

/** Spans of more lines are split at unique lines before they are searched. */
const maxUnsplitLines = 200;

/** Splits behind each line feed; joining gives the text again, carriage returns and last line included. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Where two texts differ, in order; hunks never touch. Near-linear, also for texts of equal lines. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const numbers = new Map<string, number>();
  const toNumber = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const hunks: Hunk[] = [];
  diffSpan({ before: before.map(toNumber), after: after.map(toNumber), start: 0, newStart: 0 }, hunks);
  return joinTouching(hunks);
}

/** Runs of lines that stand for each other, as numbers, and where they begin. */
interface Span {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly start: number;
  readonly newStart: number;
}

function diffSpan(span: Span, hunks: Hunk[]): void {
  const { before, after, start, newStart } = trim(span);
  if (before.length === 0 && after.length === 0) return;
  const whole = { start, end: start + before.length, newStart, newEnd: newStart + after.length };
  if (before.length === 0 || after.length === 0) {
    hunks.push(whole);
    return;
  }
  const trimmed = { before, after, start, newStart };
  const isLong = Math.max(before.length, after.length) > maxUnsplitLines;
  if (isLong && diffAnchored(trimmed, hunks)) return;
  if (diffSmallest(trimmed, hunks)) return;
  if (before.length === after.length) diffLineByLine(trimmed, hunks);
  else hunks.push(whole);
}

/** Leaves out the lines that are equal at both ends. */
function trim({ before, after, start, newStart }: Span): Span {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return {
    before: before.slice(head, before.length - tail),
    after: after.slice(head, after.length - tail),
    start: start + head,
    newStart: newStart + head,
  };
}

function diffSmallest({ before, after, ...from }: Span, hunks: Hunk[]): boolean {
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (changes === undefined) return false;
  let { start, newStart } = from;
  for (const { added, removed, count } of changes) {
    const end = start + (added ? 0 : count);
    const newEnd = newStart + (removed ? 0 : count);
    if (added || removed) hunks.push({ start, end, newStart, newEnd });
    [start, newStart] = [end, newEnd];
  }
  return true;
}

function diffLineByLine({ before, after, start, newStart }: Span, hunks: Hunk[]): void {
  before.forEach((line, index) => {
    if (line === after[index]) return;
    const [at, newAt] = [start + index, newStart + index];
    hunks.push({ start: at, end: at + 1, newStart: newAt, newEnd: newAt + 1 });
  });
}

/** Splits at lines that are unique on both sides and keep their order (patience diff). */
function diffAnchored({ before, after, start, newStart }: Span, hunks: Hunk[]): boolean {
  const uniqueAfter = uniquePositions(after);
  const pairs = [...uniquePositions(before)].flatMap(([line, index]): [number, number][] => {
    const newIndex = uniqueAfter.get(line);
    return newIndex === undefined ? [] : [[index, newIndex]];
  });
  const anchors = longestRising(pairs.map(([, newIndex]) => newIndex)).flatMap((at) => {
    const pair = pairs[at];
    return pair === undefined ? [] : [pair];
  });
  if (anchors.length === 0) return false;
  let [position, newPosition] = [0, 0];
  for (const [index, newIndex] of [...anchors, [before.length, after.length] as const]) {
    const between = {
      before: before.slice(position, index),
      after: after.slice(newPosition, newIndex),
      start: start + position,
      newStart: newStart + newPosition,
    };
    diffSpan(between, hunks);
    [position, newPosition] = [index + 1, newIndex + 1];
  }
  return true;
}

/** The index of each line that occurs once, in order. */
function uniquePositions(lines: readonly number[]): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  lines.forEach((line, index) => positions.set(line, positions.has(line) ? -1 : index));
  return new Map([...positions].filter(([, index]) => index >= 0));
}

function joinTouching(hunks: readonly Hunk[]): readonly Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last?.end === hunk.start && last.newEnd === hunk.newStart) {
      joined[joined.length - 1] = { ...last, end: hunk.end, newEnd: hunk.newEnd };
    } else joined.push(hunk);
  }
  return joined;
}
