import {
  isJsonArray,
  isJsonObject,
  type Json,
  jsonEqual,
  type JsonObject,
  memberAt,
  parseJson,
} from '../json.ts';
import { byNewest, childOf, ownsPath, readEntries, toBlame } from './blame.ts';
import type { FieldPath, PathSegment } from './fieldPath.ts';
import type { Blame } from './mergeResult.ts';
import { valueAt } from './valueAt.ts';

/**
 * All managers that own a field or something inside it, the latest first.
 *
 * @param managedFields `metadata.managedFields`, raw
 * @param value the object that `path` leads through
 * @param path may name list elements by index, as a text does
 */
export function findFieldOwners(
  managedFields: Json | undefined,
  value: Json,
  path: FieldPath,
): readonly Blame[] {
  const entries = readEntries(managedFields);
  const named = nameItems(entries, value, path);
  return entries
    .filter((entry) => ownsPath(entry, named))
    .sort(byNewest)
    .map(toBlame);
}

/** Puts the names that the entries have for list elements, by their keys or value, in place of their index. */
function nameItems(entries: readonly JsonObject[], value: Json, path: FieldPath): FieldPath {
  let fields = entries.map((entry) => memberAt(entry, 'fieldsV1')).filter((set) => set !== undefined);
  let at: Json | undefined = value;
  return path.map((segment) => {
    const named: PathSegment =
      segment.kind === 'index' && isJsonArray(at)
        ? (nameItem(fields, at, segment.index) ?? segment)
        : segment;
    at = valueAt(at, [segment]);
    fields = fields
      .map((set) => (isJsonObject(set) ? childOf(set, named) : undefined))
      .filter((set) => set !== undefined);
    return named;
  });
}

function nameItem(fields: readonly Json[], list: readonly Json[], index: number): PathSegment | undefined {
  const item = list[index];
  if (item === undefined) return undefined;
  const names = fields.flatMap((set) => (isJsonObject(set) ? Object.keys(set).flatMap(readItemName) : []));
  const exact = names.find((name) => matches(name, item, false));
  if (exact !== undefined) return exact;
  return names.find(
    (name) => matches(name, item, true) && !list.some((other) => matches(name, other, false)),
  );
}

function readItemName(key: string): PathSegment[] {
  try {
    if (key.startsWith('v:')) return [{ kind: 'value', value: parseJson(key.slice(2)) }];
    const keys = key.startsWith('k:') ? parseJson(key.slice(2)) : undefined;
    return isJsonObject(keys) ? [{ kind: 'element', keys }] : [];
  } catch {
    return [];
  }
}

/** @param mayOmit a key that the element leaves out may be a default, where another key fits */
function matches(name: PathSegment, item: Json, mayOmit: boolean): boolean {
  if (name.kind === 'value') return jsonEqual(name.value, item);
  if (name.kind !== 'element' || !isJsonObject(item)) return false;
  const keys = Object.entries(name.keys);
  return (
    keys.some(([key]) => Object.hasOwn(item, key)) &&
    keys.every(([key, value]) => (Object.hasOwn(item, key) ? jsonEqual(item[key], value) : mayOmit))
  );
}
