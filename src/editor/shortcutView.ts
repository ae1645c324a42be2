import * as vscode from 'vscode';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { printDocumentPath } from '../core/resource/documentPath.ts';
import { documentScheme } from './documentUris.ts';
import type { Favourites } from './favourites.ts';
import type { ObjectMark } from './objectMarks.ts';
import type { OpenObjects } from './openObjects.ts';
import type { RecentObjects } from './recentObjects.ts';
import {
  describeLost,
  favouriteRows,
  nameOfShortcut,
  placeOfShortcut,
  recentRows,
  refOfShortcut,
  type ShortcutNode,
} from './shortcuts.ts';
import { iconOfResource } from './treeKinds.ts';

export interface ShortcutViewDependencies {
  readonly clusters: Pick<ClustersPort, 'view' | 'onDidChange'>;
  readonly favourites: Favourites;
  readonly recent: RecentObjects;
  readonly openObjects: OpenObjects;
}

/** The views of favourites and of what was opened last; each is there while it has something to show. */
export function registerShortcutViews(dependencies: ShortcutViewDependencies): vscode.Disposable {
  const { clusters, favourites, recent } = dependencies;
  return vscode.Disposable.from(
    registerView('kubemerge.favourites', 'kubemerge.hasFavourites', dependencies, () =>
      favouriteRows(favourites, clusters.view.contexts),
    ),
    registerView('kubemerge.recent', 'kubemerge.hasRecent', dependencies, () =>
      recentRows(recent, favourites, clusters.view.contexts),
    ),
  );
}

function registerView(
  viewId: string,
  contextKey: string,
  { clusters, favourites, recent, openObjects }: ShortcutViewDependencies,
  rows: () => readonly ShortcutNode[],
): vscode.Disposable {
  const changes = new vscode.EventEmitter<undefined>();
  let hasRows: boolean | undefined;
  const update = (): void => {
    changes.fire(undefined);
    const has = rows().length > 0;
    if (has === hasRows) return;
    hasRows = has;
    void vscode.commands.executeCommand('setContext', contextKey, has);
  };
  update();
  const view = vscode.window.createTreeView<ShortcutNode>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren: (node) => (node === undefined ? [...rows()] : []),
      getTreeItem: (node) => toItem(node, { clusters, openObjects }),
    },
  });
  return vscode.Disposable.from(
    changes,
    view,
    favourites.onDidChange(update),
    recent.onDidChange(update),
    clusters.onDidChange(update),
    openObjects.onDidChange(update),
    // Another window may have changed the lists meanwhile.
    view.onDidChangeVisibility(update),
  );
}

function toItem(
  node: ShortcutNode,
  { clusters, openObjects }: Pick<ShortcutViewDependencies, 'clusters' | 'openObjects'>,
): vscode.TreeItem {
  const { target, entry } = node;
  const ref = refOfShortcut(node);
  const address = entry && ref && { clusterId: entry.clusterId, ref };
  const marks: readonly ObjectMark[] = address === undefined ? [] : openObjects.marksOf(address);
  const name = nameOfShortcut(node);
  const place = placeOfShortcut(node);
  const item = new vscode.TreeItem(name);
  item.id = node.id;
  item.description = [...marks.map(({ words }) => words), place].join(' · ');
  const kind = target.kind === 'namespace' ? 'Namespace' : target.address.ref.gvr.resource;
  item.tooltip = [
    `${kind} ${name}`,
    place,
    ...marks.map(({ sentence }) => sentence),
    entry === undefined
      ? describeLost(node, clusters.view.contexts)
      : 'Nothing is asked of the cluster before you choose this.',
  ].join('\n');
  item.accessibilityInformation = {
    label: [name, ...marks.map(({ words }) => words), place.replaceAll(' · ', ', ')].join(', '),
  };
  const icon = target.kind === 'namespace' ? 'symbol-namespace' : iconOfResource(target.address.ref.gvr);
  item.iconPath =
    entry === undefined
      ? new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('disabledForeground'))
      : new vscode.ThemeIcon(icon);
  if (address !== undefined)
    item.resourceUri = vscode.Uri.from({ scheme: documentScheme, path: printDocumentPath(address) });
  item.command = { command: 'kubemerge.shortcut.open', title: 'Open', arguments: [node] };
  item.contextValue = [
    'shortcut',
    target.kind,
    node.isFavourite ? 'favourite' : '',
    node.list,
    entry === undefined ? 'lost' : '',
  ]
    .filter((mark) => mark !== '')
    .join('.');
  return item;
}
