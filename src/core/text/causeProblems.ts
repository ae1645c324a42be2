import type { FieldCause } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';
import { type FieldPath, printFieldPath } from '../merge/fieldPath.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { valueAt } from '../merge/valueAt.ts';
import { foldStringData } from '../resource/editableObject.ts';
import { findImmutableChanges, immutableMessage, readImmutable } from './immutableFields.ts';
import { type FieldLocation, locateField, rootOf, toTree } from './locate.ts';
import { nearestName } from './nearestName.ts';
import { planEdits } from './planEdits.ts';
import { withFieldOf } from './revertField.ts';
import { badTimeOf, causesFromMessage, foundValueOf } from './serverMessage.ts';
import { secretKeyOf, withLiveSecretValue } from './secretFields.ts';
import type { SecretSpelling } from './secretText.ts';
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
 * @param known what the server holds, and the type's fields: with them, fixes are offered where one is certain
 * @returns at least one problem
 */
export function causeProblems(
  source: string | YamlTree,
  causes: readonly FieldCause[],
  message: string,
  known?: KnownObject,
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
  return derived.flatMap((cause) => {
    const fixable = tree && known && fixableProblems(tree, cause, known);
    if (fixable !== undefined && fixable.length > 0) return fixable;
    const place = tree && placeOf(tree, cause, cause.reason === 'FieldValueTypeInvalid' ? found : undefined);
    const words = place?.isExact === true ? cause.message : `${cause.field}: ${cause.message}`;
    const { range = { start: 0, end: lineEnd(text, 0) }, extent } = place ?? {};
    return {
      ...problemAt(range, words, cause.reason ?? 'rejected'),
      ...(extent === undefined ? {} : { extent }),
    };
  });
}

/** How many fields of one cause are marked, each with its way back. */
const maxReverts = 20;

/** What is known of the object that a server refused. */
export interface KnownObject {
  /** The editable object as the server holds it. */
  readonly live: JsonObject;
  readonly schema: MergeSchema;
  /** How the text writes values of a Secret; encoded without it. */
  readonly spelling?: SecretSpelling;
}

function fixableProblems(tree: YamlTree, cause: FieldCause, known: KnownObject): readonly TextProblem[] {
  const root = rootOf(tree);
  if (root === undefined || !isJsonObject(root.value)) return [];
  if (cause.reason === 'FieldUnknown') return misspeltProblems(tree, root, cause, known);
  const immutable = readImmutable(cause);
  if (immutable === undefined) return [];
  const mine = root.value;
  const changed = findImmutableChanges(foldStringData(mine), known.live, cause, immutable, known.schema);
  return changed.slice(0, maxReverts).map((path) => {
    const target = withLiveField(mine, path, known);
    const fix = {
      title: `Revert ${printFieldPath(path)}`,
      edits: planEdits(tree.text, target, { schema: known.schema }),
    };
    const location = locateField(tree, path);
    const range = location && chooseRange(tree, location, cause, location.isExact);
    const problem = problemAt(
      range ?? { start: 0, end: lineEnd(tree.text, 0) },
      immutableMessage(path, immutable),
      'FieldImmutable',
    );
    return { ...problem, ...(location?.isExact === true ? extentOf(location) : {}), fixes: [fix] };
  });
}

/** The text's object with one field as live holds it. */
function withLiveField(mine: JsonObject, path: FieldPath, { live, spelling }: KnownObject): JsonObject {
  const key = secretKeyOf(mine, path);
  if (key !== undefined) return withLiveSecretValue(mine, live, key, spelling ?? 'encoded');
  return withFieldOf(mine, live, path) as JsonObject;
}

/** All of a field, its key included. */
function extentOf({ key, value, isExact }: FieldLocation): Pick<TextProblem, 'extent'> {
  return isExact ? { extent: { start: key?.start ?? value.start, end: value.end } } : {};
}

/** A key that is near one field of its type, and one only, that is not there yet. */
function misspeltProblems(
  tree: YamlTree,
  root: TextNode,
  cause: FieldCause,
  { schema }: KnownObject,
): readonly TextProblem[] {
  const { path, isExact } = resolveServerPath(root.value, cause.field);
  const key = path.at(-1);
  const location = isExact ? locateField(tree, path) : undefined;
  if (key?.kind !== 'member' || location?.key === undefined) return [];
  const parent = path.slice(0, -1);
  const siblings = valueAt(root.value, parent);
  const names = schemaAt(schema, parent).memberNames?.() ?? [];
  const name = nearestName(
    key.key,
    names.filter((one) => memberAt(siblings, one) === undefined),
  );
  if (name === undefined) return [];
  const { start, end } = location.key;
  const fix = { title: `Rename to ${name}`, edits: [{ offset: start, length: end - start, newText: name }] };
  const problem = problemAt(
    location.key,
    `${cause.message} Did you mean ${name}?`,
    cause.reason ?? 'rejected',
  );
  return [{ ...problem, fixes: [fix] }];
}

function schemaAt(schema: MergeSchema, path: FieldPath): MergeSchema {
  return path.reduce(
    (at, segment) => (segment.kind === 'member' ? at.member(segment.key) : at.items()),
    schema,
  );
}

interface Place {
  readonly range: TextRange;
  readonly extent?: TextRange;
  readonly isExact: boolean;
}

function placeOf(tree: YamlTree, cause: FieldCause, found: FoundValue | undefined): Place | undefined {
  const root = rootOf(tree);
  if (root === undefined) return undefined;
  const object = isJsonObject(root.value) ? foldStringData(root.value) : root.value;
  const { path, isExact } = resolveServerPath(object, cause.field, found);
  const key = isExact ? badKeyOf(valueAt(object, path), cause.message) : undefined;
  const location = locateField(tree, key === undefined ? path : [...path, { kind: 'member', key }]);
  if (location === undefined) return undefined;
  if (path.length === 0)
    return { range: { start: root.start, end: lineEnd(tree.text, root.start) }, isExact };
  if (key !== undefined && location.key !== undefined) return { range: location.key, isExact: true };
  return {
    range: chooseRange(tree, location, cause, isExact),
    ...(isExact ? extentOf(location) : {}),
    isExact: isExact && location.isExact,
  };
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
