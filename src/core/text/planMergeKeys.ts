import { defineMembers, type JsonObject, jsonEqual } from '../json.ts';
import { expandEntries } from './mergeKeys.ts';
import { type PlanContext, plannedValue } from './planContext.ts';
import type { MapNode } from './yamlTree.ts';

/**
 * For a mapping with merge keys: the members that must be written out for it to read as `target`.
 * Those that the merge keys bring in are left out.
 *
 * @returns `target` itself for a mapping without merge keys; undefined where only writing everything out
 *   will do: a merged member must go, or an entry above the merge key would be overridden
 */
export function planMergeKeys(
  context: PlanContext,
  node: MapNode,
  target: JsonObject,
): JsonObject | undefined {
  const merges = node.entries.filter(({ isMerge }) => isMerge);
  if (merges.length === 0) return target;
  const merged = expandEntries(merges, (source) => plannedValue(context, source));
  if (merged === undefined) return undefined;
  for (const key of merged.keys()) if (!Object.hasOwn(target, key)) return undefined;
  const lastMerge = node.entries.findLastIndex(({ isMerge }) => isMerge);
  const isOverridden = node.entries.some(
    ({ key, isMerge }, index) => !isMerge && index < lastMerge && merged.has(key),
  );
  if (isOverridden) return undefined;
  const written = new Set(node.entries.filter(({ isMerge }) => !isMerge).map(({ key }) => key));
  return defineMembers(
    Object.entries(target).filter(([key, value]) => written.has(key) || !jsonEqual(merged.get(key), value)),
  );
}
