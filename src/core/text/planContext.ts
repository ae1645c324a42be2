import { defineMembers, type Json, jsonEqual } from '../json.ts';
import type { EditSink } from './editSink.ts';
import { expandEntries } from './mergeKeys.ts';
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
  return jsonEqual(plannedValue(context, node), target);
}

/**
 * What a node will read as once the plan is carried out, as far as that is settled: aliases stand for what
 * their anchors will hold.
 *
 * @returns undefined where an anchor goes
 */
export function plannedValue(context: PlanContext, node: TextNode): Json | undefined {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'alias':
      return context.anchored.has(node.target) ? context.anchored.get(node.target) : node.target.value;
    case 'map': {
      const members = expandEntries(node.entries, (child) => plannedValue(context, child));
      return members && defineMembers(members);
    }
    case 'list': {
      const items = node.items.map((item) => plannedValue(context, item.node));
      return items.every((item) => item !== undefined) ? items : undefined;
    }
  }
}

/** Notes that everything anchored in `node`, itself included, is no longer there to be referred to. */
export function dropAnchors(context: PlanContext, node: TextNode): void {
  if (!context.hasAliases) return;
  if (node.anchor !== undefined) context.anchored.set(node, undefined);
  if (node.kind === 'map') for (const entry of node.entries) dropAnchors(context, entry.node);
  if (node.kind === 'list') for (const item of node.items) dropAnchors(context, item.node);
}
