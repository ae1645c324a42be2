import { isJsonObject, type Json } from '../json.ts';
import type { MapEntry, TextNode } from './yamlTree.ts';

/**
 * The members of a mapping, `<<` expanded. As in kubectl the order counts: what comes later wins, be it
 * merged or written out; in a list of merged mappings the first wins.
 * Source: go.yaml.in/yaml/v2 `decoder.mapping` and `merge`.
 *
 * @returns caller owns it; `<<` of anything but mappings adds nothing
 */
export function expandEntries(entries: readonly MapEntry[]): Map<string, Json> {
  const members = new Map<string, Json>();
  for (const entry of entries) {
    if (!entry.isMerge) members.set(entry.key, entry.node.value);
    else for (const source of mergedValues(entry.node) ?? []) addMembers(members, source);
  }
  return members;
}

/** What a merge key brings in, in the order to apply; undefined where kubectl refuses it. */
export function mergedValues(node: TextNode): readonly Json[] | undefined {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind === 'map') return [node.value];
  // An alias of a list of mappings is refused, a list of aliases is not.
  if (node.kind !== 'list') return undefined;
  const isMap = (item: TextNode): boolean => (item.kind === 'alias' ? item.target : item).kind === 'map';
  const items = node.items.map((item) => item.node);
  return items.every(isMap) ? items.map((item) => item.value).reverse() : undefined;
}

function addMembers(members: Map<string, Json>, source: Json): void {
  if (!isJsonObject(source)) return;
  for (const [key, value] of Object.entries(source)) members.set(key, value);
}
