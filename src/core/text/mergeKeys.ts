import { isJsonObject, type Json } from '../json.ts';
import type { MapEntry, TextNode } from './yamlTree.ts';

/**
 * The members of a mapping, `<<` expanded. As in kubectl the order counts: what comes later wins, be it
 * merged or written out; in a list of merged mappings the first wins.
 * Source: go.yaml.in/yaml/v2 `decoder.mapping` and `merge`.
 *
 * @param valueOf what a node stands for, where that is not what it reads as
 * @returns caller owns it; undefined where `valueOf` is. `<<` of anything but mappings adds nothing.
 */
export function expandEntries(
  entries: readonly MapEntry[],
  valueOf: (node: TextNode) => Json | undefined = (node) => node.value,
): Map<string, Json> | undefined {
  const members = new Map<string, Json>();
  for (const { key, node, isMerge } of entries) {
    for (const source of isMerge ? (mergedNodes(node) ?? []) : [node]) {
      const value = valueOf(source);
      if (value === undefined) return undefined;
      if (!isMerge) members.set(key, value);
      else if (isJsonObject(value))
        for (const [name, member] of Object.entries(value)) members.set(name, member);
    }
  }
  return members;
}

/** What a merge key brings in, in the order to apply; undefined where kubectl refuses it. */
export function mergedNodes(node: TextNode): readonly TextNode[] | undefined {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind === 'map') return [node];
  // An alias of a list of mappings is refused, a list of aliases is not.
  if (node.kind !== 'list') return undefined;
  const isMap = (item: TextNode): boolean => (item.kind === 'alias' ? item.target : item).kind === 'map';
  const items = node.items.map((item) => item.node);
  return items.every(isMap) ? items.reverse() : undefined;
}
