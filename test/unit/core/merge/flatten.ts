import { isJsonArray, isJsonObject, type Json, printJson } from '../../../../src/core/json.ts';
import { type FieldPath, type PathSegment, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import type { MergeSchema } from '../../../../src/core/merge/mergeSchema.ts';

/**
 * An object as a table from printed paths to leaf values: what the merge laws are told by, without the
 * engine's own recursion. Lists that have an identity are sets of paths; their order is left out.
 */
export function flatten(
  value: Json,
  schema: MergeSchema,
  path: FieldPath = [],
  table: Map<string, Json> = new Map<string, Json>(),
): Map<string, Json> {
  if (isJsonObject(value) && schema.map.kind !== 'atomic') {
    if (schema.isOpen !== true) table.set(printFieldPath(path), 'mapping');
    for (const [key, member] of Object.entries(value)) {
      flatten(member, schema.member(key), [...path, { kind: 'member', key }], table);
    }
    return table;
  }
  const { list } = schema;
  if (value === null && (schema.isOpen === true || list.kind === 'map' || list.kind === 'set')) return table;
  if (isJsonArray(value) && (list.kind === 'map' || list.kind === 'set')) {
    const segments = value.map((item): PathSegment | undefined => {
      if (list.kind === 'set') return { kind: 'value', value: item };
      if (!isJsonObject(item)) return undefined;
      const keys = list.keys.map((key) => [key, item[key] ?? list.defaults[key]] as const);
      return {
        kind: 'element',
        keys: Object.fromEntries(keys.flatMap(([key, at]) => (at === undefined ? [] : [[key, at]]))),
      };
    });
    if (segments.every((segment) => segment !== undefined)) {
      const groups = new Map<string, Json[]>();
      value.forEach((item, index) => {
        const printed = printFieldPath([...path, segments[index] ?? { kind: 'index', index }]);
        groups.set(printed, [...(groups.get(printed) ?? []), item]);
      });
      value.forEach((item, index) => {
        const at = [...path, segments[index] ?? { kind: 'index', index }] as const;
        const group = groups.get(printFieldPath(at)) ?? [];
        if (group.length > 1) table.set(printFieldPath(at), group);
        else flatten(item, schema.items(), at, table);
      });
      return table;
    }
  }
  table.set(printFieldPath(path), value);
  return table;
}

/** The value in the table, as text for messages. */
export function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : printJson(value);
}
