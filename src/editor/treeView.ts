import * as vscode from 'vscode';
import type { Clock } from '../sync/clock.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { allRights, type ObjectRight } from '../sync/objectRights.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { Favourites } from './favourites.ts';
import type { OpenObjects } from './openObjects.ts';
import { type NodeView, toTreeItem, tooltipOf } from './treeItems.ts';
import type { ObjectTree } from './treeModel.ts';
import { TreeRights } from './treeRights.ts';
import { addressOf, isFilterable, refOf, type TreeNode } from './treeNodes.ts';

const noRights: ReadonlySet<ObjectRight> = new Set();
const everyRight: ReadonlySet<ObjectRight> = new Set(allRights);

export const treeViewId = 'kubemerge.objects';

export interface TreeViewDependencies {
  readonly tree: ObjectTree;
  readonly clusters: Pick<ClustersPort, 'connect'>;
  /** Takes a bug's error to the log. */
  readonly reportError: (error: unknown) => void;
  readonly clock: Clock;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason' | 'protectedReason' | 'onDidChange'>;
  readonly favourites: Favourites;
  readonly openObjects: OpenObjects;
}

/** The tree in its view. The caller owns the model. */
export class TreeView implements vscode.Disposable {
  readonly #dependencies: TreeViewDependencies;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #rights: TreeRights;
  readonly #owned: vscode.Disposable;

  constructor(dependencies: TreeViewDependencies) {
    this.#dependencies = dependencies;
    const { tree, clock, settings, openObjects } = dependencies;
    const changes = new vscode.EventEmitter<TreeNode[] | undefined>();
    this.#rights = new TreeRights(
      dependencies.clusters,
      (kind) => {
        tree.show(kind);
      },
      dependencies.reportError,
    );
    this.#view = vscode.window.createTreeView<TreeNode>(treeViewId, {
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getChildren: async (node) => [...(await tree.children(node))],
        getParent: (node) => (node.kind === 'context' ? undefined : node.parent),
        getTreeItem: (node) => toTreeItem(node, this.#viewOf(node)),
        resolveTreeItem: (item, node) => {
          const tooltip = tooltipOf(node, this.#viewOf(node), clock.now());
          if (tooltip !== undefined) item.tooltip = tooltip;
          return item;
        },
      },
      showCollapseAll: true,
    });
    tree.setVisible(this.#view.visible);
    this.#owned = vscode.Disposable.from(
      changes,
      this.#rights,
      this.#view,
      tree.onDidChange((nodes) => {
        changes.fire(nodes === undefined ? undefined : [...nodes]);
      }),
      settings.onDidChange(() => {
        tree.show();
      }),
      openObjects.onDidChange((address) => {
        tree.showObject(address);
      }),
      this.#view.onDidExpandElement(({ element }) => {
        tree.expanded(element);
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        tree.collapsed(element);
      }),
      this.#view.onDidChangeVisibility(({ visible }) => {
        tree.setVisible(visible);
      }),
    );
  }

  get selected(): TreeNode | undefined {
    return this.#view.selection[0];
  }

  /** Expands a namespace and goes to it; to its context where that cannot show it. */
  async reveal(context: string, namespace: string): Promise<void> {
    const found = await this.#dependencies.tree.findNamespace(context, namespace);
    if (found === undefined) return;
    const how = { select: true, focus: true, expand: true };
    try {
      await this.#view.reveal(found.scope, how);
    } catch {
      // Its row is not there: the context says why.
      await this.#view.reveal(found.context, how);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #deniedOn(node: TreeNode): ReadonlySet<ObjectRight> {
    if (node.kind !== 'object') return noRights;
    const isReadOnly = this.#dependencies.settings.readOnlyReason(refOf(node).context) !== undefined;
    return isReadOnly ? everyRight : this.#rights.deniedOn(node.parent);
  }

  #viewOf(node: TreeNode): NodeView {
    const { tree, settings, favourites, openObjects } = this.#dependencies;
    const address = node.kind === 'object' ? addressOf(node) : undefined;
    const context = node.kind === 'context' ? node.entry.name : undefined;
    return {
      filter: isFilterable(node) ? tree.filterOf(node) : '',
      isOutdated: node.kind === 'object' && tree.isOutdated(node),
      isLimited: node.kind === 'context' && tree.isLimited(node),
      isFavourite: address !== undefined && favourites.has({ kind: 'object', address }),
      namespace: node.kind === 'scope' ? tree.namespaceTraits(node) : undefined,
      marks: address === undefined ? [] : openObjects.marksOf(address),
      readOnlyReason: context === undefined ? undefined : settings.readOnlyReason(context),
      protectedReason: context === undefined ? undefined : settings.protectedReason(context),
      denied: this.#deniedOn(node),
    };
  }
}
