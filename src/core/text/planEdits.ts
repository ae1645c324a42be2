import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonEqual } from '../json.ts';
import { type MergeSchema, noSchema } from '../merge/mergeSchema.ts';
import { EditSink } from './editSink.ts';
import { parseTree } from './parseTree.ts';
import type { PlanContext } from './planContext.ts';
import { planValue } from './planValue.ts';
import { renderObject } from './renderObject.ts';
import { findRepeating } from './repeatedKeys.ts';
import { sniffStyle } from './sniffStyle.ts';
import { applyEdits, type TextEdit } from './textEdit.ts';
import type { TextNode, YamlDocument, YamlTree } from './yamlTree.ts';

export interface PlanOptions {
  /** Says which list elements are the same by the type's list-map-keys. */
  readonly schema?: MergeSchema;
  /** Which of the text's documents to edit, empty ones not counted; the first by default. */
  readonly document?: number;
}

/**
 * The fewest edits after which the text reads as `target`; none where it does already, however spelled.
 * Comments, order, quotes, indentation and line breaks of the author stay; no line outside of the edits
 * changes. The result is parsed again, and what does not read back is replaced by the smallest part that does.
 *
 * @param text one that {@link readDocument} accepts; of any other the whole is replaced
 * @returns in order, not touching; never throws
 */
export function planEdits(text: string, target: JsonObject, options: PlanOptions = {}): readonly TextEdit[] {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const isEnded = text === '' || text.endsWith('\n');
  const ended = isEnded ? text : text + lineBreak;
  const tree = parseTree(ended).tree;
  const index = options.document ?? 0;
  const document = tree?.documents.filter(({ root }) => root.value !== null)[index];
  if (tree === undefined) return [{ offset: 0, length: text.length, newText: renderObject(target) }];
  const edits =
    document === undefined
      ? [{ offset: ended.length, length: 0, newText: renderObject(target).replaceAll('\n', lineBreak) }]
      : planVerified(tree, document, index, target, options.schema ?? noSchema);
  if (isEnded || edits.length === 0) return edits;
  const unended = joinTouching(withoutLastBreak(edits, text, lineBreak));
  if (readsAs(applyEdits(text, unended), index, target)) return unended;
  return joinTouching(withLastBreak(edits, text, lineBreak));
}

function readsAs(text: string, index: number, target: JsonObject): boolean {
  const read = parseTree(text).tree?.documents.filter(({ root }) => root.value !== null)[index];
  return jsonEqual(read?.root.value, target);
}

function planVerified(
  tree: YamlTree,
  document: YamlDocument,
  index: number,
  target: JsonObject,
  schema: MergeSchema,
): readonly TextEdit[] {
  const forced = new Set<TextNode>();
  let style = sniffStyle(tree);
  for (;;) {
    const context: PlanContext = {
      text: tree.text,
      style,
      edits: new EditSink(),
      forced,
      hasAliases: document.hasAliases,
      anchored: new Map(),
    };
    planValue(
      context,
      { kind: 'root', node: document.root, indicatorEnd: document.root.start, indent: 0 },
      target,
      schema,
    );
    const edits = context.edits.finish(tree.text);
    if (edits.length === 0) return edits;
    const failed = findFailure(applyEdits(tree.text, edits), index, target, document.root, context);
    if (failed === undefined || forced.has(document.root)) return edits;
    if (style.quotesTrailingBreaks === undefined) style = { ...style, quotesTrailingBreaks: true };
    else forced.add(enclosing(document.root, failed, forced));
  }
}

/** The node in which an edited text does not read as it should; undefined where it does. */
function findFailure(
  edited: string,
  index: number,
  target: JsonObject,
  root: TextNode,
  { edits, forced }: Pick<PlanContext, 'edits' | 'forced'>,
): TextNode | undefined {
  const parsed = parseTree(edited);
  if (parsed.tree === undefined) return edits.ownerNear(parsed.problems[0]?.range.start ?? 0) ?? root;
  const read = parsed.tree.documents.filter((document) => document.root.value !== null)[index]?.root.value;
  if (read === undefined) return root;
  if (!jsonEqual(read, target)) return differingNode(root, read, target);
  const isDuplicate = parsed.problems.some(({ code }) => code === 'duplicateKey');
  return isDuplicate ? (findRepeating(root, forced) ?? root) : undefined;
}

