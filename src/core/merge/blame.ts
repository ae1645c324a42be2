import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  memberAt,
  parseJson,
} from '../json.ts';
import type { FieldPath, PathSegment } from './fieldPath.ts';
import type { Blame } from './mergeResult.ts';

/**
 * Tells who set the field at `path` on live: of the managers that own it there and did not on base, or have
 * written since, the latest; else the latest owner. For a field that is gone, whose owners are gone with
 * it, the only manager that has written since.
 *
 * @param managedFieldsLive `metadata.managedFields` of live, raw
 * @param managedFieldsBase the same of base; absent where it is not known
 * Source: `fieldsV1`, structured-merge-diff's path elements `f:`, `k:`, `v:`, `i:`.
 */
export function findBlame(
  managedFieldsLive: Json | undefined,
  managedFieldsBase: Json | undefined,
  path: FieldPath,
): Blame | undefined {
  const live = readEntries(managedFieldsLive);
  const base = readEntries(managedFieldsBase);
  const isNews = (entry: JsonObject): boolean => {
    const before = base.find((other) => isSameManager(entry, other));
    if (before === undefined || timeOf(entry) > timeOf(before)) return true;
    return !ownsPath(before, path);
  };
  const owners = live.filter((entry) => ownsPath(entry, path));
  const news = owners.filter(isNews);
  const latest = findLatest(news.length > 0 ? news : owners);
  if (latest !== undefined) return toBlame(latest);
  if (managedFieldsBase === undefined) return undefined;
  const writers = live.filter((entry) => {
    const before = base.find((other) => isSameManager(entry, other));
    return before === undefined || timeOf(entry) > timeOf(before) || ownsMore(entry, before);
  });
  const [only] = writers;
  return only !== undefined && writers.length === 1 ? toBlame(only) : undefined;
}

/** `metadata.managedFields`' entries; none where it is not a list. */
export function readEntries(managedFields: Json | undefined): readonly JsonObject[] {
  return isJsonArray(managedFields) ? managedFields.filter(isJsonObject) : [];
}

function isSameManager(left: JsonObject, right: JsonObject): boolean {
  return ['manager', 'operation', 'subresource'].every((key) => left[key] === right[key]);
}

/** Milliseconds since the epoch; before all others where the entry has no time. */
function timeOf(entry: JsonObject): number {
  const time = entry['time'];
  const ms = typeof time === 'string' ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? -Infinity : ms;
}

/** Orders entries by their time, the newest first; those of one time as they stand. */
export function byNewest(left: JsonObject, right: JsonObject): number {
  const [leftMs, rightMs] = [timeOf(left), timeOf(right)];
  return leftMs === rightMs ? 0 : rightMs - leftMs;
}

function findLatest(entries: readonly JsonObject[]): JsonObject | undefined {
  let latest: JsonObject | undefined;
  for (const entry of entries) {
    if (latest === undefined || timeOf(entry) >= timeOf(latest)) latest = entry;
  }
  return latest;
}

/** Who an entry says it was. */
export function toBlame(entry: JsonObject): Blame {
  const { manager, operation, time, subresource } = entry;
  return {
    manager: typeof manager === 'string' ? manager : '',
    operation: typeof operation === 'string' ? operation : '',
    ...(typeof time === 'string' && { time }),
    ...(typeof subresource === 'string' && subresource !== '' && { subresource }),
  };
}

/** True where the entry owns the field, something inside it, or the whole that it is a part of. */
export function ownsPath(entry: JsonObject, path: FieldPath): boolean {
  let fields = memberAt(entry, 'fieldsV1');
  for (const segment of path) {
    if (!isJsonObject(fields)) return false;
    // An owned field without owned children is owned with all that it holds.
    if (fields !== memberAt(entry, 'fieldsV1') && Object.keys(fields).length === 0) return true;
    fields = childOf(fields, segment);
    if (fields === undefined) return false;
  }
  return isJsonObject(fields);
}

/** True where an entry owns fields that it did not own before. Losing fields to others is no write. */
function ownsMore(entry: JsonObject, before: JsonObject): boolean {
  const isWithin = (fields: Json | undefined, known: Json | undefined): boolean =>
    !isJsonObject(fields) ||
    (isJsonObject(known) &&
      Object.keys(fields).every((key) => Object.hasOwn(known, key) && isWithin(fields[key], known[key])));
  return !isWithin(entry['fieldsV1'], before['fieldsV1']);
}

/** What a set of fields of `fieldsV1` holds below a path's next step. */
export function childOf(fields: JsonObject, segment: PathSegment): Json | undefined {
  switch (segment.kind) {
    case 'member':
      return memberAt(fields, `f:${segment.key}`);
    case 'element':
      return findByJson(fields, 'k:', segment.keys);
    case 'value':
      return findByJson(fields, 'v:', segment.value);
    case 'index':
      return memberAt(fields, `i:${String(segment.index)}`);
  }
}

/** Finds a child whose name is this prefix and JSON text of this value, however it is spelled. */
function findByJson(fields: JsonObject, prefix: string, value: Json): Json | undefined {
  const name = Object.keys(fields).find((key) => {
    if (!key.startsWith(prefix)) return false;
    try {
      return jsonEqual(parseJson(key.slice(prefix.length)), value);
    } catch {
      return false;
    }
  });
  return name === undefined ? undefined : fields[name];
}
