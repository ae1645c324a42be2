import type { Json, JsonObject } from '../json.ts';

/** What every object begins with; the rest follows in kubectl's order. */
const leading = ['apiVersion', 'kind', 'metadata'];

/** Members of a whole object in the order to print. */
export function orderedRootEntries(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object).sort(([left], [right]) => compareRootKeys(left, right));
}

/** Members of any other mapping in the order to print. */
export function orderedEntries(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object).sort(([left], [right]) => compareKeys(left, right));
}

/** {@link compareKeys} with `apiVersion`, `kind` and `metadata` in front. */
export function compareRootKeys(left: string, right: string): number {
  const [leftRank, rightRank] = [leading.indexOf(left), leading.indexOf(right)];
  if (leftRank >= 0 && rightRank >= 0) return leftRank - rightRank;
  if (leftRank >= 0 || rightRank >= 0) return leftRank >= 0 ? -1 : 1;
  return compareKeys(left, right);
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/**
 * kubectl's order of keys: signs before letters, runs of digits by their number.
 * Source: go.yaml.in/yaml/v2 `keyList.Less`.
 */
export function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  const [a, b] = [Array.from(left), Array.from(right)];
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a[index] === b[index]) index += 1;
  const [x, y] = [a[index], b[index]];
  if (x === undefined || y === undefined) return a.length - b.length;
  const [isLetter, isOtherLetter] = [letter.test(x), letter.test(y)];
  if (isLetter !== isOtherLetter) return isLetter ? 1 : -1;
  const byCode = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  if (isLetter) return byCode;
  // Behind a digit other than zero, a zero continues a number: it does not lead one.
  const isInsideNumber = (x === '0' || y === '0') && /[1-9]\d*$/.test(a.slice(0, index).join(''));
  const [run, otherRun] = [digitsAt(a, index), digitsAt(b, index)];
  const offset = isInsideNumber ? '1' : '0';
  const difference = Number(offset + run) - Number(offset + otherRun);
  return difference || run.length - otherRun.length || byCode;
}

function digitsAt(characters: readonly string[], start: number): string {
  let end = start;
  while (digit.test(characters[end] ?? '')) end += 1;
  return characters.slice(start, end).join('');
}
