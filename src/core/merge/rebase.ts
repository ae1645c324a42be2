import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { mergeThreeWay } from './threeWay.ts';

/** Does to `onto` what was done from base to mine; where `onto` differs from base too, mine stands. */
export function rebase(
  base: JsonObject,
  mine: JsonObject,
  onto: JsonObject,
  schema: MergeSchema,
): JsonObject {
  const { value } = mergeThreeWay(base, mine, onto, schema, { choose: () => 'mine' });
  return isJsonObject(value) ? value : mine;
}
