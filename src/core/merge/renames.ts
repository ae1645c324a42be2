import { isJsonArray, isJsonObject, type Json, memberAt } from '../json.ts';
import { isEqual } from './equality.ts';
import { idOfToken, type ItemList, itemToken } from './listItems.ts';
import type { ListRule, MergeSchema } from './mergeSchema.ts';

type MapListRule = Extract<ListRule, { kind: 'map' }>;

/** The least share of equal content at which an element with another key counts as renamed. */
const leastLikeness = 0.5;

/** How many new elements to the left and right are looked at, so that replaced lists cost no square. */
const reach = 8;

/** An element that only one of two lists has, and where it stands among those that both have. */
interface Loner {
  readonly id: string;
  readonly item: Json;
  /** Nearest shared tokens before and behind; undefined at the ends. */
  readonly previous: string | undefined;
  next: string | undefined;
  /** Which of the loners between the same shared tokens it is. */
  readonly ordinal: number;
}

/**
 * Finds elements whose key was edited: gone from `after`, with a new element of another key in their
 * place whose other content is mostly the same. An element without its key is refused by the server: that it
 * gets one is no rename.
 *
 * @param schema of the elements
 * @returns group id before → group id after; neither occurs twice
 */
export function findRenames(
  before: ItemList,
  after: ItemList,
  rule: MapListRule,
  schema: MergeSchema,
): ReadonlyMap<string, string> {
  const gone = findLoners(before, after).filter(({ item }) => hasKeys(item, rule));
  if (gone.length === 0) return new Map();
  const fresh = findLoners(after, before).filter(({ item }) => hasKeys(item, rule));
  const renames = new Map<string, string>();
  const used = new Set<string>();
  for (const old of gone) {
    let best: { id: string; share: number } | undefined;
    for (const candidate of fresh) {
      const isInPlace = candidate.previous === old.previous || candidate.next === old.next;
      if (!isInPlace || used.has(candidate.id) || Math.abs(candidate.ordinal - old.ordinal) > reach) continue;
      const share = likeness(old.item, candidate.item, rule.keys, schema);
      if (share >= leastLikeness && share > (best?.share ?? 0)) best = { id: candidate.id, share };
    }
    if (best !== undefined) {
      renames.set(old.id, best.id);
      used.add(best.id);
    }
  }
  return renames;
}

function hasKeys(item: Json, { keys, defaults }: MapListRule): boolean {
  return keys.every((key) => (memberAt(item, key) ?? memberAt(defaults, key)) !== undefined);
}

function findLoners(list: ItemList, other: ItemList): readonly Loner[] {
  const shared = new Set(other.tokens);
  const loners: Loner[] = [];
  let waiting: Loner[] = [];
  let previous: string | undefined;
  for (const token of list.tokens) {
    if (shared.has(token)) {
      for (const loner of waiting) loner.next = token;
      waiting = [];
      previous = token;
      continue;
    }
    const id = idOfToken(token);
    const items = list.groups.get(id)?.items ?? [];
    const [item] = items;
    if (item === undefined || items.length > 1 || token !== itemToken(id, 0) || other.groups.has(id))
      continue;
    const loner = { id, item, previous, next: undefined, ordinal: waiting.length };
    waiting.push(loner);
    loners.push(loner);
  }
  return loners;
}

/** The share of equal leaves beside the keys, 0 to 1; 0 where there are none. */
function likeness(left: Json, right: Json, keys: readonly string[], schema: MergeSchema): number {
  const count = { equal: 0, all: 0 };
  const names = new Set([...memberNames(left), ...memberNames(right)]);
  for (const name of names) {
    if (!keys.includes(name))
      countLeaves(memberAt(left, name), memberAt(right, name), schema.member(name), count);
  }
  return count.all === 0 ? 0 : count.equal / count.all;
}

function countLeaves(
  left: Json | undefined,
  right: Json | undefined,
  schema: MergeSchema,
  count: { equal: number; all: number },
): void {
  if (isContainer(left) || isContainer(right)) {
    for (const name of new Set([...memberNames(left), ...memberNames(right)])) {
      countLeaves(memberAt(left, name), memberAt(right, name), schema.member(name), count);
    }
    const [items, others] = [isJsonArray(left) ? left : [], isJsonArray(right) ? right : []];
    for (let index = 0; index < Math.max(items.length, others.length); index++) {
      countLeaves(items[index], others[index], schema.items(), count);
    }
    return;
  }
  count.all++;
  if (isEqual(left, right, schema)) count.equal++;
}

function isContainer(value: Json | undefined): boolean {
  return isJsonObject(value) || isJsonArray(value);
}

function memberNames(value: Json | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}
