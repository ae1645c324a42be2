import type { FieldCause } from '../errors.ts';
import { isJsonObject, type Json } from '../json.ts';
import { valueAt } from '../merge/valueAt.ts';
import { type FieldLocation, locateField, rootOf, toTree } from './locate.ts';
import { badTimeOf, causesFromMessage, foundValueOf } from './serverMessage.ts';
import { type FoundValue, resolveServerPath } from './serverPath.ts';
import { lineEnd } from './lines.ts';
import type { TextRange } from './textEdit.ts';
import type { TextProblem } from './textProblem.ts';
import type { TextNode, YamlTree } from './yamlTree.ts';

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
    const root = tree && rootOf(tree);
    const badTime = badTimeOf(message);
    const node = root && badTime !== undefined ? findOnly(root, badTime) : undefined;
    if (node !== undefined) {
      const words = `"${badTime ?? ''}" is not a time such as 2024-01-02T03:04:05Z.`;
      return [problemAt({ start: node.start, end: node.end }, words, 'FieldValueInvalid')];
    }
    return messages.map((words) => problemAt({ start: 0, end: lineEnd(text, 0) }, words, 'rejected'));
  }
  const found = foundValueOf(message);
  return derived.map((cause) => {
    const place = tree && placeOf(tree, cause, cause.reason === 'FieldValueTypeInvalid' ? found : undefined);
    const words = place?.isExact === true ? cause.message : `${cause.field}: ${cause.message}`;
    return problemAt(place?.range ?? { start: 0, end: lineEnd(text, 0) }, words, cause.reason ?? 'rejected');
  });
}

interface Place {
  readonly range: TextRange;
  readonly isExact: boolean;
}

function placeOf(tree: YamlTree, cause: FieldCause, found: FoundValue | undefined): Place | undefined {
  const root = rootOf(tree);
  if (root === undefined) return undefined;
  const { path, isExact } = resolveServerPath(root.value, cause.field, found);
  const key = isExact ? badKeyOf(valueAt(root.value, path), cause.message) : undefined;
  const location = locateField(tree, key === undefined ? path : [...path, { kind: 'member', key }]);
  if (location === undefined) return undefined;
  if (path.length === 0)
    return { range: { start: root.start, end: lineEnd(tree.text, root.start) }, isExact };
  if (key !== undefined && location.key !== undefined) return { range: location.key, isExact: true };
  return { range: chooseRange(tree, location, cause, isExact), isExact: isExact && location.isExact };
}

/** Servers name a mapping and quote the key of it that they refuse, as in labels. */
function badKeyOf(value: Json | undefined, message: string): string | undefined {
  const quoted = /^Invalid value: ("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  if (quoted === undefined || !isJsonObject(value)) return undefined;
  return Object.keys(value).find((key) => JSON.stringify(key) === quoted);
}

/** Where a scalar stands that reads as this string and is the only one to do so. */
function findOnly(node: TextNode, wanted: string): TextNode | undefined {
  const found: TextNode[] = [];
  const visit = (current: TextNode): void => {
    if (current.kind === 'scalar' && current.value === wanted) found.push(current);
    if (current.kind === 'map') for (const entry of current.entries) visit(entry.node);
    if (current.kind === 'list') for (const item of current.items) visit(item.node);
  };
  visit(node);
  return found.length === 1 ? found[0] : undefined;
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

function problemAt(range: TextRange, message: string, code: string): TextProblem {
  return { severity: 'error', range, code, message, fixes: [] };
}
