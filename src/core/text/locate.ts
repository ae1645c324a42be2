import { isJsonArray, isJsonObject, type Json, jsonEqual } from '../json.ts';
import type { FieldPath, PathSegment } from '../merge/fieldPath.ts';
import { isSecret } from '../resource/editableObject.ts';
import { contentEnd } from './contentEnd.ts';
import { parseTree } from './parseTree.ts';
import type { TextRange } from './textEdit.ts';
import type { ListNode, MapNode, TextNode, YamlTree } from './yamlTree.ts';

/** Where a field stands in a text. */
export interface FieldLocation {
  /** The member's key; absent for list elements and the root. */
  readonly key?: TextRange;
  /** The value; empty behind the colon where there is none. */
  readonly value: TextRange;
  /** False where the field is absent, or comes in by an alias or a merge key: this is the nearest around it. */
  readonly isExact: boolean;
  /** How many of the path's segments were found. */
  readonly depth: number;
}

/**
 * Finds a field of the first document. A value of a Secret's `data` is found under `stringData` too, which is
 * where a text may write it.
 *
 * @param source a text, or the tree of one that was read already
 * @returns undefined for a text that is empty or whose syntax is broken
 */
export function locateField(source: string | YamlTree, path: FieldPath): FieldLocation | undefined {
  const tree = toTree(source);
  const root = tree && rootOf(tree);
  if (tree === undefined || root === undefined) return undefined;
  const found = locateIn(tree, root, path);
  const [section, ...rest] = path;
  const isValue = section?.kind === 'member' && section.key === 'data' && rest.length > 0;
  if (!isValue || !isJsonObject(root.value) || !isSecret(root.value)) return found;
  // Where a key stands in both, `stringData` is what counts.
  const decoded = locateIn(tree, root, [{ kind: 'member', key: 'stringData' }, ...rest]);
  return decoded.isExact || decoded.depth > found.depth ? decoded : found;
}

function locateIn(tree: YamlTree, root: TextNode, path: FieldPath): FieldLocation {
  let [node, key, depth]: [TextNode, TextRange | undefined, number] = [root, undefined, 0];
  for (const segment of path) {
    const step = takeStep(node, segment);
    if (step === undefined) break;
    ({ node, key } = step);
    depth += step.isInherited ? 0 : 1;
    if (step.isInherited) break;
  }
  const value = { start: node.start, end: Math.max(node.start, contentEnd(tree.text, node)) };
  return { ...(key === undefined ? {} : { key }), value, isExact: depth === path.length, depth };
}

/**
 * The innermost field whose key or value holds the offset: for hovers. List elements are named by index.
 *
 * @returns `[]` outside of every field, undefined where {@link locateField} finds nothing either
 */
export function fieldAt(source: string | YamlTree, offset: number): FieldPath | undefined {
  const tree = toTree(source);
  const root = tree && rootOf(tree);
  if (tree === undefined || root === undefined) return undefined;
  const path: PathSegment[] = [];
  let node: TextNode | undefined = root;
  while (node !== undefined) {
    const step: { segment: PathSegment; node: TextNode } | undefined = childAt(tree.text, node, offset);
    if (step !== undefined) path.push(step.segment);
    node = step?.node;
  }
  return path;
}

/** The root of the first document that holds something. */
export function rootOf(tree: YamlTree): TextNode | undefined {
  return tree.documents.find(({ root }) => root.value !== null)?.root;
}

export function toTree(source: string | YamlTree): YamlTree | undefined {
  return typeof source === 'string' ? parseTree(source).tree : source;
}

interface Step {
  readonly node: TextNode;
  readonly key: TextRange | undefined;
  /** The field is there by a merge key, which is where it was found. */
  readonly isInherited: boolean;
}

function takeStep(node: TextNode, segment: PathSegment): Step | undefined {
  if (node.kind === 'map') return segment.kind === 'member' ? takeMember(node, segment.key) : undefined;
  if (node.kind !== 'list' || segment.kind === 'member') return undefined;
  const index = findElement(node.value, segment);
  const item = index === undefined ? undefined : node.items[index];
  return item && { node: item.node, key: undefined, isInherited: false };
}

function takeMember(node: MapNode, key: string): Step | undefined {
  const entry = node.entries.findLast((candidate) => candidate.key === key && !candidate.isMerge);
  const isMerged = entry === undefined && isJsonObject(node.value) && Object.hasOwn(node.value, key);
  const found = entry ?? (isMerged ? node.entries.find(({ isMerge }) => isMerge) : undefined);
  if (found === undefined) return undefined;
  const { start, end } = found.keyNode;
  return { node: found.node, key: { start, end }, isInherited: entry === undefined };
}

/**
 * The index of the element that a path segment names. A key that the element does not write out counts as
 * met where the rest names one element: it may be a default.
 */
export function findElement(list: Json, segment: PathSegment): number | undefined {
  if (!isJsonArray(list)) return undefined;
  switch (segment.kind) {
    case 'index':
      return segment.index < list.length ? segment.index : undefined;
    case 'value':
      return indexWhere(list, (item) => jsonEqual(item, segment.value));
    case 'element': {
      const keys = Object.entries(segment.keys);
      const matches = (item: Json, mayLack: boolean): boolean =>
        isJsonObject(item) &&
        keys.some(([key]) => Object.hasOwn(item, key)) &&
        keys.every(([key, value]) => (Object.hasOwn(item, key) ? jsonEqual(item[key], value) : mayLack));
      return (
        indexWhere(list, (item) => matches(item, false)) ?? indexWhere(list, (item) => matches(item, true))
      );
    }
    case 'member':
      return undefined;
  }
}

function indexWhere(list: readonly Json[], matches: (item: Json) => boolean): number | undefined {
  const index = list.findIndex(matches);
  return index < 0 ? undefined : index;
}

function childAt(
  text: string,
  node: TextNode,
  offset: number,
): { readonly segment: PathSegment; readonly node: TextNode } | undefined {
  const holds = (start: number, child: TextNode): boolean =>
    offset >= start && offset <= Math.max(start, contentEnd(text, child));
  if (node.kind === 'map') {
    const entry = node.entries.find((candidate) => holds(candidate.start, candidate.node));
    if (entry === undefined || entry.isMerge) return undefined;
    return { segment: { kind: 'member', key: entry.key }, node: entry.node };
  }
  return node.kind === 'list' ? elementAt(node, holds) : undefined;
}

function elementAt(
  node: ListNode,
  holds: (start: number, child: TextNode) => boolean,
): { readonly segment: PathSegment; readonly node: TextNode } | undefined {
  const index = node.items.findIndex((item) => holds(item.start, item.node));
  const item = node.items[index];
  return item && { segment: { kind: 'index', index }, node: item.node };
}
