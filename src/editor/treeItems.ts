import * as vscode from 'vscode';
import { printApiVersion } from '../core/resource/gvk.ts';
import { printDocumentPath } from '../core/resource/documentPath.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import { type ObjectRight, servedRights } from '../sync/objectRights.ts';
import type { CommandId } from './commandMap.ts';
import { documentScheme } from './documentUris.ts';
import { printAge } from './relativeTime.ts';
import { type ObjectMark, ownerMark, terminatingMark } from './objectMarks.ts';
import { iconOfCategory, iconOfResource, pluralKind } from './treeKinds.ts';
import type { NamespaceTraits } from './treeModel.ts';
import {
  type CategoryNode,
  contextOf,
  type ContextNode,
  isFilterable,
  type KindNode,
  type MessageAction,
  type MessageNode,
  type MessageTone,
  type ObjectNode,
  addressOf,
  refOf,
  type ScopeNode,
  type TreeNode,
} from './treeNodes.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What of a node is known elsewhere. */
export interface NodeView {
  readonly filter: string;
  readonly isOutdated: boolean;
  readonly isLimited: boolean;
  readonly isFavourite: boolean;
  readonly namespace: NamespaceTraits | undefined;
  /** What an open document says of the object. */
  readonly marks: readonly ObjectMark[];
  /** Why the setting allows no write to the context at all, or none without a question. */
  readonly readOnlyReason: string | undefined;
  readonly protectedReason: string | undefined;
  /** What the server does not allow on an object's row. */
  readonly denied: ReadonlySet<ObjectRight>;
}

/** The row of a node. Its `contextValue` is the node's kind, followed by what can be done with it. */
export function toTreeItem(node: TreeNode, view: NodeView): vscode.TreeItem {
  switch (node.kind) {
    case 'context':
      return contextItem(node, view);
    case 'scope':
      return scopeItem(node, view.namespace);
    case 'category':
      return categoryItem(node, view);
    case 'group':
      return item(node, node.group, 'extensions');
    case 'kind':
      return kindItem(node, view);
    case 'object':
      return objectItem(node, view);
    case 'message':
      return messageItem(node);
  }
}

/** What is costly to tell of a row, asked for when the pointer rests on it. */
export function tooltipOf(node: TreeNode, view: NodeView, nowMs: number): string | undefined {
  if (node.kind !== 'object') return undefined;
  const { parent, name, namespace, createdAt, summary } = node;
  const lines = [`${parent.type.gvk.kind} ${name}`];
  if (namespace !== undefined) lines.push(`Namespace: ${namespace}`);
  lines.push(`Context: ${refOf(node).context}`, `API version: ${printApiVersion(parent.type.gvk)}`);
  const age = printAge(createdAt, nowMs);
  if (age !== undefined) lines.push(`Created: ${age}`);
  if (summary !== '') lines.push(summary);
  const marks = [...marksOf(node, view), ownerMark(node.owner)];
  lines.push(...marks.flatMap((mark) => (mark === undefined ? [] : [mark.sentence])));
  return lines.join('\n');
}

/** What sets an object's row apart, but for what manages it; nothing twice. */
function marksOf({ isTerminating }: ObjectNode, { marks }: NodeView): readonly ObjectMark[] {
  return [...new Set([...(isTerminating ? [terminatingMark] : []), ...marks])];
}

function item(node: TreeNode, label: string, icon: string, collapsible = Collapsed): vscode.TreeItem {
  const made = new vscode.TreeItem(label, collapsible);
  made.id = node.id;
  made.contextValue = node.kind;
  made.iconPath = new vscode.ThemeIcon(icon);
  return made;
}

