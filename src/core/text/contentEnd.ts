import { lineEnd, lineStart, nextLine } from './lines.ts';
import type { CollectionNode, ScalarNode, TextNode } from './yamlTree.ts';

/** Where a node's content ends: comments, blank lines and line breaks behind it are not content. */
export function contentEnd(text: string, node: TextNode): number {
  switch (node.kind) {
    case 'alias':
      return node.end;
    case 'scalar':
      if (node.style === 'literal' || node.style === 'folded') return blockContentEnd(text, node);
      return node.style === 'empty' ? (node.props?.end ?? node.end) : node.end;
    case 'map':
    case 'list':
      return node.isFlow ? node.end : lastItemEnd(text, node);
  }
}

function lastItemEnd(text: string, node: CollectionNode): number {
  const last = node.kind === 'map' ? node.entries.at(-1) : node.items.at(-1);
  if (last === undefined) return node.end;
  return itemEnd(text, last);
}

/** Where an entry or element ends, see {@link contentEnd}. */
export function itemEnd(
  text: string,
  item: { readonly colonEnd?: number | undefined; readonly indicatorEnd?: number; readonly node: TextNode },
): number {
  const { node } = item;
  if (node.kind === 'scalar' && node.style === 'empty' && node.props === undefined) {
    return item.colonEnd ?? item.indicatorEnd ?? node.end;
  }
  return contentEnd(text, node);
}

/** The lines of a block scalar's content: where they begin, and how far they are indented. */
export interface BlockBody {
  /** Start of the first line below the header. */
  readonly start: number;
  /** Behind the last line that counts, without its line break; `start` where there is none. */
  readonly end: number;
  /** Spaces in front of every line that are not content. */
  readonly indent: number;
}

export function blockBody(text: string, node: ScalarNode): BlockBody {
  const { headerEnd, indent } = node.block ?? { headerEnd: node.start, indent: 0 };
  const isKept = text.slice(node.start, headerEnd).includes('+');
  const start = nextLine(text, headerEnd);
  // Behind a line break stands no line of this scalar any more.
  let position = text[node.end - 1] === '\n' ? node.end - 1 : node.end;
  while (position >= start) {
    const first = lineStart(text, position);
    if (first < start) break;
    const end = lineEnd(text, first);
    const line = text.slice(first, end);
    if (isKept || line.length > indent || /[^ ]/.test(line)) return { start, end, indent };
    position = first - 1;
  }
  return { start, end: start, indent };
}

function blockContentEnd(text: string, node: ScalarNode): number {
  const body = blockBody(text, node);
  return body.end <= body.start ? lineEnd(text, node.block?.headerEnd ?? node.start) : body.end;
}
