import { defineMembers, type Json, type JsonObject, memberAt, printJson } from '../json.ts';
import { isEqual } from './equality.ts';
import type { FieldPath } from './fieldPath.ts';
import type { MergeContext, Triple } from './mergeContext.ts';
import type { MapRule, MergeSchema } from './mergeSchema.ts';
import { mergeOrder } from './order.ts';

export type MergeValue = (
  values: Triple,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
) => Json | undefined;

/** How `mergeMaps` and `mergeLists` merge what they hold; they know each other through this only. */
export interface MergeParts {
  /** Merges a field of a type. */
  readonly field: MergeValue;
  /** Merges what is there or not: an element of a list, or a member of a mapping of any keys. */
  readonly entry: MergeValue;
}

interface Maps {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
}

/** Merges three mappings by member, or by choice where they are a union. */
export function mergeMaps(
  maps: Maps,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonObject {
  if (schema.map.kind === 'union' && isUnionClash(maps, schema, schema.map)) {
    return mergeClashingUnion(maps, schema, schema.map, path, context, parts);
  }
  return mergeMembers(maps, schema, path, context, parts);
}

function mergeMembers(
  { base, mine, live }: Maps,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonObject {
  const mergePart = schema.isOpen === true ? parts.entry : parts.field;
  const keys = new Set([...Object.keys(mine), ...Object.keys(live), ...Object.keys(base)]);
  const merged = new Map<string, Json>();
  for (const key of keys) {
    const values = { base: memberAt(base, key), mine: memberAt(mine, key), live: memberAt(live, key) };
    const value = mergePart(values, schema.member(key), [...path, { kind: 'member', key }], context);
    if (value !== undefined) merged.set(key, value);
  }
  // Mine's order is the text's; live's new members stand beside their neighbours.
  const own = Object.keys(context.keep({ base, mine }));
  const order = mergeOrder([], Object.keys(live), own, new Set(merged.keys()));
  return defineMembers(order.map((key) => [key, merged.get(key) ?? null]));
}

type UnionRule = Extract<MapRule, { kind: 'union' }>;

/** True where one side chose another member of the union and the other changed the union too. */
function isUnionClash({ base, mine, live }: Maps, schema: MergeSchema, rule: UnionRule): boolean {
  const part = (map: JsonObject): JsonObject => unionPart(map, rule);
  const isSame = (one: JsonObject, other: JsonObject): boolean => isEqual(part(one), part(other), schema);
  if (isSame(base, mine) || isSame(base, live) || isSame(mine, live)) return false;
  return printChoice(mine, rule) !== printChoice(live, rule);
}

/** Which members are set, and the discriminator's value. */
function printChoice(map: JsonObject, rule: UnionRule): string {
  const discriminator = rule.discriminator === undefined ? undefined : memberAt(map, rule.discriminator);
  return printJson([discriminator ?? null, ...rule.members.filter((key) => Object.hasOwn(map, key))]);
}

function unionPart(map: JsonObject, rule: UnionRule): JsonObject {
  return defineMembers(Object.entries(map).filter(([key]) => isOfUnion(key, rule)));
}

function isOfUnion(key: string, rule: UnionRule): boolean {
  return key === rule.discriminator || rule.members.includes(key);
}

/** Merges what stands beside the union; the union itself is a conflict. */
function mergeClashingUnion(
  maps: Maps,
  schema: MergeSchema,
  rule: UnionRule,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonObject {
  const otherPart = (map: JsonObject): JsonObject =>
    defineMembers(Object.entries(map).filter(([key]) => !isOfUnion(key, rule)));
  const others = { base: otherPart(maps.base), mine: otherPart(maps.mine), live: otherPart(maps.live) };
  const rest = mergeMembers(others, schema, path, context, parts);
  const withUnion = (map: JsonObject): JsonObject => ({ ...rest, ...unionPart(map, rule) });
  const values = { base: withUnion(maps.base), mine: withUnion(maps.mine), live: withUnion(maps.live) };
  const used = rule.members.filter((key) =>
    [maps.base, maps.mine, maps.live].some((map) => Object.hasOwn(map, key)),
  );
  const note = `mine and live chose differently between ${[rule.discriminator, ...used].filter(Boolean).join(', ')}`;
  return values[context.clash(path, values, { note })];
}
