import { itemEnd } from './contentEnd.ts';
import { LineCounter, lineStart, nextLine, startsLine } from './lines.ts';
import type { TextFix, TextProblem } from './textProblem.ts';
import type { MapEntry } from './yamlTree.ts';

export interface DuplicateGroup {
  /** All entries of the mapping. */
  readonly entries: readonly MapEntry[];
  /** Those with the same key, two or more, in the order of the text. */
  readonly group: readonly MapEntry[];
}

/** More of them say nothing new. */
const maxGroups = 25;

/** Marks every entry whose key stands more than once in its mapping (issue case C10). */
export function duplicateKeyProblems(text: string, all: readonly DuplicateGroup[]): TextProblem[] {
  const groups = all.slice(0, maxGroups);
  const counter = new LineCounter(text);
  const starts = groups.flatMap(({ group }) => group.map(({ start }) => start)).sort((a, b) => a - b);
  const lines = new Map(starts.map((start) => [start, counter.lineOf(start)]));
  return groups.flatMap(({ entries, group }) => {
    const [first] = group;
    return group.map((entry): TextProblem => {
      const other = entry === first ? group[1] : first;
      const line = lines.get(other?.start ?? 0) ?? 1;
      return {
        severity: 'error',
        range: { start: entry.keyNode.start, end: entry.keyNode.end },
        code: 'duplicateKey',
        message: `The key ${entry.key} is also set in line ${line}. Only one of them can be sent.`,
        fixes: [removeFix(text, entries, entry)],
      };
    });
  });
}

function removeFix(text: string, entries: readonly MapEntry[], entry: MapEntry): TextFix {
  const { start, end } = removalRange(text, entries, entry);
  return { title: 'Remove duplicate key', edits: [{ offset: start, length: end - start, newText: '' }] };
}

function removalRange(
  text: string,
  entries: readonly MapEntry[],
  entry: MapEntry,
): { start: number; end: number } {
  const end = itemEnd(text, entry);
  const next = entries[entries.indexOf(entry) + 1];
  const previous = entries[entries.indexOf(entry) - 1];
  const ownsLines =
    startsLine(text, entry.start) && (next === undefined || next.start >= nextLine(text, end));
  if (ownsLines && (previous === undefined || startsLine(text, previous.start) || next !== undefined)) {
    return { start: lineStart(text, entry.start), end: nextLine(text, end) };
  }
  if (next !== undefined) return { start: entry.start, end: next.start };
  return { start: previous === undefined ? entry.start : itemEnd(text, previous), end };
}