function differingNode(node: TextNode, read: Json, target: Json): TextNode {
  if (node.kind === 'map' && isJsonObject(read) && isJsonObject(target)) {
    const keys = [...new Set([...Object.keys(read), ...Object.keys(target)])];
    const differing = keys.filter((key) => !jsonEqual(read[key], target[key]));
    const [key = ''] = differing;
    const entry = node.entries.find((candidate) => candidate.key === key && !candidate.isMerge);
    const [inner, wanted] = [read[key], target[key]];
    if (differing.length === 1 && entry && inner !== undefined && wanted !== undefined) {
      return differingNode(entry.node, inner, wanted);
    }
  }
  if (node.kind === 'list' && isJsonArray(read) && isJsonArray(target)) {
    const isSameLength = read.length === target.length && node.items.length === target.length;
    const differing = target.flatMap((item, index) => (jsonEqual(item, read[index]) ? [] : [index]));
    const [index = 0] = differing;
    const [inner, wanted] = [read[index], target[index]];
    const item = node.items[index];
    if (isSameLength && differing.length === 1 && item && inner !== undefined && wanted !== undefined) {
      return differingNode(item.node, inner, wanted);
    }
  }
  return node;
}

/** The node itself, or the nearest around it that was not replaced as a whole yet. */
function enclosing(root: TextNode, node: TextNode, forced: ReadonlySet<TextNode>): TextNode {
  const path = pathTo(root, node) ?? [root];
  const outermost = path.findIndex((step) => forced.has(step));
  return path[outermost < 0 ? path.length - 1 : Math.max(0, outermost - 1)] ?? root;
}

function pathTo(from: TextNode, node: TextNode): TextNode[] | undefined {
  if (from === node) return [from];
  const children =
    from.kind === 'map'
      ? from.entries.map((entry) => entry.node)
      : from.kind === 'list'
        ? from.items.map((item) => item.node)
        : [];
  for (const child of children) {
    const rest = pathTo(child, node);
    if (rest !== undefined) return [from, ...rest];
  }
  return undefined;
}

/** The same edits for the text without the line break that was added for planning. */
function withoutLastBreak(edits: readonly TextEdit[], text: string, lineBreak: string): readonly TextEdit[] {
  const last = edits.at(-1);
  if (last === undefined || last.offset + last.length <= text.length) return edits;
  const rest = edits.slice(0, -1);
  if (last.offset >= text.length + lineBreak.length) {
    const newText = lineBreak + removeEnd(last.newText, lineBreak);
    return [...rest, { offset: text.length, length: 0, newText }];
  }
  if (last.newText === '') {
    // The last lines go: so does the line break in front of them.
    const offset = Math.max(0, last.offset - (text.endsWith(lineBreak, last.offset) ? lineBreak.length : 0));
    return [...rest, { offset, length: text.length - offset, newText: '' }];
  }
  const length = Math.max(0, text.length - last.offset);
  return [
    ...rest,
    { offset: Math.min(last.offset, text.length), length, newText: removeEnd(last.newText, lineBreak) },
  ];
}

function joinTouching(edits: readonly TextEdit[]): readonly TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last === undefined || last.offset + last.length < edit.offset) joined.push(edit);
    else {
      const newText = last.newText + edit.newText;
      joined[joined.length - 1] = { offset: last.offset, length: last.length + edit.length, newText };
    }
  }
  return joined;
}

/** The edits and the line break: for a text that would lose blank lines of its last value without it. */
function withLastBreak(edits: readonly TextEdit[], text: string, lineBreak: string): readonly TextEdit[] {
  const last = edits.at(-1);
  if (last === undefined || last.offset + last.length < text.length) {
    return [...edits, { offset: text.length, length: 0, newText: lineBreak }];
  }
  const isBehind = last.offset >= text.length + lineBreak.length;
  const reachesEnd = last.offset + last.length > text.length;
  const newText = (isBehind ? lineBreak : '') + last.newText + (reachesEnd ? '' : lineBreak);
  const offset = Math.min(last.offset, text.length);
  return [...edits.slice(0, -1), { offset, length: text.length - offset, newText }];
}

function removeEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}
