import { type Disposable, DisposableStore, Emitter, type Event } from '../core/lifecycle.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import type { ClusterId } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClustersPort, ContextEntry, KubeconfigView } from '../sync/clusterPort.ts';
import { ChangeBatcher } from './changeBatcher.ts';
import type { Favourites } from './favourites.ts';
import type { RememberedNamespaces } from './rememberedNamespaces.ts';
import { TreeActivity } from './treeActivity.ts';
import { ContextBranch } from './treeContext.ts';
import { compareText } from './treeKinds.ts';
import {
  type BranchNode,
  contextId,
  type ContextNode,
  contextOf,
  type FilterableNode,
  type KindNode,
  type ObjectNode,
  type ScopeNode,
  type TreeNode,
} from './treeNodes.ts';
import { messageNode } from './treeWords.ts';

/** Least time between two showings of a node, in ms for each of its rows: what VS Code needs for them, tenfold. */
const pauseMsPerRow = 1;

/** More changed rows of one node than these are shown by showing the node again. */
const maxSingleRows = 50;

export interface ObjectTreeOptions {
  readonly clusters: ClustersPort;
  readonly clock: Clock;
  readonly remembered: RememberedNamespaces;
  readonly favourites: Favourites;
  readonly onError: (error: unknown) => void;
}

/** What a row tells of a namespace. */
export interface NamespaceTraits {
  readonly isFavourite: boolean;
  /** Its name was typed by a person. */
  readonly isTyped: boolean;
  /** The cluster has no such namespace. */
  readonly isMissing: boolean;
}

/** Stands for the tree's root among changed nodes. */
const root = { kind: 'root' } as const;

/** The tree of contexts, namespaces, kinds and objects. No cluster is asked before its context is expanded. */
export class ObjectTree implements Disposable {
  readonly #options: ObjectTreeOptions;
  readonly #owned = new DisposableStore();
  readonly #contexts = new Map<string, ContextNode>();
  readonly #branches = new Map<string, ContextBranch>();
  readonly #changes = this.#owned.add(new Emitter<readonly TreeNode[] | undefined>());
  readonly #batcher: ChangeBatcher<TreeNode | typeof root>;
  /** What is shown again even if its children are the same as before. */
  readonly #mustShow = new Set<TreeNode | typeof root>();
  readonly #activity: TreeActivity;
  #loading: Promise<void> | undefined;

  /** The nodes whose look or children changed; undefined for the whole tree. At most four times a second. */
  readonly onDidChange: Event<readonly TreeNode[] | undefined> = this.#changes.event;

