import type { Json } from '../json.ts';
import type { FieldChange } from './mergeResult.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { mergeThreeWay } from './threeWay.ts';

/**
 * Lists the fields that differ, by the finest paths and by the identities that merging uses.
 * An added or removed mapping or element is one change. Equal values in another spelling are none.
 */
export function diffObjects(before: Json, after: Json, schema: MergeSchema): readonly FieldChange[] {
  return mergeThreeWay(before, before, after, schema).applied;
}
