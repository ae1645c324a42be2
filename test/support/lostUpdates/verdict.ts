import {
  defineMembers,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  memberAt,
  printJson,
  withMember,
} from '../../../src/core/json.ts';
import type { MergeSchema } from '../../../src/core/merge/mergeSchema.ts';
import { lastAppliedAnnotation } from '../../../src/core/resource/editableObject.ts';
import { isSameQuantity } from '../../../src/core/merge/quantity.ts';

/**
 * How a save ended. `lost`: someone's change is not there, and nobody was told. `corrupted`: the object holds
 * what neither writer wrote. `refused`: nothing was written although nothing needed deciding.
 */
export type Verdict = 'right' | 'refused' | 'lost' | 'corrupted';

/** What an object holds of what its writers decide. */
export function contentOf(object: JsonObject): JsonObject {
  const metadata = memberAt(object, 'metadata') as JsonObject;
  const annotations = memberAt(metadata, 'annotations');
  const kept = isJsonObject(annotations)
    ? defineMembers(Object.entries(annotations).filter(([key]) => key !== lastAppliedAnnotation))
    : {};
  const isKept = (key: string): boolean => !serverOwned.includes(key);
  const rest = defineMembers(Object.entries(metadata).filter(([key]) => isKept(key)));
  const isEmpty = Object.keys(kept).length === 0;
  return withMember(object, 'metadata', withMember(rest, 'annotations', isEmpty ? undefined : kept));
}

const serverOwned = ['resourceVersion', 'uid', 'generation', 'managedFields', 'creationTimestamp'];

/** Equality by value; lists with an identity in any order, unless order counts. */
export function isSameContent(
  left: JsonObject,
  right: JsonObject,
  schema: MergeSchema,
  isOrdered: boolean,
): boolean {
  const plain = (object: JsonObject): Json => normalise(contentOf(object), schema, isOrdered);
  return jsonEqual(plain(left), plain(right));
}

function normalise(value: Json, schema: MergeSchema, isOrdered: boolean): Json {
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort();
    return defineMembers(
      members.map((key) => [key, normalise(value[key] ?? null, schema.member(key), isOrdered)]),
    );
  }
  if (!isJsonArray(value)) return value;
  const items = value.map((item) => normalise(item, schema.items(), isOrdered));
  const isKeyed = schema.list.kind === 'map' || schema.list.kind === 'set';
  return isKeyed && !isOrdered
    ? items.toSorted((one, other) => (printJson(one) < printJson(other) ? -1 : 1))
    : items;
}

/** What the writers of a scenario had, and what is there now. */
export interface Outcome {
  readonly actual: JsonObject;
  /** What is right; where a person must decide, what either choice would give. */
  readonly expected: JsonObject;
  readonly writers: readonly JsonObject[];
  readonly schema: MergeSchema;
}

/** Tells apart what is wrong with an object: a value that no writer ever had is a corruption. */
export function judgeWrong({ actual, expected, writers, schema }: Outcome): 'lost' | 'corrupted' {
  const [now, wanted, ...had] = [actual, expected, ...writers].map((object) =>
    leavesOf(contentOf(object), schema),
  );
  for (const path of new Set([...(now?.keys() ?? []), ...(wanted?.keys() ?? [])])) {
    const value = now?.get(path);
    const isSame = (other: Json | undefined): boolean => isSameLeaf(value, other);
    if (!isSame(wanted?.get(path)) && !had.some((leaves) => isSame(leaves.get(path)))) return 'corrupted';
  }
  return 'lost';
}

function isSameLeaf(left: Json | undefined, right: Json | undefined): boolean {
  return jsonEqual(left, right) || (left !== undefined && right !== undefined && isSameQuantity(left, right));
}

/** Leaf values by path; elements of keyed lists by their keys, other lists as one value. */
function leavesOf(root: Json, rootSchema: MergeSchema): ReadonlyMap<string, Json> {
  const leaves = new Map<string, Json>();
  const visit = (value: Json, schema: MergeSchema, path: string): void => {
    const { list } = schema;
    if (isJsonObject(value) && schema.map.kind !== 'atomic') {
      for (const [key, member] of Object.entries(value)) visit(member, schema.member(key), `${path}.${key}`);
    } else if (isJsonArray(value) && list.kind === 'map') {
      const counts = new Map<string, number>();
      for (const item of value) {
        const keys = printJson(list.keys.map((key) => memberAt(item, key) ?? list.defaults[key] ?? null));
        const count = counts.get(keys) ?? 0;
        counts.set(keys, count + 1);
        visit(item, schema.items(), `${path}${keys}#${String(count)}`);
      }
    } else if (isJsonArray(value) && list.kind === 'set') {
      for (const item of value) leaves.set(`${path}=${printJson(item)}`, item);
    } else {
      leaves.set(path, value);
    }
  };
  visit(root, rootSchema, '');
  return leaves;
}