  constructor(options: ObjectTreeOptions) {
    this.#options = options;
    const { clusters, clock, favourites, remembered } = options;
    this.#batcher = this.#owned.add(
      new ChangeBatcher<TreeNode | typeof root>(clock, (batch) => {
        const news = batch.filter((changed) => this.#mustShow.delete(changed) || !this.#isShown(changed));
        if (news.length > 0) this.#changes.fire(toChange(news));
      }),
    );
    this.#activity = this.#owned.add(
      new TreeActivity(
        clock,
        () => [...this.#branches.values()].flatMap(({ collections }) => collections),
        (owner) => {
          this.#showAgain(owner);
        },
      ),
    );
    this.#owned.add(
      clusters.onDidChange((view) => {
        this.#follow(view);
      }),
    );
    this.#owned.add(
      favourites.onDidChange(({ kind, address }) => {
        if (kind === 'object') this.showObject(address);
        else this.#showNamespaces(address.clusterId);
      }),
    );
    this.#owned.add(
      remembered.onDidChange((clusterId) => {
        this.#showNamespaces(clusterId);
      }),
    );
  }

  /** @param node undefined for the root; an empty root means that there is no kubeconfig */
  async children(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    if (node === undefined) return await this.#roots();
    if (node.kind === 'object' || node.kind === 'message') return [];
    const context = contextOf(node);
    if (context?.entry.problem !== undefined) {
      const { problem } = context.entry;
      return [messageNode(context, 'problem', { tone: 'error', text: problem, action: 'retry' })];
    }
    const branch = this.#branchOf(node);
    if (branch === undefined) {
      const text = 'This context is no longer in the kubeconfig.';
      return [messageNode(node, 'gone', { tone: 'error', text, action: 'retry' })];
    }
    this.#activity.expanded(node);
    return await branch.children(node);
  }

  expanded(node: TreeNode): void {
    this.#activity.expanded(node);
  }

  collapsed(node: TreeNode): void {
    this.#activity.collapsed(node);
  }

  /** Watches of a hidden tree end after a while. */
  setVisible(isVisible: boolean): void {
    this.#activity.setVisible(isVisible);
  }

  /** Reads a node anew; the kubeconfig and everything that is shown, without one. */
  async refresh(node?: TreeNode): Promise<void> {
    const branchNode = node?.kind === 'object' || node?.kind === 'message' ? node.parent : node;
    if (branchNode !== undefined) {
      this.#branchOf(branchNode)?.refresh(branchNode);
      this.#showAgain(branchNode);
      return;
    }
    await this.#options.clusters.reload();
    for (const branch of this.#branches.values()) {
      for (const { owner, collection } of branch.collections) if (collection.isStarted) branch.refresh(owner);
    }
    this.#showAgain(root);
  }

  /** Tries again what failed at a node. */
  async retry(node: TreeNode): Promise<void> {
    const failed = node.kind === 'message' || node.kind === 'object' ? node.parent : node;
    const isUsable = failed !== undefined && contextOf(failed)?.entry.problem === undefined;
    const branch = isUsable ? this.#branchOf(failed) : undefined;
    if (failed === undefined || branch === undefined) await this.refresh();
    else branch.retry(failed);
  }

  async addNamespace({ entry }: ContextNode, namespace: string): Promise<void> {
    await this.#options.remembered.add(entry.clusterId, namespace);
  }

  async forgetNamespace({ parent, name }: ScopeNode): Promise<void> {
    await this.#options.remembered.remove(parent.entry.clusterId, name);
  }

  /** Shows a node again, or the whole tree, since something that is not the cluster's makes it look different. */
  show(node?: TreeNode): void {
    this.#showAgain(node ?? root);
  }

  /** Shows the rows of an object again: what is known of it beside the cluster looks different now. */
  showObject({ clusterId, ref }: DocumentAddress): void {
    for (const branch of this.#branches.values()) {
      if (branch.cluster.context.clusterId !== clusterId) continue;
      for (const row of branch.rowsOf(ref)) this.#showAgain(row);
    }
  }

  /** The nodes of a favourite namespace and of its context, for showing it. Asks nothing of the cluster. */
  async findNamespace(
    context: string,
    namespace: string,
  ): Promise<{ readonly context: ContextNode; readonly scope: ScopeNode } | undefined> {
    await this.#roots();
    const node = this.#contexts.get(context);
    const branch = node?.entry.problem === undefined && node ? this.#branchOf(node) : undefined;
    if (node === undefined || branch === undefined) return undefined;
    return { context: node, scope: branch.namespaces.nodeOf({ kind: 'namespace', namespace }) };
  }

  filterOf(node: FilterableNode): string {
    return this.#knownBranchOf(node)?.filterOf(node) ?? '';
  }

  setFilter(node: FilterableNode, filter: string): void {
    this.#branchOf(node)?.setFilter(node, filter);
    this.#showAgain(node);
  }

  showMore(node: KindNode): void {
    this.#branchOf(node)?.showMore(node);
    this.#showAgain(node);
  }

  /** The context may not list its namespaces. */
  isLimited(node: ContextNode): boolean {
    return this.#knownBranchOf(node)?.namespaces.isLimited === true;
  }

  /** What is known of a namespace beside its name. */
  namespaceTraits(node: ScopeNode): NamespaceTraits {
    const namespaces = this.#knownBranchOf(node)?.namespaces;
    return {
      isFavourite: this.#options.favourites.namespacesOf(node.parent.entry.clusterId).includes(node.name),
      isTyped: namespaces?.isTyped(node) === true,
      isMissing: namespaces?.isMissing(node) === true,
    };
  }

  /** The row is what was true once, and may not be now. */
  isOutdated(node: ObjectNode): boolean {
    return this.#knownBranchOf(node)?.isOutdated(node.parent) === true;
  }

  /** The versions in which an object is served, as discovery names them. */
  async versionsOf(node: ObjectNode): Promise<readonly string[]> {
    return (await this.#branchOf(node.parent)?.versionsOf(node.parent)) ?? [];
  }

  dispose(): void {
    this.#owned.dispose();
    for (const branch of this.#branches.values()) branch.dispose();
    this.#branches.clear();
  }

  async #roots(): Promise<readonly TreeNode[]> {
    const { clusters } = this.#options;
    this.#loading ??= clusters.reload();
    await this.#loading;
    const { contexts, problems } = clusters.view;
    const messages = problems.map((text, index) =>
      messageNode(undefined, `problem ${index}`, { tone: 'error', text, action: 'retry' }),
    );
    if (contexts.length === 0 && messages.length > 0) {
      const text = 'Choose kubeconfig…';
      messages.push(messageNode(undefined, 'choose', { tone: 'info', text, action: 'chooseKubeconfig' }));
    }
    return [...messages, ...[...contexts].sort(compareContexts).map((entry) => this.#contextNode(entry))];
  }

  #contextNode(entry: ContextEntry): ContextNode {
    const known = this.#contexts.get(entry.name);
    if (known !== undefined) {
      known.entry = entry;
      return known;
    }
    const made: ContextNode = { kind: 'context', id: contextId(entry.name), entry };
    this.#contexts.set(entry.name, made);
    return made;
  }

  #branchOf(node: BranchNode): ContextBranch | undefined {
    const context = contextOf(node);
    if (context === undefined) return undefined;
    const { name } = context.entry;
    const known = this.#branches.get(name);
    if (known !== undefined) return known;
    const cluster = this.#options.clusters.connect(name);
    if (cluster === undefined) return undefined;
    const made: ContextBranch = new ContextBranch({
      ...this.#options,
      node: context,
      cluster,
      onChange: (changed, rows) => {
        if (rows === undefined) this.#batcher.add(changed, made.newRowsCost(changed) * pauseMsPerRow);
        else for (const row of rows) this.#showAgain(row);
      },
    });
    this.#branches.set(name, made);
    return made;
  }

  /** The branch of a node's context, where anything below it was ever asked for. */
  #knownBranchOf(node: TreeNode): ContextBranch | undefined {
    const context = contextOf(node);
    return context === undefined ? undefined : this.#branches.get(context.entry.name);
  }

  #showNamespaces(clusterId: ClusterId): void {
    for (const branch of this.#branches.values()) {
      const { context } = branch.cluster;
      const node = context.clusterId === clusterId ? this.#contexts.get(context.name) : undefined;
      if (node !== undefined) this.#showAgain(node);
    }
  }

  #showAgain(node: TreeNode | typeof root): void {
    this.#mustShow.add(node);
    this.#batcher.add(node);
  }

  #isShown(node: TreeNode | typeof root): boolean {
    return node.kind !== 'root' && this.#knownBranchOf(node)?.isShown(node) === true;
  }

  #follow({ contexts }: KubeconfigView): void {
    const entries = new Map(contexts.map((entry) => [entry.name, entry]));
    for (const [name, branch] of [...this.#branches]) {
      if (entries.has(name) && this.#options.clusters.connect(name) === branch.cluster) branch.retryAll();
      else {
        branch.dispose();
        this.#branches.delete(name);
      }
    }
    for (const name of [...this.#contexts.keys()]) if (!entries.has(name)) this.#contexts.delete(name);
    this.#showAgain(root);
  }
}

/** The current context first, the others by name. */
function compareContexts(left: ContextEntry, right: ContextEntry): number {
  return Number(right.isCurrent) - Number(left.isCurrent) || compareText(left.name, right.name);
}

/** What VS Code is told: nothing twice, and few things instead of many. */
function toChange(batch: readonly (TreeNode | typeof root)[]): readonly TreeNode[] | undefined {
  if (batch.includes(root)) return undefined;
  const nodes = batch.filter((node) => node.kind !== 'root');
  const changed = new Set<TreeNode>(nodes.filter((node) => node.kind !== 'object'));
  const rows = new Map<TreeNode, TreeNode[]>();
  for (const node of nodes) {
    if (node.kind !== 'object' || changed.has(node.parent)) continue;
    const siblings = rows.get(node.parent) ?? [];
    siblings.push(node);
    rows.set(node.parent, siblings);
  }
  for (const [parent, siblings] of rows) {
    if (siblings.length > maxSingleRows) changed.add(parent);
    else for (const row of siblings) changed.add(row);
  }
  return [...changed];
}
