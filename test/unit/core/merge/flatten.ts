import { isJsonArray, isJsonObject, type Json, printJson } from '../../../../src/core/json.ts';
import { isNothing } from '../../../../src/core/merge/equality.ts';
import { type PathSegment, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import type { MergeSchema } from '../../../../src/core/merge/mergeSchema.ts';

/**
 * An object as a table from printed paths to leaf values: what the merge laws are told by, without the
 * engine's own recursion. Lists that have an identity are sets of paths; their order is left out.
 */
export function flatten(value: Json, schema: MergeSchema): ReadonlyMap<string, Json> {
  const table = new Map<string, Json>();
  addTo(table, '', value, schema);
  return table;
}

function addTo(table: Map<string, Json>, path: string, value: Json, schema: MergeSchema): void {
  const { list } = schema;
  const isKeyed = list.kind === 'map' || list.kind === 'set';
  if (isNothing(value, schema)) return;
  if (isJsonObject(value) && schema.map.kind !== 'atomic') {
    if (schema.isOpen !== true) table.set(path, 'mapping');
    for (const [key, member] of Object.entries(value)) {
      addTo(table, join(path, { kind: 'member', key }), member, schema.member(key));
    }
    return;
  }
  if (isJsonArray(value) && isKeyed && (list.kind === 'set' || value.every(isJsonObject))) {
    const groups = new Map<string, Json[]>();
    for (const item of value) {
      const at = join(path, list.kind === 'set' ? { kind: 'value', value: item } : elementOf(item, list));
      groups.set(at, [...(groups.get(at) ?? []), item]);
    }
    for (const [at, [first = null, ...more]] of groups) {
      // Elements of one key are one leaf, yet compared as the schema compares them.
      const tables = [first, ...more].map((item) =>
        Object.fromEntries(
          flatten(list.kind === 'map' ? withoutKeys(item, list.keys) : item, schema.items()),
        ),
      );
      if (more.length > 0) table.set(at, tables);
      else addTo(table, at, list.kind === 'map' ? withoutKeys(first, list.keys) : first, schema.items());
    }
    return;
  }
  table.set(path, withoutNothings(value, schema));
}

/** A leaf's mappings without what is the same as absent: empty labels in an atomic selector. */
function withoutNothings(value: Json, schema: MergeSchema): Json {
  if (isJsonArray(value)) return value.map((item) => withoutNothings(item, schema.items()));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([key, member]) => !isNothing(member, schema.member(key)));
  return Object.fromEntries(
    members.map(([key, member]) => [key, withoutNothings(member, schema.member(key))]),
  );
}

/** The path names an element's keys, defaults included: written out or not is spelling. */
function withoutKeys(item: Json, keys: readonly string[]): Json {
  if (!isJsonObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
}

function elementOf(item: Json, list: Extract<MergeSchema['list'], { kind: 'map' }>): PathSegment {
  const keys = list.keys.flatMap((key): [string, Json][] => {
    const value = (isJsonObject(item) ? item[key] : undefined) ?? list.defaults[key];
    return value === undefined ? [] : [[key, value]];
  });
  return { kind: 'element', keys: Object.fromEntries(keys) };
}

function join(path: string, segment: PathSegment): string {
  const step = printFieldPath([segment]);
  return path === '' || step.startsWith('[') ? path + step : `${path}.${step}`;
}

/** The value in the table, as text for messages. */
export function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : printJson(value);
}
