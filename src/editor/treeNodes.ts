import type { DocumentAddress } from '../core/resource/documentPath.ts';
import type { CollectionRef, ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';
import type { Category } from './treeKinds.ts';

/**
 * One element of the tree. A node stays the same object as long as it is shown, since VS Code knows
 * elements by identity; what may change in it is not `readonly`.
 */
export type TreeNode = BranchNode | ObjectNode | MessageNode;

/** A node that can be expanded. */
export type BranchNode = ContextNode | ScopeNode | CategoryNode | GroupNode | KindNode;

interface NodeBase {
  /** Unique in the whole tree and the same after a refresh. */
  readonly id: string;
}

export interface ContextNode extends NodeBase {
  readonly kind: 'context';
  entry: ContextEntry;
}

/** Where objects are: in one namespace, in all of them, or in none. */
export type Scope =
  | { readonly kind: 'namespace'; readonly namespace: string }
  | { readonly kind: 'allNamespaces' }
  | { readonly kind: 'cluster' };

export interface ScopeNode extends NodeBase {
  readonly kind: 'scope';
  readonly parent: ContextNode;
  readonly scope: Scope;
  /** The namespace, else ''. */
  readonly name: string;
  isTerminating: boolean;
  /** The server's own columns in words, else ''. */
  summary: string;
  owner: string;
}

/** Kinds that belong together, such as Workloads. */
export interface CategoryNode extends NodeBase {
  readonly kind: 'category';
  readonly parent: ScopeNode;
  readonly category: Category;
}

/** The kinds of one API group, for custom kinds. */
export interface GroupNode extends NodeBase {
  readonly kind: 'group';
  readonly parent: CategoryNode;
  readonly group: string;
}

export interface KindNode extends NodeBase {
  readonly kind: 'kind';
  readonly parent: CategoryNode | GroupNode;
  readonly scope: ScopeNode;
  readonly type: ResourceType;
  /** Another group has a kind of this name: the group is shown with it. */
  readonly isAmbiguous: boolean;
}

export interface ObjectNode extends NodeBase {
  readonly kind: 'object';
  readonly parent: KindNode;
  readonly name: string;
  readonly namespace: string | undefined;
  isTerminating: boolean;
  /** The server's own columns in words, such as `1/1 ready · Running`; else ''. */
  summary: string;
  /** What keeps the object as it is, such as `ReplicaSet web-5d4b`; else ''. */
  owner: string;
  /** RFC 3339. */
  createdAt: string | undefined;
}

export type MessageTone = 'loading' | 'empty' | 'info' | 'warning' | 'error' | 'forbidden';

export type MessageAction = 'retry' | 'addNamespace' | 'showMore' | 'chooseKubeconfig' | 'signIn' | 'explain';

/** Words in place of children, or beside them. */
export interface MessageNode extends NodeBase {
  readonly kind: 'message';
  /** Undefined at the root. */
  readonly parent: BranchNode | undefined;
  readonly tone: MessageTone;
  readonly text: string;
  readonly detail?: string;
  /** A click does this; `retry` is offered at the row's end instead. */
  readonly action?: MessageAction;
}

/** Nodes whose rows can be narrowed to those that hold a text. */
export type FilterableNode = ContextNode | CategoryNode | KindNode;

/** Long lists and those of custom kinds: the others have few rows. */
export function isFilterable(node: TreeNode): node is FilterableNode {
  return (
    node.kind === 'context' ||
    node.kind === 'kind' ||
    (node.kind === 'category' && node.category === 'Custom')
  );
}

/** The id of a node below another: each part encoded, so that no name can be mistaken for a path. */
export function childId(parentId: string, ...parts: readonly string[]): string {
  return [parentId, ...parts.map(encodePart)].join('/');
}

/** The id of a context's node, from which all ids below it are made. */
export function contextId(context: string): string {
  return encodePart(context);
}

/** Any string as one part of an id, also one that is no well-formed text. */
function encodePart(part: string): string {
  return part.replace(/[%/\p{Cs}]/gu, (unit) => `%u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function contextOf(node: TreeNode): ContextNode | undefined {
  let current: TreeNode | undefined = node;
  while (current !== undefined && current.kind !== 'context') current = current.parent;
  return current;
}

/** The objects that a kind's node lists. */
export function collectionOf({ scope, type }: KindNode): CollectionRef {
  const base = { context: scope.parent.entry.name, gvr: type.gvr };
  return scope.scope.kind === 'namespace' ? { ...base, namespace: scope.scope.namespace } : base;
}

export function refOf({ parent, name, namespace }: ObjectNode): ResourceRef {
  const { context, gvr } = collectionOf(parent);
  return { context, gvr, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The object and its cluster; undefined for a node that has lost its context. */
export function addressOf(node: ObjectNode): DocumentAddress | undefined {
  const clusterId = contextOf(node)?.entry.clusterId;
  return clusterId === undefined ? undefined : { clusterId, ref: refOf(node) };
}
