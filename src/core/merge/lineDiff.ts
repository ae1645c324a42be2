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
 * Most edits for which the smallest diff is looked for between two anchors: the search is quadratic in it.
 * Beyond it the whole span counts as changed.
 */
const maxEdits = 600;

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
  diffSpan(before.map(toNumber), after.map(toNumber), 0, 0, true, hunks);
  return joinTouching(hunks);
}

function diffSpan(
  before: readonly number[],
  after: readonly number[],
  offset: number,
  newOffset: number,
  mayAnchor: boolean,
  hunks: Hunk[],
): void {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  if (old.length === 0 && fresh.length === 0) return;
  const start = offset + head;
  const newStart = newOffset + head;
  const whole = { start, end: start + old.length, newStart, newEnd: newStart + fresh.length };
  if (old.length === 0 || fresh.length === 0) hunks.push(whole);
  else if (!diffSmallest(old, fresh, start, newStart, hunks)) {
    if (!mayAnchor || !diffAnchored(old, fresh, start, newStart, hunks)) hunks.push(whole);
  }
}

function diffSmallest(
  before: readonly number[],
  after: readonly number[],
  offset: number,
  newOffset: number,
  hunks: Hunk[],
): boolean {
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (changes === undefined) return false;
  let [start, newStart] = [offset, newOffset];
  for (const { added, removed, count } of changes) {
    const end = start + (added ? 0 : count);
    const newEnd = newStart + (removed ? 0 : count);
    if (added || removed) hunks.push({ start, end, newStart, newEnd });
    [start, newStart] = [end, newEnd];
  }
  return true;
}

/** Splits at lines that are unique on both sides and keep their order (patience diff). */
function diffAnchored(
  before: readonly number[],
  after: readonly number[],
  offset: number,
  newOffset: number,
  hunks: Hunk[],
): boolean {
  const unique = uniquePositions(before);
  const uniqueAfter = uniquePositions(after);
  const pairs = [...unique].flatMap(([line, index]): [number, number][] => {
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
    diffSpan(
      before.slice(position, index),
      after.slice(newPosition, newIndex),
      offset + position,
      newOffset + newPosition,
      false,
      hunks,
    );
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
