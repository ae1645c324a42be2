import * as vscode from 'vscode';
import { printResource, type ResourceRef } from '../core/resource/resourceRef.ts';
import { type CommandRegistry, runCommand } from './commandMap.ts';
import { problemOfNamespace } from './rememberedNamespaces.ts';
import { documentUriOf } from './treeItems.ts';
import type { ObjectTree } from './treeModel.ts';
import {
  contextOf,
  type FilterableNode,
  isFilterable,
  type MessageNode,
  refOf,
  type TreeNode,
} from './treeNodes.ts';
import type { TreeView } from './treeView.ts';

export interface TreeCommandDependencies {
  readonly tree: ObjectTree;
  readonly view: Pick<TreeView, 'selected'>;
  readonly commands: CommandRegistry;
  readonly open: (ref: ResourceRef) => Promise<void>;
}

/** Registers the commands of the tree's rows. Without a row they mean the selected one. */
export function registerTreeCommands({
  tree,
  view,
  commands,
  open,
}: TreeCommandDependencies): vscode.Disposable {
  const selected = (): TreeNode | undefined => view.selected;
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
      const list = listOf(node ?? selected());
      if (list === undefined) return;
      const filter = await vscode.window.showInputBox({
        ...filterWords(list),
        value: tree.filterOf(list),
      });
      if (filter !== undefined) tree.setFilter(list, filter);
    }),
    commands.register('kubemerge.tree.clearFilter', (node) => {
      const list = listOf(node ?? selected());
      if (list !== undefined) tree.setFilter(list, '');
      return Promise.resolve();
    }),
    commands.register('kubemerge.tree.showMore', (node) => {
      const list = listOf(node);
      if (list?.kind === 'kind') tree.showMore(list);
      return Promise.resolve();
    }),
    commands.register('kubemerge.tree.forgetNamespace', async (node) => {
      const chosen = node ?? selected();
      if (chosen?.kind === 'scope') await tree.forgetNamespace(chosen);
    }),
    commands.register('kubemerge.tree.explain', async (node) => {
      if (node?.kind === 'message') await explain(node, tree);
    }),
  );
}

/** The list that a row is, or belongs to. */
function listOf(node: TreeNode | undefined): FilterableNode | undefined {
  let one = node;
  while (one !== undefined && !isFilterable(one)) one = one.parent;
  return one;
}

function filterWords(list: FilterableNode): { readonly title: string; readonly prompt: string } {
  switch (list.kind) {
    case 'context':
      return {
        title: `Filter Namespaces of ${list.entry.name}`,
        prompt: 'Shows only namespaces whose name holds this text.',
      };
    case 'category':
      return {
        title: `Filter ${list.category} Kinds`,
        prompt: 'Shows only kinds whose name or group holds this text.',
      };
    case 'kind':
      return {
        title: `Filter ${list.type.gvr.resource}`,
        prompt: 'Shows only objects whose name or namespace holds this text.',
      };
  }
}

/** Says at length what a row has no room for. */
async function explain(node: MessageNode, tree: ObjectTree): Promise<void> {
  const context = contextOf(node);
  const signIn = context?.entry.canSignIn === true ? ['Sign In in a Terminal…'] : [];
  const options = { modal: true, detail: node.detail ?? '' };
  const message = `${context?.entry.name ?? 'The kubeconfig'} cannot be used`;
  const chosen = await vscode.window.showErrorMessage(message, options, 'Try Again', ...signIn);
  if (chosen === 'Try Again') await tree.retry(node);
  else if (chosen !== undefined) await runCommand('kubemerge.signIn', context);
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
