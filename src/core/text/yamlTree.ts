import type { Json } from '../json.ts';

/**
 * A YAML text as nodes with exact places: what the planner, the locator and the checks walk. Offsets are
 * UTF-16 units into the whole text. Nodes are never changed after the parse.
 */
export interface YamlTree {
  readonly text: string;
  /** Documents that hold something; empty ones and those of comments only are left out. */
  readonly documents: readonly YamlDocument[];
}

export interface YamlDocument {
  /** Where the document begins, its `---` included. */
  readonly start: number;
  readonly root: TextNode;
  readonly hasAliases: boolean;
}

export type TextNode = ScalarNode | AliasNode | MapNode | ListNode;
export type CollectionNode = MapNode | ListNode;

interface NodePlace {
  /** Start of the content, behind anchor and tag. */
  readonly start: number;
  /** End of the content; a block scalar's includes its last line break. */
  readonly end: number;
  /** From the first to the end of the last of anchor and tag, where there are any. */
  readonly props?: { readonly start: number; readonly end: number };
  readonly anchor?: string;
  /** Resolved, such as `tag:yaml.org,2002:str`. */
  readonly tag?: string;
  /** What the node reads as; merge keys and aliases are resolved. */
  readonly value: Json;
}

export interface ScalarNode extends NodePlace {
  readonly kind: 'scalar';
  /** `empty` is the absence of a value. */
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'empty';
  /** The characters meant, quotes and escapes resolved. */
  readonly source: string;
  /** Of block scalars: end of the header, such as `|2-`, and the spaces that are not content of its lines. */
  readonly block?: { readonly headerEnd: number; readonly indent: number };
}

export interface AliasNode extends NodePlace {
  readonly kind: 'alias';
  readonly target: TextNode;
}

export interface MapNode extends NodePlace {
  readonly kind: 'map';
  readonly isFlow: boolean;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  /** First character: `?`, the key's anchor or tag, or the key. */
  readonly start: number;
  readonly key: string;
  readonly keyNode: TextNode;
  /** A plain `<<`. */
  readonly isMerge: boolean;
  /** Just behind the `:`; undefined where there is none. */
  readonly colonEnd: number | undefined;
  readonly node: TextNode;
}

export interface ListNode extends NodePlace {
  readonly kind: 'list';
  readonly isFlow: boolean;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** The dash; in a flow list the element's first character. */
  readonly start: number;
  /** Just behind the dash; in a flow list the same as `start`. */
  readonly indicatorEnd: number;
  readonly node: TextNode;
}