function contextItem(node: ContextNode, view: NodeView): vscode.TreeItem {
  const { name, isCurrent, isInsecure, problem, server, userName, namespace } = node.entry;
  const made = item(node, name, isCurrent ? 'vm-active' : 'vm');
  const { isLimited, filter, readOnlyReason, protectedReason } = view;
  made.contextValue = contextValue(node, isLimited ? 'limited' : '', filter === '' ? '' : 'filtered');
  if (problem !== undefined) {
    made.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  made.description = describe([
    isCurrent ? 'current' : '',
    problem === undefined ? '' : 'cannot be used',
    isInsecure ? 'insecure' : '',
    readOnlyReason !== undefined ? 'read-only' : protectedReason !== undefined ? 'protected' : '',
    printFilter(filter),
  ]);
  made.tooltip = [
    `Context ${name}${isCurrent ? ' (current)' : ''}`,
    ...(problem === undefined ? [] : [problem]),
    ...(server === '' ? [] : [`Server: ${server}`]),
    ...(userName === '' ? [] : [`User: ${userName}`]),
    `Namespace: ${namespace}`,
    ...[readOnlyReason ?? protectedReason].filter((reason) => reason !== undefined),
    ...(isInsecure ? ['The connection is not encrypted, or the server’s certificate is not checked.'] : []),
    ...(filter === '' ? [] : [`Only namespaces that hold “${filter}” are shown.`]),
  ].join('\n');
  return made;
}

function scopeItem(node: ScopeNode, traits: NamespaceTraits | undefined): vscode.TreeItem {
  switch (node.scope.kind) {
    case 'allNamespaces': {
      const made = item(node, 'All namespaces', 'layers');
      made.contextValue = 'scope.all';
      return made;
    }
    case 'cluster': {
      const made = item(node, 'Cluster scope', 'server-environment');
      made.tooltip = 'Objects that belong to no namespace';
      made.contextValue = 'scope.cluster';
      return made;
    }
    case 'namespace':
      return namespaceItem(node, traits ?? { isFavourite: false, isTyped: false, isMissing: false });
  }
}

function namespaceItem(
  node: ScopeNode,
  { isFavourite, isTyped, isMissing }: NamespaceTraits,
): vscode.TreeItem {
  const { name, isTerminating, parent } = node;
  const icon = isTerminating ? 'trash' : isFavourite ? 'star-full' : 'symbol-namespace';
  const made = item(node, name, icon);
  const isOwn = parent.entry.namespace === name;
  made.description = describe([
    isFavourite ? 'favourite' : '',
    isOwn ? 'of the context' : '',
    isTerminating ? 'terminating' : '',
    isMissing ? 'not there' : '',
  ]);
  made.tooltip = [
    `Namespace ${name}`,
    ...(isFavourite ? ['One of your favourites.'] : []),
    ...(isOwn ? ['The namespace of the context.'] : []),
    ...(isTerminating ? [terminatingMark.sentence] : []),
    ...(isTyped ? ['Its name was typed here; namespaces cannot be listed.'] : []),
    ...(isMissing ? ['The cluster has no namespace of this name.'] : []),
  ].join('\n');
  made.contextValue = ['scope.namespace', isFavourite ? 'favourite' : '', isTyped ? 'typed' : '']
    .filter((mark) => mark !== '')
    .join('.');
  return made;
}

function categoryItem(node: CategoryNode, { filter }: NodeView): vscode.TreeItem {
  const made = item(node, node.category, iconOfCategory(node.category));
  made.description = printFilter(filter);
  if (filter !== '') made.tooltip = `${node.category}: only kinds that hold “${filter}”`;
  made.contextValue = contextValue(
    node,
    isFilterable(node) ? 'filterable' : '',
    filter === '' ? '' : 'filtered',
  );
  return made;
}

function kindItem(node: KindNode, { filter }: NodeView): vscode.TreeItem {
  const { type, isAmbiguous } = node;
  const made = item(node, pluralKind(type), iconOfResource(type.gvr));
  const group = type.gvr.group === '' ? 'core' : type.gvr.group;
  made.description = describe([isAmbiguous ? group : '', printFilter(filter)]);
  const shortNames = type.shortNames.length === 0 ? '' : ` (${type.shortNames.join(', ')})`;
  made.tooltip = [
    `${printResource(type.gvr)}${shortNames}`,
    `API version: ${printApiVersion(type.gvk)}`,
    ...(filter === '' ? [] : [`Only objects that hold “${filter}” are shown.`]),
  ].join('\n');
  made.contextValue = contextValue(node, filter === '' ? '' : 'filtered');
  return made;
}

function objectItem(node: ObjectNode, view: NodeView): vscode.TreeItem {
  const { name, namespace, owner, parent, summary } = node;
  const made = item(node, name, iconOfObject(node), None);
  if (view.isOutdated)
    made.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('disabledForeground'));
  const isAll = parent.scope.scope.kind === 'allNamespaces';
  const words = [
    isAll ? (namespace ?? '') : '',
    ...marksOf(node, view).map((mark) => mark.words),
    view.isOutdated ? 'outdated' : '',
    summary,
  ];
  made.description = describe([...words, owner === '' ? '' : `↳ ${owner}`]);
  const managed = owner === '' ? '' : `managed by ${owner}`;
  // Else a screen reader would be given the description, arrow and all, without the kind.
  made.accessibilityInformation = {
    label: [name, parent.type.gvk.kind, ...words, managed, view.isFavourite ? 'favourite' : '']
      .filter((word) => word !== '')
      .join(', '),
  };
  // The document's URI, for the decorations of open documents; the icon stays ours.
  const uri = documentUriOf(node);
  if (uri !== undefined) made.resourceUri = uri;
  made.command = commandOf('kubemerge.tree.open', 'Open', node);
  const rights = servedRights(parent.type).filter((right) => !view.denied.has(right));
  made.contextValue = contextValue(
    node,
    ...rights.map((right) => marksByRight[right]),
    node.isTerminating ? 'terminating' : '',
    view.isFavourite ? 'favourite' : '',
  );
  return made;
}

