import { type Json, printJson } from '../core/json.ts';
import { type FieldPath, printFieldPath } from '../core/merge/fieldPath.ts';
import type { Blame } from '../core/merge/mergeResult.ts';
import { printAge } from './relativeTime.ts';

/** Longest value shown inside a line, in UTF-16 units. */
const maxValueLength = 40;

/** How many paths a message names before it counts the rest. */
const maxPaths = 4;

/** A value inside a line of text: shortened, one line, never empty. Absent: `nothing`. */
export function shortValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' && isPlain(value) ? value : printJson(value);
  return shorten(text, maxValueLength);
}

/** Cuts a text to `length` UTF-16 units, the last of them `…`. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** Breaks a line at its spaces so that none is longer than `length` UTF-16 units, where words allow. */
export function foldWords(line: string, length: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const joined = current === '' ? word : `${current} ${word}`;
    if (joined.length <= length || current === '') current = joined;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}

/** `kubectl-edit, 12 s ago`; undefined where nobody is known. */
export function describeBlame(by: Blame | undefined, nowMs: number): string | undefined {
  if (by === undefined) return undefined;
  const manager = by.manager === '' ? 'an unnamed client' : by.manager;
  const age = printAge(by.time, nowMs);
  return age === undefined ? manager : `${manager}, ${age}`;
}

/** Who made these changes and when the newest was: `kubectl-edit, 12 s ago`, `kubectl and hpa, 3 s ago`. */
export function describeAuthors(
  changes: readonly { readonly by?: Blame }[],
  nowMs: number,
): string | undefined {
  const managers = [...new Set(changes.map(({ by }) => by?.manager).filter((name) => name !== undefined))];
  if (managers.length === 0) return undefined;
  const age = printAge(newestTime(changes), nowMs);
  const names = joinNames(managers.map((name) => (name === '' ? 'an unnamed client' : name)));
  return age === undefined ? names : `${names}, ${age}`;
}

/** The changes, the newest first; those of nobody on record last. */
export function byNewest<Change extends { readonly by?: Blame }>(changes: readonly Change[]): Change[] {
  const timeOf = ({ by }: Change): number => (by?.time === undefined ? 0 : Date.parse(by.time));
  return [...changes].sort((left, right) => timeOf(right) - timeOf(left));
}

/** The newest time among the changes' authors, RFC 3339. */
export function newestTime(changes: readonly { readonly by?: Blame }[]): string | undefined {
  let newest: string | undefined;
  for (const { by } of changes) {
    if (by?.time === undefined) continue;
    if (newest === undefined || Date.parse(by.time) > Date.parse(newest)) newest = by.time;
  }
  return newest;
}

/** `spec.replicas, metadata.labels.tier and 3 more`. */
export function listPaths(changes: readonly { readonly path: FieldPath }[]): string {
  const paths = changes.map(({ path }) => printFieldPath(path));
  if (paths.length <= maxPaths) return joinNames(paths);
  return `${paths.slice(0, maxPaths).join(', ')} and ${paths.length - maxPaths} more`;
}

/** `1 field`, `3 fields`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Strings that a reader would take for something else, or would not see, are quoted. */
function isPlain(text: string): boolean {
  if (text === '' || text !== text.trim() || /[\p{Cc}\u2028\u2029]/u.test(text)) return false;
  return !/^([-+.\d][-+.\deE]*|true|false|null|yes|no|on|off|~)$/i.test(text);
}
