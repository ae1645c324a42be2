import {
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLSeq,
} from 'yaml';
import { defineMembers, printJson } from '../json.ts';
import { AliasBudget } from './aliasBudget.ts';
import { nextLine } from './lines.ts';
import { expandEntries, mergedNodes } from './mergeKeys.ts';
import { readPlainKey } from './plainScalar.ts';
import { isOddSpelling, readScalar } from './scalarReading.ts';
import type { TextProblem } from './textProblem.ts';
import type { ListItem, MapEntry, ScalarNode, TextNode } from './yamlTree.ts';

type Tokens = readonly CST.SourceToken[];
type Report = (problem: TextProblem) => void;

/** Deeper than any Kubernetes object; bounds every walk over a tree. */
const maxDepth = 400;

const styles = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
} as const;

/** Turns one composed document into our nodes, and reads every value on the way. */
export class TreeBuilder {
  /** Entries of one mapping that have the same key, in the order found. */
  readonly duplicates: { readonly entries: readonly MapEntry[]; readonly group: readonly MapEntry[] }[] = [];
  readonly #text: string;
  readonly #report: Report;
  readonly #budget = new AliasBudget();
  /** Undefined while the anchored node is still being read. */
  readonly #anchors = new Map<string, TextNode | undefined>();
  #hasAliases = false;

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = report;
  }

  get hasAliases(): boolean {
    return this.#hasAliases;
  }

  /** @param props the tokens in front of the node, which hold its anchor and tag */
  build(node: Node, props: Tokens, depth = 0): TextNode {
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const before = this.#budget.count();
    const built = depth > maxDepth ? this.#tooDeep(node) : this.#buildContent(node, props, depth);
    if (anchor !== undefined) {
      this.#anchors.set(anchor, built);
      this.#budget.setSize(built, before);
    }
    return built;
  }

  /** To be asked once the document is built. */
  checkAliases(): void {
    const alias = this.#budget.findExcess();
    if (alias === undefined) return;
    this.#problem(
      alias,
      'aliasBomb',
      'The aliases of this text expand to far too much. Write the values out.',
    );
  }

  #buildContent(node: Node, props: Tokens, depth: number): TextNode {
    if (isScalar(node)) return this.#buildScalar(node, props);
    if (isMap(node)) return this.#buildMap(node.items, node, props, depth);
    if (isSeq(node)) return this.#buildList(node, props, depth);
    return this.#buildAlias(node);
  }

  #buildScalar(node: Scalar, props: Tokens): ScalarNode {
    const source = node.source ?? '';
    const written = styles[node.type ?? 'PLAIN'];
    const style = written === 'plain' && source === '' ? 'empty' : written;
    const shape = { ...placeOf(node, props), kind: 'scalar', style, source } as const;
    const reading = readScalar(shape);
    const block = blockOf(this.#text, node);
    const place = block === undefined ? shape : { ...shape, block };
    if (reading.kind === 'problem') {
      this.#problem(shape, reading.code, reading.message);
      return { ...place, value: source };
    }
    if (style === 'double' && /\\\r?\n[ \t]*\r?\n/.test(this.#text.slice(shape.start, shape.end))) {
      const message = 'A blank line behind a "\\" at a line\'s end is read differently by different tools.';
      this.#problem(shape, 'ambiguous', message);
    }
    if (/\p{Surrogate}/u.test(source)) {
      this.#problem(
        shape,
        'loneSurrogate',
        'This text holds half of a character pair, which cannot be sent.',
      );
    }
    if (isOddSpelling(shape, reading.value)) {
      const message = `${source} reads as decimal ${printJson(reading.value)}.`;
      this.#problem(shape, 'numberSpelling', message, 'warning');
    }
    return { ...place, value: reading.value };
  }

  #buildMap(pairs: readonly Pair[], node: Node, props: Tokens, depth: number): TextNode {
    const entries = pairs.map((pair) => this.#buildEntry(pair, depth));
    this.#checkKeys(entries);
    return {
      ...placeOf(node, props),
      kind: 'map',
      isFlow: 'flow' in node && node.flow,
      entries,
      value: defineMembers(expandEntries(entries) ?? []),
    };
  }

  #buildEntry(pair: Pair, depth: number): MapEntry {
    const token = (pair as Pair & { srcToken?: CST.CollectionItem }).srcToken;
    const starts = token?.start ?? [];
    const separators = token?.sep ?? [];
    const keyNode = this.build(pair.key as Node, starts, depth + 1);
    const colon = separators.find(({ type }) => type === 'map-value-ind');
    const node =
      pair.value === null || pair.value === undefined
        ? emptyAfter(keyNode)
        : this.build(pair.value as Node, separators, depth + 1);
    const isMerge = isMergeKey(keyNode);
    const behindColon = this.#text[colon === undefined ? 0 : colon.offset + 1] ?? '';
    if (
      keyNode.kind === 'scalar' &&
      keyNode.style === 'plain' &&
      isEmpty(node) &&
      /[,\]}]/.test(behindColon)
    ) {
      this.#problem(
        keyNode,
        'ambiguous',
        'kubectl reads this colon as part of the key. Put a space behind it.',
      );
    }
    if (isMerge && mergedNodes(node) === undefined) {
      const message = '<< merges a mapping, or a list of mappings. Quote it if it is meant as a key.';
      this.#problem(keyNode, 'badMerge', message);
    }
    const mark = starts.find(({ type }) => ['explicit-key-ind', 'anchor', 'tag'].includes(type));
    return {
      start: mark?.offset ?? keyNode.start,
      key: isMerge ? '<<' : this.#keyOf(keyNode),
      keyNode,
      isMerge,
      colonEnd: colon === undefined ? undefined : colon.offset + colon.source.length,
      node,
    };
  }

  #keyOf(keyNode: TextNode): string {
    const node = keyNode.kind === 'alias' ? keyNode.target : keyNode;
    if (node.kind !== 'scalar') {
      this.#problem(keyNode, 'complexKey', 'A key must be a text: mappings and lists cannot be keys.');
      return '';
    }
    if (typeof node.value === 'string') return node.value;
    const key = readPlainKey(node.source);
    if (key === undefined) {
      const message =
        node.value === null ? 'A key is missing here.' : `${node.source} is too large for a key.`;
      this.#problem(keyNode, 'badKey', `${message} Quote it if it is meant as a text.`);
      return node.source;
    }
    if (key !== node.source && node === keyNode) {
      this.#report({
        severity: 'warning',
        range: rangeOf(node),
        code: 'keyReadsAs',
        message: `This key reads as "${key}". Quote it to keep it as it is written.`,
        fixes: [{ title: 'Quote this key', edits: [quoteEdit(node)] }],
      });
    }
    return key;
  }

  #checkKeys(entries: readonly MapEntry[]): void {
    const groups = new Map<string, MapEntry[]>();
    for (const entry of entries) {
      if (entry.isMerge) continue;
      const group = groups.get(entry.key);
      if (group === undefined) groups.set(entry.key, [entry]);
      else group.push(entry);
    }
    for (const group of groups.values()) if (group.length > 1) this.duplicates.push({ entries, group });
  }

  #buildList(node: YAMLSeq, props: Tokens, depth: number): TextNode {
    const token = node.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
    const tokens = (token?.items ?? []).filter(
      (item) => item.value !== undefined || item.start.some(({ type }) => !isBlank(type)) || 'sep' in item,
    );
    const isFlow = node.flow === true;
    const items = node.items.map((item, index): ListItem => {
      const starts = tokens[index]?.start ?? [];
      const child = isPair(item)
        ? this.#buildMap([item], item.key as Node, [], depth + 1)
        : this.build(item as Node, starts, depth + 1);
      const dash = starts.find(({ type }) => type === 'seq-item-ind');
      const start = dash?.offset ?? child.props?.start ?? child.start;
      return { start, indicatorEnd: dash === undefined ? start : start + 1, node: child };
    });
    const value = items.map((item) => item.node.value);
    return { ...placeOf(node, props), kind: 'list', isFlow, items, value };
  }

  #buildAlias(node: Node): TextNode {
    this.#hasAliases = true;
    const name = isAlias(node) ? node.source : '';
    const target = this.#anchors.get(name);
    const place = placeOf(node, []);
    if (target === undefined) {
      const isOpen = this.#anchors.has(name);
      this.#problem(
        place,
        isOpen ? 'recursiveAlias' : 'unknownAnchor',
        isOpen ? `*${name} stands inside of what it stands for.` : `There is no anchor &${name} above.`,
      );
      return { ...place, kind: 'scalar', style: 'empty', source: '', value: null };
    }
    const alias = { ...place, kind: 'alias', target, value: target.value } as const;
    this.#budget.addAlias(alias);
    return alias;
  }

  #tooDeep(node: Node): ScalarNode {
    const place = placeOf(node, []);
    this.#problem(place, 'tooDeep', `This is nested more than ${maxDepth} levels deep.`);
    return { ...place, kind: 'scalar', style: 'empty', source: '', value: null };
  }

  #problem(
    place: { readonly start: number; readonly end: number },
    code: string,
    message: string,
    severity: 'error' | 'warning' = 'error',
  ): void {
    this.#report({ severity, range: rangeOf(place), code, message, fixes: [] });
  }
}

