import * as vscode from 'vscode';
import { printResource } from '../core/resource/resourceRef.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import { type CommandRegistry, runCommand } from './commandMap.ts';
import { problemOfNamespace } from './rememberedNamespaces.ts';
import { documentUriOf, type NodeView, toTreeItem, tooltipOf } from './treeItems.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { ObjectTree } from './treeModel.ts';
import { contextOf, type KindNode, refOf, type TreeNode } from './treeNodes.ts';

export const treeViewId = 'kubemerge.objects';

export interface TreeViewDependencies {
  readonly tree: ObjectTree;
  readonly commands: CommandRegistry;
  readonly clock: Clock;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason' | 'protectedReason' | 'onDidChange'>;
  readonly open: (ref: ResourceRef) => Promise<void>;
}

/** Shows the tree in its view and registers the commands of its rows. The caller owns the tree. */
export function registerTreeView(dependencies: TreeViewDependencies): vscode.Disposable {
  const { tree, clock, settings } = dependencies;
  const changes = new vscode.EventEmitter<TreeNode[] | undefined>();
  const provider: vscode.TreeDataProvider<TreeNode> = {
    onDidChangeTreeData: changes.event,
    getChildren: async (node) => [...(await tree.children(node))],
    getParent: (node) => (node.kind === 'context' ? undefined : node.parent),
    getTreeItem: (node) =>
      toTreeItem(node, {
        filter: node.kind === 'kind' ? tree.filterOf(node) : '',
        isOutdated: node.kind === 'object' && tree.isOutdated(node),
        isLimited: node.kind === 'context' && tree.isLimited(node),
        ...settingsOf(node, settings),
      }),
    resolveTreeItem: (item, node) => {
      const tooltip = tooltipOf(node, clock.now());
      if (tooltip !== undefined) item.tooltip = tooltip;
      return item;
    },
  };
  const view = vscode.window.createTreeView(treeViewId, {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  tree.setVisible(view.visible);
  return vscode.Disposable.from(
    changes,
    view,
    tree.onDidChange((nodes) => {
      changes.fire(nodes === undefined ? undefined : [...nodes]);
    }),
    settings.onDidChange(() => {
      changes.fire(undefined);
    }),
    view.onDidExpandElement(({ element }) => {
      tree.expanded(element);
    }),
    view.onDidCollapseElement(({ element }) => {
      tree.collapsed(element);
    }),
    view.onDidChangeVisibility(({ visible }) => {
      tree.setVisible(visible);
    }),
    registerTreeCommands(dependencies, () => view.selection[0]),
  );
}

/** What the settings say of a context's row. */
function settingsOf(
  node: TreeNode,
  settings: TreeViewDependencies['settings'],
): Pick<NodeView, 'readOnlyReason' | 'protectedReason'> {
  if (node.kind !== 'context') return { readOnlyReason: undefined, protectedReason: undefined };
  const { name } = node.entry;
  return { readOnlyReason: settings.readOnlyReason(name), protectedReason: settings.protectedReason(name) };
}

function registerTreeCommands(
  { tree, commands, open }: TreeViewDependencies,
  selected: () => TreeNode | undefined,
): vscode.Disposable {
  const kindOf = (node: TreeNode | undefined): KindNode | undefined => {
    if (node?.kind === 'kind') return node;
    const parent = node?.kind === 'message' || node?.kind === 'object' ? node.parent : undefined;
    return parent?.kind === 'kind' ? parent : undefined;
  };
  return vscode.Disposable.from(
    commands.register('kubemerge.tree.refresh', (node) => tree.refresh(node)),
    commands.register('kubemerge.tree.retry', async (node) => {
      if (node !== undefined) await tree.retry(node);
    }),
    commands.register('kubemerge.tree.open', async (node) => {
      const chosen = node ?? selected();
      if (chosen?.kind === 'object') await open(refOf(chosen));
    }),
    commands.register('kubemerge.tree.openAsVersion', async (node) => {
      const chosen = node ?? selected();
      if (chosen?.kind !== 'object') return;
      const ref = refOf(chosen);
      const version = await askVersion(ref, await tree.versionsOf(chosen));
      if (version !== undefined) await open({ ...ref, gvr: { ...ref.gvr, version } });
    }),
    commands.register('kubemerge.tree.history', async (node) => {
      const chosen = node ?? selected();
      if (chosen?.kind === 'object') await runCommand('kubemerge.history', documentUriOf(chosen), true);
    }),
    commands.register('kubemerge.tree.copyName', async (node) => {
      const name = nameOf(node ?? selected());
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    }),
    commands.register('kubemerge.tree.addNamespace', async (node) => {
      const context = node === undefined ? undefined : contextOf(node);
      if (context === undefined) return;
      const name = await askNamespace(context.entry.name);
      if (name !== undefined) await tree.addNamespace(context, name);
    }),
    commands.register('kubemerge.tree.filter', async (node) => {
      const kind = kindOf(node ?? selected());
      if (kind === undefined) return;
      const filter = await vscode.window.showInputBox({
        title: `Filter ${kind.type.gvr.resource}`,
        prompt: 'Shows only objects whose name or namespace holds this text.',
        value: tree.filterOf(kind),
      });
      if (filter !== undefined) tree.setFilter(kind, filter);
    }),
    commands.register('kubemerge.tree.clearFilter', (node) => {
      const kind = kindOf(node ?? selected());
      if (kind !== undefined) tree.setFilter(kind, '');
      return Promise.resolve();
    }),
    commands.register('kubemerge.tree.showMore', (node) => {
      const kind = kindOf(node);
      if (kind !== undefined) tree.showMore(kind);
      return Promise.resolve();
    }),
  );
}

async function askVersion(ref: ResourceRef, versions: readonly string[]): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    versions.map((version) => ({
      label: version,
      description: version === ref.gvr.version ? 'the one that the tree shows' : '',
    })),
    { title: `Open ${ref.name} as Version` },
  );
  return picked?.label;
}

async function askNamespace(context: string): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: `Add a Namespace of ${context}`,
    prompt: 'It is shown in the tree from now on; nothing is created in the cluster.',
    validateInput: (value) => problemOfNamespace(value.trim()),
  });
  return name?.trim();
}

function nameOf(node: TreeNode | undefined): string | undefined {
  switch (node?.kind) {
    case 'context':
      return node.entry.name;
    case 'scope':
      return node.name === '' ? undefined : node.name;
    case 'kind':
      return printResource(node.type.gvr);
    case 'group':
      return node.group;
    case 'object':
      return node.name;
    case 'message':
      return node.detail ?? node.text;
    case 'category':
    case undefined:
      return undefined;
  }
}
