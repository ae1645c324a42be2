import type { Json } from '../json.ts';
import { isEqual } from './equality.ts';
import { printFieldPath } from './fieldPath.ts';
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

/** A base and a mine that say by themselves what was decided. */
interface Decision {
  /** Differs where mine won: as if live's value had been there from the start. */
  readonly base: Json;
  /** Differs where live won. */
  readonly mine: Json;
}

/**
 * Decides some of the conflicts for one side, so that merging again leaves the others, and nothing else of
 * live comes in before that.
 *
 * @param paths printed paths of the conflicts
 * @returns undefined where the rest cannot be told apart from what was decided, such as in a text whose lines
 *   match in several ways: then all conflicts must be decided together
 */
export function decideConflicts(
  base: Json,
  mine: Json,
  live: Json,
  schema: MergeSchema,
  paths: ReadonlySet<string>,
  side: Side,
): Decision | undefined {
  const choose = (path: string): Side | undefined => (paths.has(path) ? 'live' : undefined);
  const ground = side === 'mine' ? 'base' : 'mine';
  const { value } = mergeThreeWay(base, mine, live, schema, { choose, ground });
  const decided = side === 'mine' ? { base: value, mine } : { base, mine: value };
  const wanted = takeSide(base, mine, live, schema, new Map([...paths].map((path) => [path, side])));
  const again = mergeThreeWay(decided.base, decided.mine, live, schema);
  const isSame = isEqual(again.value, wanted.value, schema) && printPaths(again) === printPaths(wanted);
  return isSame ? decided : undefined;
}

function printPaths({ conflicts }: MergeResult): string {
  return JSON.stringify(conflicts.map(({ path }) => printFieldPath(path)).sort());
}
