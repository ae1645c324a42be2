import type { FieldCause } from '../errors.ts';
import { type FieldLocation, locateField, rootOf, toTree } from './locate.ts';
import { causesFromMessage, foundTypeOf } from './serverMessage.ts';
import { resolveServerPath } from './serverPath.ts';
import { lineEnd } from './lines.ts';
import type { TextRange } from './textEdit.ts';
import type { TextProblem } from './textProblem.ts';
import type { YamlTree } from './yamlTree.ts';

/**
 * Puts what a server refused at its place in the text: at the value, at the key of an unknown field, at the
 * nearest parent of an absent one, else at the first line (issue cases G1, G4).
 *
 * @param source the text that was sent, or its tree
 * @param message the whole answer's; shown where nothing names a field
 * @returns at least one problem
 */
export function causeProblems(
  source: string | YamlTree,
  causes: readonly FieldCause[],
  message: string,
): readonly TextProblem[] {
  const tree = toTree(source);
  const text = typeof source === 'string' ? source : source.text;
  const named = causes.filter(({ field }) => field !== '');
  const derived = named.length > 0 ? named : causesFromMessage(message);
  if (derived.length === 0) {
    const messages = causes.length > 0 ? causes.map((cause) => cause.message) : [message];
    return messages.map((words) => problemAt({ start: 0, end: lineEnd(text, 0) }, words, 'rejected'));
  }
  const found = named.length > 0 ? undefined : foundTypeOf(message);
  return derived.map((cause) => {
    const range = tree && rangeOf(tree, cause, cause.reason === 'FieldUnknown' ? undefined : found);
    const words = range?.isExact === true ? cause.message : `${cause.field}: ${cause.message}`;
    return problemAt(range?.range ?? { start: 0, end: lineEnd(text, 0) }, words, cause.reason ?? 'rejected');
  });
}

function rangeOf(
  tree: YamlTree,
  cause: FieldCause,
  found: ReturnType<typeof foundTypeOf>,
): { readonly range: TextRange; readonly isExact: boolean } | undefined {
  const root = rootOf(tree);
  if (root === undefined) return undefined;
  const { path, isExact } = resolveServerPath(root.value, cause.field, found);
  const location = locateField(tree, path);
  if (location === undefined) return undefined;
  const range = path.length === 0 ? firstLine(tree, root.start) : chooseRange(tree, location, cause, isExact);
  return { range, isExact: isExact && location.isExact };
}

/** A field that is there is marked at its value where that is on one line; a parent at its key. */
function chooseRange(
  tree: YamlTree,
  { key, value }: FieldLocation,
  cause: FieldCause,
  isExact: boolean,
): TextRange {
  const isShort = value.end > value.start && !tree.text.slice(value.start, value.end).includes('\n');
  if (isExact && isShort && cause.reason !== 'FieldUnknown') return value;
  return key ?? { start: value.start, end: Math.min(value.end, lineEnd(tree.text, value.start)) };
}

function firstLine(tree: YamlTree, start: number): TextRange {
  return { start, end: lineEnd(tree.text, start) };
}

function problemAt(range: TextRange, message: string, code: string): TextProblem {
  return { severity: 'error', range, code, message, fixes: [] };
}