/** What the server serves and allows, as menus ask for it. */
const marksByRight: Readonly<Record<ObjectRight, string>> = {
  delete: 'deletable',
  scale: 'scalable',
  editStatus: 'status',
  update: 'updatable',
  create: 'creatable',
};

function describe(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ');
}

function printFilter(filter: string): string {
  return filter === '' ? '' : `filter: ${filter}`;
}

/** `object`, and what holds for it: `object.deletable.scalable`. */
function contextValue({ kind }: TreeNode, ...marks: readonly string[]): string {
  return [kind, ...marks.filter((mark) => mark !== '')].join('.');
}

function iconOfObject({ isTerminating, parent }: ObjectNode): string {
  return isTerminating ? 'trash' : iconOfResource(parent.type.gvr);
}

/** The document of a row's object. */
export function documentUriOf(node: ObjectNode): vscode.Uri | undefined {
  const address = addressOf(node);
  return address && vscode.Uri.from({ scheme: documentScheme, path: printDocumentPath(address) });
}

/** Of messages that a click does nothing with; those of an action have its icon. */
const iconsByTone: Readonly<Record<MessageTone, { readonly icon: string; readonly color?: string }>> = {
  loading: { icon: 'loading~spin' },
  empty: { icon: 'circle-slash', color: 'disabledForeground' },
  info: { icon: 'info' },
  warning: { icon: 'warning', color: 'list.warningForeground' },
  error: { icon: 'error', color: 'list.errorForeground' },
  forbidden: { icon: 'lock', color: 'list.warningForeground' },
};

const actions: Readonly<Record<MessageAction, { readonly command: CommandId; readonly icon: string }>> = {
  retry: { command: 'kubemerge.tree.retry', icon: 'refresh' },
  addNamespace: { command: 'kubemerge.tree.addNamespace', icon: 'add' },
  showMore: { command: 'kubemerge.tree.showMore', icon: 'ellipsis' },
  chooseKubeconfig: { command: 'kubemerge.chooseKubeconfig', icon: 'folder-opened' },
  signIn: { command: 'kubemerge.signIn', icon: 'sign-in' },
  explain: { command: 'kubemerge.tree.explain', icon: 'info' },
};

function messageItem(node: MessageNode): vscode.TreeItem {
  const { tone, text, detail, action } = node;
  const { icon, color } = iconsByTone[tone];
  const isClick = action !== undefined && action !== 'retry';
  const made = item(node, text, isClick ? actions[action].icon : icon, None);
  if (color !== undefined) made.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  made.contextValue = contextValue(node, action === 'retry' ? 'retry' : '');
  made.tooltip = detail === undefined || detail === text ? text : `${text}\n${detail}`;
  // A retry is at the row's end: a click on a message that is being read shall do nothing.
  if (isClick)
    made.command = commandOf(actions[action].command, text, action === 'signIn' ? contextOf(node) : node);
  return made;
}

function commandOf(command: CommandId, title: string, node: TreeNode | undefined): vscode.Command {
  return { command, title, arguments: [node] };
}
