import * as vscode from 'vscode';
import { printApiVersion } from '../core/resource/gvk.ts';
import { printDocumentPath } from '../core/resource/documentPath.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import type { CommandId } from './commandMap.ts';
import { documentScheme } from './documentUris.ts';
import { printAge } from './relativeTime.ts';
import { iconOfCategory, iconOfType, pluralKind } from './treeKinds.ts';
import {
  contextOf,
  type ContextNode,
  type KindNode,
  type MessageNode,
  type MessageTone,
  type ObjectNode,
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
  /** Why the setting allows no write to the context at all, or none without a question. */
  readonly readOnlyReason: string | undefined;
  readonly protectedReason: string | undefined;
}

/** The row of a node. Its `contextValue` is the node's kind, with `.retry` where there is something to retry. */
export function toTreeItem(node: TreeNode, view: NodeView): vscode.TreeItem {
  switch (node.kind) {
    case 'context':
      return contextItem(node, view);
    case 'scope':
      return scopeItem(node);
    case 'category':
      return item(node, node.category, iconOfCategory(node.category));
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
export function tooltipOf(node: TreeNode, nowMs: number): string | undefined {
  if (node.kind !== 'object') return undefined;
  const { parent, name, namespace, createdAt, isTerminating, summary, owner } = node;
  const lines = [`${parent.type.gvk.kind} ${name}`];
  if (namespace !== undefined) lines.push(`Namespace: ${namespace}`);
  lines.push(`Context: ${refOf(node).context}`, `API version: ${printApiVersion(parent.type.gvk)}`);
  const age = printAge(createdAt, nowMs);
  if (age !== undefined) lines.push(`Created: ${age}`);
  if (summary !== '') lines.push(summary);
  if (isTerminating) lines.push('Being deleted');
  if (owner === 'static pod')
    lines.push('A mirror of a static pod: the node’s own file decides, edits here do not last.');
  else if (owner !== '') lines.push(`Managed by ${owner}, which may undo edits made here.`);
  return lines.join('\n');
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
  const { isLimited, readOnlyReason, protectedReason } = view;
  if (isLimited) made.contextValue = 'context.limited';
  if (problem !== undefined) {
    made.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  const marks = [
    isCurrent ? 'current' : '',
    problem === undefined ? '' : 'cannot be used',
    isInsecure ? 'insecure' : '',
    readOnlyReason !== undefined ? 'read-only' : protectedReason !== undefined ? 'protected' : '',
  ];
  made.description = marks.filter((mark) => mark !== '').join(' · ');
  made.tooltip = [
    `Context ${name}${isCurrent ? ' (current)' : ''}`,
    ...(problem === undefined ? [] : [problem]),
    ...(server === '' ? [] : [`Server: ${server}`]),
    ...(userName === '' ? [] : [`User: ${userName}`]),
    `Namespace: ${namespace}`,
    ...[readOnlyReason ?? protectedReason].filter((reason) => reason !== undefined),
    ...(isInsecure ? ['The connection is not encrypted, or the server’s certificate is not checked.'] : []),
  ].join('\n');
  return made;
}

function scopeItem(node: ScopeNode): vscode.TreeItem {
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
    case 'namespace': {
      const made = item(node, node.name, node.isTerminating ? 'trash' : 'symbol-namespace');
      const isOwn = node.parent.entry.namespace === node.name;
      const marks = [isOwn ? 'of the context' : '', node.isTerminating ? 'terminating' : ''];
      made.description = marks.filter((mark) => mark !== '').join(' · ');
      made.tooltip = `Namespace ${node.name}`;
      made.contextValue = 'scope.namespace';
      return made;
    }
  }
}

function kindItem(node: KindNode, { filter }: NodeView): vscode.TreeItem {
  const { type, isAmbiguous } = node;
  const made = item(node, pluralKind(type), iconOfType(type));
  const group = type.gvr.group === '' ? 'core' : type.gvr.group;
  const marks = [isAmbiguous ? group : '', filter === '' ? '' : `filter: ${filter}`];
  made.description = marks.filter((mark) => mark !== '').join(' · ');
  const shortNames = type.shortNames.length === 0 ? '' : ` (${type.shortNames.join(', ')})`;
  made.tooltip = `${printResource(type.gvr)}${shortNames}\nAPI version: ${printApiVersion(type.gvk)}`;
  made.contextValue = filter === '' ? 'kind' : 'kind.filtered';
  return made;
}

function objectItem(node: ObjectNode, { isOutdated }: NodeView): vscode.TreeItem {
  const made = item(node, node.name, iconOfObject(node), None);
  if (isOutdated)
    made.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('disabledForeground'));
  const isAll = node.parent.scope.scope.kind === 'allNamespaces';
  const marks = [
    isAll ? (node.namespace ?? '') : '',
    node.isTerminating ? 'terminating' : '',
    isOutdated ? 'outdated' : '',
    node.summary,
    node.owner === '' ? '' : `↳ ${node.owner}`,
  ];
  made.description = marks.filter((mark) => mark !== '').join(' · ');
  // The document's URI, for the decorations of open documents; the icon stays ours.
  const uri = documentUriOf(node);
  if (uri !== undefined) made.resourceUri = uri;
  made.command = commandOf('kubemerge.tree.open', 'Open', node);
  made.contextValue = contextValueOf(node);
  return made;
}

/** `object`, and what the server offers for it as far as its type tells: `object.deletable.scalable`. */
function contextValueOf({ kind, isTerminating, parent: { type } }: ObjectNode): string {
  const marks = [
    type.verbs.includes('delete') ? 'deletable' : '',
    type.subresources.includes('scale') ? 'scalable' : '',
    isTerminating ? 'terminating' : '',
  ];
  return [kind, ...marks.filter((mark) => mark !== '')].join('.');
}

function iconOfObject({ isTerminating, parent }: ObjectNode): string {
  return isTerminating ? 'trash' : iconOfType(parent.type);
}

/** The document of a row's object. */
export function documentUriOf(node: ObjectNode): vscode.Uri | undefined {
  const clusterId = contextOf(node)?.entry.clusterId;
  if (clusterId === undefined) return undefined;
  return vscode.Uri.from({
    scheme: documentScheme,
    path: printDocumentPath({ clusterId, ref: refOf(node) }),
  });
}

const iconsByTone: Readonly<Record<MessageTone, { readonly icon: string; readonly color?: string }>> = {
  loading: { icon: 'loading~spin' },
  empty: { icon: 'circle-slash', color: 'disabledForeground' },
  info: { icon: 'add' },
  warning: { icon: 'warning', color: 'list.warningForeground' },
  error: { icon: 'error', color: 'list.errorForeground' },
  forbidden: { icon: 'lock', color: 'list.warningForeground' },
};

const commandsByAction: Readonly<Record<NonNullable<MessageNode['action']>, CommandId>> = {
  retry: 'kubemerge.tree.retry',
  addNamespace: 'kubemerge.tree.addNamespace',
  showMore: 'kubemerge.tree.showMore',
  chooseKubeconfig: 'kubemerge.chooseKubeconfig',
};

function messageItem(node: MessageNode): vscode.TreeItem {
  const { tone, text, detail, action } = node;
  const made = item(node, text, iconsByTone[tone].icon, None);
  const color = iconsByTone[tone].color;
  if (color !== undefined) {
    made.iconPath = new vscode.ThemeIcon(iconsByTone[tone].icon, new vscode.ThemeColor(color));
  }
  if (action === 'showMore') made.iconPath = new vscode.ThemeIcon('ellipsis');
  if (action === 'chooseKubeconfig') made.iconPath = new vscode.ThemeIcon('folder-opened');
  made.contextValue = action === 'retry' ? 'message.retry' : 'message';
  made.tooltip = detail === undefined || detail === text ? text : `${text}\n${detail}`;
  // A retry is at the row's end: a click on a message that is being read shall do nothing.
  if (action !== undefined && action !== 'retry')
    made.command = commandOf(commandsByAction[action], text, node);
  return made;
}

function commandOf(command: CommandId, title: string, node: TreeNode): vscode.Command {
  return { command, title, arguments: [node] };
}
