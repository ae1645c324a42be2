import { isJsonArray, isJsonObject, type Json, jsonEqual } from '../json.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { isSameQuantity } from './quantity.ts';

/**
 * Deep equality as the schema sees it: quantities by value, a bigint like the same number,
 * members in any order, lists in order. `undefined` is an absent field and equals itself only.
 */
export function isEqual(left: Json | undefined, right: Json | undefined, schema: MergeSchema): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  if (isJsonArray(left)) {
    if (!isJsonArray(right) || left.length !== right.length) return false;
    const items = schema.items();
    return left.every((item, index) => isEqual(item, right[index], items));
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return false;
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key], schema.member(key)))
    );
  }
  return jsonEqual(left, right) || (schema.scalar === 'quantity' && isSameQuantity(left, right));
}
