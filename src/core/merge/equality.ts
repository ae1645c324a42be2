import { isJsonArray, isJsonObject, type Json, jsonEqual, memberAt } from '../json.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { isSameQuantity } from './quantity.ts';

/**
 * Deep equality as the schema sees it: quantities by value, a bigint like the same number, members in any
 * order, lists in order; where {@link isNothing} says so, null like an empty mapping or list. `undefined` is
 * an absent value and equals itself only.
 */
export function isEqual(left: Json | undefined, right: Json | undefined, schema: MergeSchema): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  if (isJsonArray(left) && isJsonArray(right)) {
    if (left.length !== right.length) return false;
    const items = schema.items();
    return left.every((item, index) => isEqual(item, right[index], items));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const isSame = schema.isOpen === true ? isEqual : isSameField;
    const isSameMember = (key: string): boolean =>
      isSame(memberAt(left, key), memberAt(right, key), schema.member(key));
    return (
      Object.keys(left).every(isSameMember) &&
      Object.keys(right).every((key) => Object.hasOwn(left, key) || isSameMember(key))
    );
  }
  if (isNothing(left, schema) && isNothing(right, schema)) return true;
  return jsonEqual(left, right) || (schema.scalar === 'quantity' && isSameQuantity(left, right));
}

/** Equality of a type's field, which may be absent where it could as well be empty. */
export function isSameField(left: Json | undefined, right: Json | undefined, schema: MergeSchema): boolean {
  return isEqual(left, right, schema) || (isNothing(left, schema) && isNothing(right, schema));
}

/**
 * True for an absent, null or empty mapping of any keys, or list with identities: the server takes them for
 * the same.
 */
export function isNothing(value: Json | undefined, schema: MergeSchema): boolean {
  if (schema.isOpen === true)
    return isBlank(value) || (isJsonObject(value) && Object.keys(value).length === 0);
  if (schema.list.kind !== 'map' && schema.list.kind !== 'set') return false;
  return isBlank(value) || (isJsonArray(value) && value.length === 0);
}

function isBlank(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}
