import { jsonEqual } from '../../../../src/core/json.ts';
import { itemEnd } from '../../../../src/core/text/contentEnd.ts';
import { leadStart } from '../../../../src/core/text/itemLines.ts';
import { lineEnd, lineStart, startsLine } from '../../../../src/core/text/lines.ts';
import { parseTree } from '../../../../src/core/text/parseTree.ts';
import type { MapEntry, MapNode, TextNode } from '../../../../src/core/text/yamlTree.ts';

/**
 * Members that stand in a mapping before and after, but have lost something that the change did not ask for:
 * the spelling of a value that is the same, the comments above, or the comment behind.
 * Where aliases are used nothing is said: a member may be rewritten since its anchor changed.
 */
export function findTouched(before: string, after: string): readonly string[] {
  const touched: string[] = [];
  const [oldRoot, newRoot] = [before, after].map((text) =>
    parseTree(text).tree?.documents.find(({ root }) => root.value !== null),
  );
  if (oldRoot === undefined || newRoot === undefined || oldRoot.hasAliases) return touched;
  const compare = (left: TextNode, right: TextNode, path: string): void => {
    if (left.kind !== 'map' || right.kind !== 'map') return;
    for (const entry of left.entries) {
      const same = find(right, entry.key);
      if (same === undefined) continue;
      const name = `${path}.${entry.key}`;
      const isEqual = jsonEqual(entry.node.value, same.node.value);
      if (isEqual && slice(before, entry) !== slice(after, same)) touched.push(`value of ${name}`);
      if (!left.isFlow && !right.isFlow) {
        if (!leadOf(after, same).endsWith(leadOf(before, entry))) touched.push(`comments above ${name}`);
        const comment = behind(before, entry);
        if (!linesOf(after, same).some((line) => line.endsWith(comment)))
          touched.push(`comment behind ${name}`);
      }
      if (!isEqual) compare(entry.node, same.node, name);
    }
  };
  compare(oldRoot.root, newRoot.root, '');
  return touched;
}

function find(map: MapNode, key: string): MapEntry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

function slice(text: string, entry: MapEntry): string {
  return text.slice(entry.start, itemEnd(text, entry));
}

/** The comments directly above, in the same column. */
function leadOf(text: string, entry: MapEntry): string {
  if (!startsLine(text, entry.start)) return '';
  return text
    .slice(leadStart(text, entry.start), lineStart(text, entry.start))
    .replaceAll('\r', '')
    .replace(/^ +/gm, '');
}

/** The comment on the line of the key, or at the end of a value of several lines that is no block. */
function behind(text: string, entry: MapEntry): string {
  const { node } = entry;
  const isInline = node.kind === 'scalar' ? node.block === undefined : node.kind === 'alias' || node.isFlow;
  const at = isInline ? itemEnd(text, entry) : (node.props?.end ?? entry.colonEnd ?? entry.start);
  return /#.*$/.exec(text.slice(at, lineEnd(text, at)))?.[0].trimEnd() ?? '';
}

function linesOf(text: string, entry: MapEntry): readonly string[] {
  const lines = text.slice(entry.start, lineEnd(text, itemEnd(text, entry))).split('\n');
  return lines.map((line) => line.trimEnd());
}