function isEmpty(node: TextNode): boolean {
  return node.kind === 'scalar' && node.style === 'empty' && node.props === undefined;
}

function isMergeKey(node: TextNode): boolean {
  if (node.kind !== 'scalar' || node.source !== '<<') return false;
  if (node.tag === 'tag:yaml.org,2002:merge') return true;
  return node.style === 'plain' && (node.tag === undefined || node.tag === '!');
}

function isBlank(type: string): boolean {
  return type === 'space' || type === 'comment' || type === 'newline' || type === 'comma';
}

function placeOf(node: Node, props: Tokens): Pick<TextNode, 'start' | 'end' | 'props' | 'anchor' | 'tag'> {
  const [start, end] = node.range ?? [0, 0];
  const marks = props.filter(({ type }) => type === 'anchor' || type === 'tag');
  const [first, last] = [marks[0], marks.at(-1)];
  const anchor = 'anchor' in node ? node.anchor : undefined;
  const tag = 'tag' in node ? node.tag : undefined;
  return {
    start,
    end,
    ...(first && last ? { props: { start: first.offset, end: last.offset + last.source.length } } : {}),
    ...(anchor === undefined ? {} : { anchor }),
    ...(tag === undefined ? {} : { tag }),
  };
}

function rangeOf({ start, end }: { readonly start: number; readonly end: number }): TextProblem['range'] {
  return { start, end: Math.max(end, start) };
}

function blockOf(text: string, node: Scalar): ScalarNode['block'] {
  const token = node.srcToken as CST.FlowScalar | CST.BlockScalar | undefined;
  if (token?.type !== 'block-scalar') return undefined;
  const header = token.props.find((prop) => prop.type === 'block-scalar-header');
  if (header === undefined || !('source' in header) || !('offset' in header)) return undefined;
  const headerEnd = header.offset + header.source.length;
  const digit = /[1-9]/.exec(header.source)?.[0];
  const body = text.slice(nextLine(text, headerEnd), node.range?.[1]);
  const first = /^( *)[^ \r\n]/m.exec(body)?.[1] ?? '';
  return { headerEnd, indent: digit === undefined ? first.length : token.indent + Number(digit) };
}

/** Stands for the value of a key that has none. */
function emptyAfter(keyNode: TextNode): ScalarNode {
  return { start: keyNode.end, end: keyNode.end, kind: 'scalar', style: 'empty', source: '', value: null };
}

/** Puts a plain scalar into quotes as it is written. */
export function quoteEdit({ start, end, source }: ScalarNode): {
  offset: number;
  length: number;
  newText: string;
} {
  return { offset: start, length: end - start, newText: JSON.stringify(source) };
}
