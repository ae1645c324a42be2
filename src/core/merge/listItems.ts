import { isJsonObject, type Json, type JsonArray, memberAt, printJson } from '../json.ts';
import type { PathSegment } from './fieldPath.ts';
import type { ListRule } from './mergeSchema.ts';

/** The elements of one list that share an identity; more than one where the key is duplicated. */
export interface ItemGroup {
  readonly segment: PathSegment;
  /** In the list's order; never empty. */
  readonly items: readonly Json[];
}

/** A list read by the identity of its elements. */
export interface ItemList {
  readonly groups: ReadonlyMap<string, ItemGroup>;
  /** One token an element, in the list's order: the group's id, and which of the group it is. */
  readonly tokens: readonly string[];
}

export type KeyedListRule = Extract<ListRule, { kind: 'map' | 'set' }>;

/**
 * Groups a list's elements by identity: list-map-keys with their defaults, or the value in a set.
 *
 * @returns undefined where an element of a map list is no mapping: then the list has no identities
 */
export function readItems(list: JsonArray, rule: KeyedListRule): ItemList | undefined {
  const groups = new Map<string, { segment: PathSegment; items: Json[] }>();
  const tokens: string[] = [];
  for (const item of list) {
    const segment = rule.kind === 'set' ? valueSegment(item) : elementSegment(item, rule);
    if (segment === undefined) return undefined;
    const id = segmentId(segment);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { segment, items: [item] });
    else group.items.push(item);
    tokens.push(itemToken(id, (group?.items.length ?? 1) - 1));
  }
  return { groups, tokens };
}

/** Names the element of a group that a token stands for. */
export function itemToken(id: string, index: number): string {
  return `${String(index)} ${id}`;
}

/** The id of the group that a token's element belongs to. */
export function idOfToken(token: string): string {
  return token.slice(token.indexOf(' ') + 1);
}

function valueSegment(value: Json): PathSegment {
  return { kind: 'value', value };
}

/** The path segment of an element of a map list; undefined where it is no mapping. */
export function elementSegment(
  item: Json,
  rule: Extract<ListRule, { kind: 'map' }>,
): PathSegment | undefined {
  if (!isJsonObject(item)) return undefined;
  const keys = rule.keys.flatMap((key): [string, Json][] => {
    const value = memberAt(item, key) ?? memberAt(rule.defaults, key);
    return value === undefined ? [] : [[key, value]];
  });
  return { kind: 'element', keys: Object.fromEntries(keys) };
}

function segmentId(segment: PathSegment): string {
  if (segment.kind === 'value') return canonical(segment.value);
  return segment.kind === 'element' ? canonical(segment.keys) : '';
}

/** JSON text that is equal for equal values: members sorted. */
function canonical(value: Json): string {
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
    return `{${members.join(',')}}`;
  }
  return Array.isArray(value) ? `[${(value as JsonArray).map(canonical).join(',')}]` : printJson(value);
}
