import type { Json } from '../json.ts';
import type { Side } from './mergeContext.ts';
import type { MergeResult } from './mergeResult.ts';
import type { MergeSchema } from './mergeSchema.ts';
import { mergeThreeWay } from './threeWay.ts';

/** Who wins where: one side everywhere, or one side for each printed conflict path. */
export type Choices = Side | ReadonlyMap<string, Side>;

/**
 * Merges again with some or all conflicts decided. A text's other edits still merge by line: only the
 * lines in conflict are the chosen side's.
 *
 * @returns the conflicts that are left; what was taken from live is among `applied`
 */
export function takeSide(
  base: Json,
  mine: Json,
  live: Json,
  schema: MergeSchema,
  choices: Choices,
): MergeResult {
  const choose = (path: string): Side | undefined =>
    typeof choices === 'string' ? choices : choices.get(path);
  return mergeThreeWay(base, mine, live, schema, { choose });
}

/**
 * Base as if live's values at these conflicts had been there from the start: merged with it, mine stands
 * there, and all else merges as before.
 *
 * @param paths printed paths of conflicts that are decided for mine
 */
export function settleBase(
  base: Json,
  mine: Json,
  live: Json,
  schema: MergeSchema,
  paths: ReadonlySet<string>,
): Json {
  const choose = (path: string): Side | undefined => (paths.has(path) ? 'live' : undefined);
  return mergeThreeWay(base, mine, live, schema, { choose, ground: 'base' }).value;
}

/**
 * Mine with live's values at these conflicts; nothing else of live comes in.
 *
 * @param paths printed paths of conflicts that are decided for live
 */
export function takeLiveInto(
  base: Json,
  mine: Json,
  live: Json,
  schema: MergeSchema,
  paths: ReadonlySet<string>,
): Json {
  const choose = (path: string): Side | undefined => (paths.has(path) ? 'live' : undefined);
  return mergeThreeWay(base, mine, live, schema, { choose, ground: 'mine' }).value;
}
