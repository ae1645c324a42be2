import { isJsonObject, type Json, type JsonArray, type JsonObject, memberAt, withMember } from '../json.ts';
import { isEqual } from './equality.ts';
import type { FieldPath } from './fieldPath.ts';
import {
  type ItemGroup,
  idOfToken,
  type ItemList,
  itemToken,
  type KeyedListRule,
  readItems,
} from './listItems.ts';
import type { MergeContext, Triple } from './mergeContext.ts';
import type { MergeParts, MergeValue } from './mergeMaps.ts';
import type { ListRule, MergeSchema } from './mergeSchema.ts';
import { mergeWhole } from './mergeWhole.ts';
import { mergeOrder, movedTokens } from './order.ts';
import { findRenames } from './renames.ts';

interface Lists {
  readonly base: JsonArray;
  readonly mine: JsonArray;
  readonly live: JsonArray;
}

const namedRule: KeyedListRule = { kind: 'map', keys: ['name'], defaults: {} };
const namedNote = 'merged by name: no schema says how this list merges';

/**
 * Merges three lists by the identity of their elements.
 *
 * @returns undefined where the lists must merge as one value
 */
export function mergeLists(
  lists: Lists,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonArray | undefined {
  const rule = schema.list;
  if (rule.kind === 'map' || rule.kind === 'set') {
    return mergeKeyedLists(lists, rule, schema, path, context, parts);
  }
  if (rule.kind === 'atomic' || rule.mergesByName !== true) return undefined;
  if (!Object.values(lists).every(hasUniqueNames)) return undefined;
  const whole: MergeValue = (...args) => mergeWhole(...args, isEqual, namedNote);
  return mergeKeyedLists(lists, namedRule, schema, path, context, { field: whole, entry: whole });
}

function hasUniqueNames(list: JsonArray): boolean {
  const names = list.map((item) => (isJsonObject(item) ? memberAt(item, 'name') : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function mergeKeyedLists(
  lists: Lists,
  rule: KeyedListRule,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonArray | undefined {
  const base = readItems(lists.base, rule);
  const mine = readItems(lists.mine, rule);
  const live = readItems(lists.live, rule);
  if (base === undefined || mine === undefined || live === undefined) return undefined;

  const merged = new Map<string, Json>();
  const versions = { base, mine, live };
  const renamed = rule.kind === 'map' ? mergeRenamed(versions, rule, schema, path, context, parts) : [];
  const done = new Set<string>();
  for (const { ids, kept } of renamed) {
    for (const id of ids) done.add(id);
    kept.items.forEach((item, index) => merged.set(itemToken(kept.id, index), item));
  }
  const ids = new Set([...base.groups.keys(), ...mine.groups.keys(), ...live.groups.keys()]);
  for (const id of ids) {
    if (done.has(id)) continue;
    const groups = { base: base.groups.get(id), mine: mine.groups.get(id), live: live.groups.get(id) };
    const segment = (groups.mine ?? groups.live ?? groups.base)?.segment;
    if (segment === undefined) continue;
    const items = mergeGroup(groups, schema, [...path, segment], context, parts);
    items.forEach((item, index) => merged.set(itemToken(id, index), item));
  }
  if (isReordered(base, live) && isReordered(mine, live)) {
    context.take(path, lists, 'order');
  }
  const kept = new Set(merged.keys());
  const order =
    context.ground === 'merged'
      ? mergeOrder(base.tokens, mine.tokens, live.tokens, kept)
      : mergeOrder([], live.tokens, versions[context.ground].tokens, kept);
  return keepGroupOrder(order).map((token) => merged.get(token) ?? null);
}

/** Elements of one key swap no places: order tells them apart, and the merge has taken them from one side. */
function keepGroupOrder(tokens: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return tokens.map((token) => {
    const id = idOfToken(token);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return itemToken(id, count);
  });
}

interface ItemLists {
  readonly base: ItemList;
  readonly mine: ItemList;
  readonly live: ItemList;
}

interface RenamedItem {
  /** The groups that this settles. */
  readonly ids: readonly string[];
  readonly kept: { readonly id: string; readonly items: readonly Json[] };
}

/** Settles elements whose key one side edited while the other changed, renamed or removed them too. */
function mergeRenamed(
  { base, mine, live }: ItemLists,
  rule: Extract<ListRule, { kind: 'map' }>,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): readonly RenamedItem[] {
  const items = schema.items();
  const byMine = findRenames(base, mine, rule, items);
  const byLive = findRenames(base, live, rule, items);
  const settled: RenamedItem[] = [];
  for (const id of new Set([...byMine.keys(), ...byLive.keys()])) {
    const ids = { base: id, mine: byMine.get(id) ?? id, live: byLive.get(id) ?? id };
    const values = {
      base: asValue(base.groups.get(id)),
      mine: asValue(mine.groups.get(ids.mine)),
      live: asValue(live.groups.get(ids.live)),
    };
    if (ids.mine === ids.live) {
      const segment = mine.groups.get(ids.mine)?.segment;
      if (segment === undefined) continue;
      const item = parts.field(values, items, [...path, segment], context);
      settled.push({
        ids: [id, ids.mine],
        kept: { id: context.keep(ids), items: item === undefined ? [] : [item] },
      });
      continue;
    }
    const isTaken = live.groups.has(ids.mine) || mine.groups.has(ids.live);
    const isOneSided =
      (ids.live === id && isEqual(values.base, values.live, items)) ||
      (ids.mine === id && isEqual(values.base, values.mine, items));
    const segment = base.groups.get(id)?.segment;
    if (segment === undefined || isOneSided || isTaken) continue;
    const side = context.clash([...path, segment], values, { note: 'its key was edited' });
    const kept = { base, mine, live }[side].groups.get(ids[side]);
    settled.push({
      ids: [id, ids.mine, ids.live],
      kept: { id: ids[side], items: kept?.items ?? [] },
    });
  }
  return settled;
}

type Groups = Readonly<Record<'base' | 'mine' | 'live', ItemGroup | undefined>>;

/** Merges the elements of one key: one by its fields, several as one value. */
function mergeGroup(
  groups: Groups,
  schema: MergeSchema,
  path: FieldPath,
  context: MergeContext,
  parts: MergeParts,
): JsonArray {
  const values = { base: asValue(groups.base), mine: asValue(groups.mine), live: asValue(groups.live) };
  if (Object.values(groups).every((group) => group === undefined || group.items.length === 1)) {
    const item = parts.entry(values, schema.items(), path, context);
    if (item === undefined) return [];
    const isPartOfAddition = values.base === undefined && context.ground === 'base';
    return [isPartOfAddition ? withKeys(item, values, schema.list) : item];
  }
  const items = { base: groups.base?.items, mine: groups.mine?.items, live: groups.live?.items };
  if (isEqual(items.mine, items.live, schema) || isEqual(items.base, items.live, schema)) {
    return context.keep(items) ?? [];
  }
  if (isEqual(items.base, items.mine, schema)) {
    context.take(path, values);
    return context.ground === 'merged' ? (items.live ?? []) : (items[context.ground] ?? []);
  }
  return items[context.clash(path, values, { note: 'its key occurs more than once' })] ?? [];
}

/** A part of an added element is nothing without the keys that both sides gave it. */
function withKeys(item: Json, { mine, live }: Pick<Triple, 'mine' | 'live'>, rule: ListRule): Json {
  if (rule.kind !== 'map' || !isJsonObject(item)) return item;
  return rule.keys.reduce<JsonObject>((keyed, key) => {
    const value = memberAt(mine, key) === undefined ? undefined : memberAt(live, key);
    return value === undefined ? keyed : withMember(keyed, key, value);
  }, item);
}

/** A group's only element, or all its elements where the key is duplicated. */
function asValue(group: ItemGroup | undefined): Json | undefined {
  return group?.items.length === 1 ? group.items[0] : group?.items;
}

function isReordered(before: ItemList, after: ItemList): boolean {
  return movedTokens(before.tokens, after.tokens).size > 0;
}
