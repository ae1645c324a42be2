import { isJsonArray, isJsonObject, type Json, jsonEqual } from '../json.ts';
import type { EditSink } from './editSink.ts';
import type { FlowStyle, TextStyle } from './renderObject.ts';
import type { TextNode } from './yamlTree.ts';

/** What one run of the planner works on. */
export interface PlanContext {
  /** Ends with a line break, so that every line does. */
  readonly text: string;
  readonly style: TextStyle;
  readonly edits: EditSink;
  /** Nodes to be replaced as wholes, since smaller edits did not read back. */
  readonly forced: ReadonlySet<TextNode>;
  readonly hasAliases: boolean;
  /** What anchored nodes will read as once the plan is carried out; undefined for those that go. */
  readonly anchored: Map<TextNode, Json | undefined>;
}

/** A value's place in the text. */
export interface Slot {
  readonly node: TextNode;
  readonly kind: 'root' | 'entry' | 'item';
  /** Just behind the `:` or the dash. */
  readonly indicatorEnd: number;
  /** Column of the key or the dash. */
  readonly indent: number;
  /** Present inside a flow collection. */
  readonly flow?: FlowStyle;
}

/** Whether nothing has to be done for `node` to read as `target`. */
export function isSettled(context: PlanContext, node: TextNode, target: Json): boolean {
  if (!context.hasAliases) return jsonEqual(node.value, target);
  return readsAs(context, node, target);
}

/** As {@link jsonEqual}, with aliases standing for what their anchors will hold. */
function readsAs(context: PlanContext, node: TextNode, target: Json): boolean {
  if (node.kind === 'alias') {
    const { anchored } = context;
    const planned = anchored.has(node.target) ? anchored.get(node.target) : node.target.value;
    return planned !== undefined && jsonEqual(planned, target);
  }
  if (!jsonEqual(node.value, target)) return false;
  if (node.kind === 'map') {
    if (node.entries.some(({ isMerge }) => isMerge)) return !touchesAnchors(context, node);
    return node.entries.every(
      (entry) => isJsonObject(target) && readsAs(context, entry.node, target[entry.key] ?? null),
    );
  }
  if (node.kind === 'list') {
    return node.items.every(
      (item, index) => isJsonArray(target) && readsAs(context, item.node, target[index] ?? null),
    );
  }
  return true;
}

/** Whether an alias below `node` stands for something that the plan changes. */
export function touchesAnchors(context: PlanContext, node: TextNode): boolean {
  switch (node.kind) {
    case 'scalar':
      return false;
    case 'alias': {
      const { anchored } = context;
      return anchored.has(node.target) && !jsonEqual(anchored.get(node.target), node.target.value);
    }
    case 'map':
      return node.entries.some((entry) => touchesAnchors(context, entry.node));
    case 'list':
      return node.items.some((item) => touchesAnchors(context, item.node));
  }
}

/** Notes that everything anchored in `node`, itself included, is no longer there to be referred to. */
export function dropAnchors(context: PlanContext, node: TextNode): void {
  if (!context.hasAliases) return;
  if (node.anchor !== undefined) context.anchored.set(node, undefined);
  if (node.kind === 'map') for (const entry of node.entries) dropAnchors(context, entry.node);
  if (node.kind === 'list') for (const item of node.items) dropAnchors(context, item.node);
}
