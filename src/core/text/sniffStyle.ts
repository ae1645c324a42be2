import { columnOf, lineStart } from './lines.ts';
import { kubectlStyle, type TextStyle } from './renderObject.ts';
import type { TextNode, YamlTree } from './yamlTree.ts';

/** Enough collections to know a text's style by. */
const maxSamples = 400;

/** How the author of a text indents and ends lines; kubectl's way where the text does not show it. */
export function sniffStyle(tree: YamlTree): TextStyle {
  const steps = new Map<number, number>();
  const listIndents = new Map<number, number>();
  let samples = 0;
  const visit = (node: TextNode): void => {
    if (samples > maxSamples || node.kind === 'scalar' || node.kind === 'alias' || node.isFlow) return;
    if (node.kind === 'list') {
      for (const item of node.items) visit(item.node);
      return;
    }
    for (const { start, node: child } of node.entries) {
      const isBlock = (child.kind === 'map' || child.kind === 'list') && !child.isFlow;
      if (isBlock && lineStart(tree.text, child.start) > start) {
        samples += 1;
        const difference = columnOf(tree.text, child.start) - columnOf(tree.text, start);
        const counts = child.kind === 'map' ? steps : listIndents;
        counts.set(difference, (counts.get(difference) ?? 0) + 1);
      }
      visit(child);
    }
  };
  for (const { root } of tree.documents) visit(root);
  return {
    indentStep: Math.max(1, mostCommon(steps) ?? kubectlStyle.indentStep),
    listIndent: Math.max(0, mostCommon(listIndents) ?? kubectlStyle.listIndent),
    lineBreak: /\r?\n/.exec(tree.text)?.[0] === '\r\n' ? '\r\n' : '\n',
  };
}

function mostCommon(counts: ReadonlyMap<number, number>): number | undefined {
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
