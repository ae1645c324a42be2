import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  parseJson,
} from '../../src/core/json.ts';
import type { PathSegment } from '../../src/core/merge/fieldPath.ts';
import { parseFieldPath } from '../../src/core/merge/parseFieldPath.ts';
import { readDocument } from '../../src/core/text/readYaml.ts';

/** One entry of test/data/merge/cases; see the README there. */
export interface MergeCase {
  readonly title: string;
  /** The file of cases, without its extension. */
  readonly subject: string;
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
  readonly merged: JsonObject;
  /** By path: the sides that matter; an absent side is undefined. */
  readonly conflicts: ReadonlyMap<string, Readonly<Record<string, Json | undefined>>>;
  readonly applied?: readonly string[];
  readonly openApi?: JsonObject;
  readonly hasNamedLists: boolean;
}

interface CaseText {
  readonly title: string;
  readonly object: string;
  readonly openApi?: string;
  readonly mine: Edits;
  readonly live: Edits;
  readonly merged?: Edits;
  readonly conflicts?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly applied?: readonly string[];
  readonly namedLists?: boolean;
}

/** Printed field path → value; see test/data/merge/cases/README.md. */
export type Edits = Readonly<Record<string, Json>>;

const folder = join(import.meta.dirname, '../data/merge');

/** All cases, in the order of their files. */
export function readMergeCases(): readonly MergeCase[] {
  return readdirSync(join(folder, 'cases'))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => {
      const texts = parse(readFileSync(join(folder, 'cases', file), 'utf8')) as readonly CaseText[];
      return texts.map((text) => readCase(text, basename(file, '.yaml')));
    });
}

/** The objects of test/data/merge/objects, by name. */
export function readMergeObjects(): readonly (readonly [name: string, object: JsonObject])[] {
  return readdirSync(join(folder, 'objects'))
    .sort()
    .map((file) => basename(file, '.yaml'))
    .map((name) => [name, readMergeObject(name)] as const);
}

/** An object of test/data/merge/objects. */
export function readMergeObject(name: string): JsonObject {
  const read = readDocument(readFileSync(join(folder, 'objects', `${name}.yaml`), 'utf8'));
  if (read.kind === 'invalid')
    throw new Error(`${name}: ${read.problems.map(({ message }) => message).join()}`);
  return read.value;
}

/** An OpenAPI document of test/data/merge. */
export function readMergeOpenApi(name: string): JsonObject {
  const document = parseJson(readFileSync(join(folder, `${name}.openapi.json`), 'utf8'));
  if (!isJsonObject(document)) throw new Error(`${name} is no document`);
  return document;
}

function readCase(text: CaseText, subject: string): MergeCase {
  const base = readMergeObject(text.object);
  const conflicts = Object.entries(text.conflicts ?? {}).map(
    ([path, sides]) =>
      [
        path,
        Object.fromEntries(
          Object.entries(sides).map(([side, value]) => [side, value === '(absent)' ? undefined : value]),
        ),
      ] as const,
  );
  return {
    title: text.title,
    subject,
    base,
    mine: applyFieldEdits(base, text.mine),
    live: applyFieldEdits(base, text.live),
    merged: applyFieldEdits(base, text.merged ?? {}),
    conflicts: new Map(conflicts),
    ...(text.applied && { applied: text.applied }),
    ...(text.openApi !== undefined && { openApi: readMergeOpenApi(text.openApi) }),
    hasNamedLists: text.namedLists === true,
  };
}

/** Applies edits as test/data/merge/cases/README.md describes them; `object` is not changed. */
export function applyFieldEdits(object: JsonObject, edits: Edits): JsonObject {
  let edited: Json = object;
  for (const [target, value] of Object.entries(edits)) {
    const [printed = '', at] = target.split(/@(?=\d+$)/);
    const path = parseFieldPath(printed);
    if (path === undefined) throw new Error(`not a field path: ${target}`);
    edited = editAt(edited, path, value, at === undefined ? undefined : Number(at));
  }
  if (!isJsonObject(edited)) throw new Error('no object is left');
  return edited;
}

function editAt(
  parent: Json | undefined,
  [segment, ...rest]: readonly PathSegment[],
  value: Json,
  at: number | undefined,
): Json {
  if (segment === undefined) throw new Error('an edit of nothing');
  if (segment.kind === 'member') {
    const members = new Map(Object.entries(isJsonObject(parent) ? parent : {}));
    const { key } = segment;
    if (rest.length > 0) members.set(key, editAt(members.get(key), rest, value, at));
    else if (value === '(removed)') members.delete(key);
    else members.set(key, value);
    return Object.fromEntries(members);
  }
  const items = isJsonArray(parent) ? [...parent] : [];
  const index = items.findIndex((item) => isNamed(item, segment));
  const [item] = index < 0 ? [] : items.splice(index, 1);
  if (rest.length > 0) {
    if (item === undefined) throw new Error(`no element ${JSON.stringify(segment)}`);
    items.splice(index, 0, editAt(item, rest, value, at));
  } else if (value === '(moved)') {
    if (item === undefined) throw new Error(`no element ${JSON.stringify(segment)}`);
    items.splice(at ?? items.length, 0, item);
  } else if (value !== '(removed)') {
    items.splice(at ?? (index < 0 ? items.length : index), 0, value);
  }
  return items;
}

function isNamed(item: Json, segment: PathSegment): boolean {
  if (segment.kind === 'value') return item === segment.value;
  return (
    segment.kind === 'element' &&
    Object.entries(segment.keys).every(([key, value]) => memberAt(item, key) === value)
  );
}
