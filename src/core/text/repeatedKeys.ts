import type { TextNode } from './yamlTree.ts';

/**
 * The innermost mapping in which a key stands twice and whose own mappings have no such key; undefined where
 * there is none.
 *
 * @param done nodes not to look into
 */
export function findRepeating(node: TextNode, done: ReadonlySet<TextNode>): TextNode | undefined {
  if (done.has(node)) return undefined;
  if (node.kind === 'list') return firstOf(node.items, done);
  if (node.kind !== 'map') return undefined;
  const inner = firstOf(node.entries, done);
  if (inner !== undefined) return inner;
  const keys = node.entries.flatMap(({ key, isMerge }) => (isMerge ? [] : [key]));
  return new Set(keys).size < keys.length ? node : undefined;
}

function firstOf(
  children: readonly { readonly node: TextNode }[],
  done: ReadonlySet<TextNode>,
): TextNode | undefined {
  for (const { node } of children) {
    const found = findRepeating(node, done);
    if (found !== undefined) return found;
  }
  return undefined;
}
