import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../json.ts';
import { mergedValues } from './mergeKeys.ts';
import { type PlanContext, touchesAnchors } from './planContext.ts';
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
  if (merges.some((entry) => touchesAnchors(context, entry.node))) return undefined;
  const merged = new Map<string, Json>();
  for (const { node: source } of merges) {
    for (const value of mergedValues(source) ?? []) {
      if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) merged.set(key, member);
    }
  }
  for (const key of merged.keys()) if (!Object.hasOwn(target, key)) return undefined;
  const lastMerge = node.entries.findLastIndex(({ isMerge }) => isMerge);
  const isOverridden = node.entries.some(
    ({ key, isMerge }, index) => !isMerge && index < lastMerge && merged.has(key),
  );
  if (isOverridden) return undefined;
  const written = new Set(node.entries.filter(({ isMerge }) => !isMerge).map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(target).filter(([key, value]) => written.has(key) || !jsonEqual(merged.get(key), value)),
  );
}
