import * as vscode from 'vscode';
import { parseDocumentPath } from '../core/resource/documentPath.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { type CommandRegistry, toUri } from './commandMap.ts';
import { liveUriOf } from './documentUris.ts';
import type { Favourite, Favourites } from './favourites.ts';
import type { Notifier } from './notifier.ts';
import type { RecentObjects } from './recentObjects.ts';
import {
  describeLost,
  favouriteRows,
  nameOfShortcut,
  placeOfShortcut,
  refOfShortcut,
  type ShortcutNode,
} from './shortcuts.ts';
import { addressOf, type TreeNode } from './treeNodes.ts';
import type { TreeView } from './treeView.ts';

export interface ShortcutCommandDependencies {
  readonly clusters: Pick<ClustersPort, 'view'>;
  readonly commands: CommandRegistry;
  readonly notifier: Notifier;
  readonly favourites: Favourites;
  readonly recent: RecentObjects;
  readonly view: Pick<TreeView, 'reveal'>;
  readonly open: (ref: ResourceRef) => Promise<void>;
}

/** Registers the commands of favourites and of what was opened last. */
export function registerShortcutCommands(dependencies: ShortcutCommandDependencies): vscode.Disposable {
  const { commands, notifier, favourites, recent } = dependencies;
  return vscode.Disposable.from(
    commands.register('kubemerge.addFavourite', async (target) => {
      const favourite = favouriteOf(target);
      if (favourite === undefined) return;
      await favourites.add(favourite);
      notifier.show(quiet(`${nameOf(favourite)} is one of your favourites now`));
    }),
    commands.register('kubemerge.removeFavourite', async (target) => {
      const meant = favouriteOf(target);
      const favourite =
        meant !== undefined && favourites.has(meant) ? meant : await askFavourite(dependencies);
      if (favourite === undefined) return;
      await favourites.remove(favourite);
      notifier.show(quiet(`${nameOf(favourite)} is no favourite any more`));
    }),
    commands.register('kubemerge.shortcut.open', async (node) => {
      if (node !== undefined) await openShortcut(node, dependencies);
    }),
    commands.register('kubemerge.shortcut.copyName', async (node) => {
      if (node !== undefined) await vscode.env.clipboard.writeText(nameOfShortcut(node));
    }),
    commands.register('kubemerge.shortcut.forget', async (node) => {
      if (node?.target.kind === 'object') await recent.remove(node.target.address);
    }),
    commands.register('kubemerge.clearRecent', () => recent.clear()),
  );
}

async function openShortcut(
  node: ShortcutNode,
  { clusters, notifier, open, view }: ShortcutCommandDependencies,
): Promise<void> {
  const { target, entry } = node;
  if (entry === undefined) {
    const message = `${nameOfShortcut(node)} cannot be opened. ${describeLost(node, clusters.view.contexts)}`;
    notifier.show({ severity: 'warning', message, actions: [] });
    return;
  }
  const ref = refOfShortcut(node);
  if (ref !== undefined) await open(ref);
  else if (target.kind === 'namespace') await view.reveal(entry.name, target.address.namespace);
}

async function askFavourite({
  clusters,
  favourites,
}: ShortcutCommandDependencies): Promise<Favourite | undefined> {
  const items = favouriteRows(favourites, clusters.view.contexts).map((node) => ({
    label: nameOfShortcut(node),
    description: placeOfShortcut(node),
    node,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Remove from Favourites',
    matchOnDescription: true,
  });
  return chosen?.node.target;
}

/** What a row or a document stands for; the active document without either. */
function favouriteOf(target: unknown): Favourite | undefined {
  if (isNode(target)) {
    if (target.kind === 'shortcut') return target.target;
    if (target.kind === 'object') {
      const address = addressOf(target);
      return address && { kind: 'object', address };
    }
    if (target.kind !== 'scope' || target.scope.kind !== 'namespace') return undefined;
    const { clusterId, name } = target.parent.entry;
    return { kind: 'namespace', address: { clusterId, context: name, namespace: target.scope.namespace } };
  }
  const uri = toUri(target) ?? vscode.window.activeTextEditor?.document.uri;
  const live = uri === undefined ? undefined : liveUriOf(uri);
  const address = live && parseDocumentPath(live.path);
  return address && { kind: 'object', address };
}

function isNode(target: unknown): target is TreeNode | ShortcutNode {
  return typeof target === 'object' && target !== null && 'kind' in target && 'id' in target;
}

function nameOf({ kind, address }: Favourite): string {
  return kind === 'object' ? address.ref.name : `Namespace ${address.namespace}`;
}

function quiet(message: string): { severity: 'quiet'; message: string; actions: [] } {
  return { severity: 'quiet', message, actions: [] };
}
