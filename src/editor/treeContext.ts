import type { Disposable } from '../core/lifecycle.ts';
import { printResource, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import { ContextDiscovery } from './contextDiscovery.ts';
import { LiveCollection } from './liveCollection.ts';
import { ambiguousKinds, categoryOf, compareText, isKindMatch, kindsIn } from './treeKinds.ts';
import { ContextNamespaces, type ContextNamespacesOptions } from './treeNamespaces.ts';
import {
  type BranchNode,
  type CategoryNode,
  childId,
  collectionOf,
  type ContextNode,
  type FilterableNode,
  type GroupNode,
  type KindNode,
  type ObjectNode,
  type ScopeNode,
  type TreeNode,
} from './treeNodes.ts';
import { rowsOfKind, rowsOfScope } from './treeRows.ts';
import { failureMessages, loadingMessage, noMatchMessage, troubleOf } from './treeWords.ts';

/** How long an answer is waited for, in ms, before "Loading…" is shown. */
const patienceMs = 300;

/** Rows of a kind shown at first, and how many a click adds: VS Code reads all of them at each change. */
export const firstRows = 1_000;
export const moreRows = 5_000;

export interface ContextBranchOptions extends Pick<ContextNamespacesOptions, 'remembered' | 'favourites'> {
  readonly node: ContextNode;
  readonly cluster: ClusterPort;
  readonly clock: Clock;
  /** Told that the children of a node are others now, or that only these rows look different. */
  readonly onChange: (node: BranchNode, rows?: readonly TreeNode[]) => void;
  readonly onError: (error: unknown) => void;
}

/** A collection, and the node that shows it. */
export interface OwnedCollection {
  readonly owner: ContextNode | KindNode;
  readonly collection: LiveCollection<ScopeNode> | LiveCollection<ObjectNode>;
}

/**
 * All that the tree shows of one context: its namespaces, kinds and objects. Nothing is asked of the
 * cluster before children are.
 */
export class ContextBranch implements Disposable {
  readonly #options: ContextBranchOptions;
  readonly #namespaces: ContextNamespaces;
  readonly #discovery: ContextDiscovery;
  readonly #objects = new Map<KindNode, LiveCollection<ObjectNode>>();
  /** Collections that were complete when they last changed. */
  readonly #completed = new WeakSet<LiveCollection<ObjectNode>>();
  readonly #nodes = new Map<string, BranchNode>();
  readonly #filters = new Map<string, string>();
  readonly #limits = new Map<string, number>();
  /** What VS Code was last given below a context or scope, as printed. */
  readonly #shown = new Map<BranchNode, string>();
  /** What it was last given below a kind. */
  readonly #shownRows = new WeakMap<KindNode, readonly TreeNode[]>();

  constructor(options: ContextBranchOptions) {
    this.#options = options;
    const { node, cluster, onError, onChange } = options;
    this.#discovery = new ContextDiscovery(
      cluster,
      () => {
        for (const scope of this.#namespaces.shownNodes) onChange(scope);
      },
      onError,
    );
    this.#namespaces = new ContextNamespaces({
      ...options,
      onChange: (rows) => {
        onChange(node, rows);
      },
    });
  }

  get cluster(): ClusterPort {
    return this.#options.cluster;
  }

  get collections(): readonly OwnedCollection[] {
    const objects = [...this.#objects].map(([owner, collection]) => ({ owner, collection }));
    return [{ owner: this.#options.node, collection: this.#namespaces.collection }, ...objects];
  }

  children(node: BranchNode): Promise<readonly TreeNode[]> {
    switch (node.kind) {
      case 'context':
        return this.#contextChildren();
      case 'scope':
        return this.#scopeChildren(node);
      case 'category':
        return Promise.resolve(this.#categoryChildren(node));
      case 'group':
        return Promise.resolve(this.#groupChildren(node));
      case 'kind':
        return this.#kindChildren(node);
    }
  }

  /**
   * Whether VS Code has what is below a node now, or was given nothing yet. To show it again would make VS Code
   * forget the rows below: one that is being expanded just then stays without children, and rows that are on
   * their way are shown without being known any more, so that they follow nothing.
   */
  isShown(node: TreeNode): boolean {
    if (node.kind === 'kind') {
      const shown = this.#shownRows.get(node);
      return shown === undefined || isSameRows(shown, this.#kindRows(node));
    }
    if (node.kind !== 'context' && node.kind !== 'scope') return false;
    // A limited context looks different itself.
    if (node.kind === 'context' && this.#namespaces.isLimited) return false;
    const shown = this.#shown.get(node);
    return shown === undefined || shown === this.#print(node);
  }

  /** How many rows are shown anew with a node: what that costs. A list that is complete now costs nothing. */
  newRowsCost(node: BranchNode): number {
    if (node.kind === 'context') return this.#namespaces.collection.count;
    const objects = node.kind === 'kind' ? this.#objects.get(node) : undefined;
    if (node.kind !== 'kind' || objects === undefined) return 0;
    const wasComplete = this.#completed.has(objects);
    if (objects.isComplete) this.#completed.add(objects);
    else this.#completed.delete(objects);
    return objects.isComplete && !wasComplete ? 0 : Math.min(objects.count, this.#limitOf(node));
  }

  filterOf(node: FilterableNode): string {
    return this.#filters.get(node.id) ?? '';
  }

  /** Shows only namespaces, kinds or objects (as `namespace/name`) that hold the text; all for an empty one. */
  setFilter(node: FilterableNode, filter: string): void {
    this.#filters.set(node.id, filter.trim().toLowerCase());
  }

  showMore(node: KindNode): void {
    this.#limits.set(node.id, this.#limitOf(node) + moreRows);
  }

  /** The context's namespaces, and what is known of them. */
  get namespaces(): Omit<ContextNamespaces, 'dispose'> {
    return this.#namespaces;
  }

  /** The rows that show an object, in whichever version: in its namespace, and in all of them. */
  rowsOf({ gvr, namespace, name }: ResourceRef): readonly ObjectNode[] {
    const resource = printResource(gvr);
    return [...this.#objects].flatMap(([kind, objects]) => {
      if (printResource(kind.type.gvr) !== resource) return [];
      const row = objects.find(namespace, name);
      return row === undefined || (kind.scope.name !== '' && kind.scope.name !== namespace) ? [] : [row];
    });
  }

  async versionsOf({ type }: KindNode): Promise<readonly string[]> {
    await this.#discovery.ensure();
    const resource = printResource(type.gvr);
    return this.#discovery.types
      .filter(({ gvr }) => printResource(gvr) === resource)
      .map(({ gvr }) => gvr.version);
  }

  isOutdated(node: KindNode): boolean {
    return this.#objects.get(node)?.state.kind === 'outdated';
  }

  /** Reads anew what the node shows. */
  refresh(node: BranchNode): void {
    if (node.kind === 'context') this.#namespaces.collection.relist();
    if (node.kind === 'kind') this.#objects.get(node)?.relist();
    else this.#discovery.refresh();
  }

  /** Tries again what failed at the node. */
  retry(node: BranchNode): void {
    if (node.kind === 'context') this.#namespaces.collection.retry();
    else if (node.kind === 'kind') this.#objects.get(node)?.retry();
    else this.#discovery.refresh();
  }

  /** Tries again whatever failed, such as after new credentials. */
  retryAll(): void {
    for (const { collection } of this.collections)
      if (collection.state.kind !== 'current') collection.retry();
    if (this.#discovery.outcome?.kind !== 'ok') this.#discovery.refresh();
  }

  dispose(): void {
    this.#discovery.dispose();
    for (const { collection } of this.collections) collection.dispose();
    this.#objects.clear();
  }

  async #contextChildren(): Promise<readonly TreeNode[]> {
    const { collection } = this.#namespaces;
    collection.start();
    await this.#patiently(collection.settled());
    this.#shown.set(this.#options.node, this.#print(this.#options.node));
    return this.#contextRows();
  }

  #contextRows(): readonly TreeNode[] {
    return this.#namespaces.rows(this.filterOf(this.#options.node));
  }

  async #scopeChildren(node: ScopeNode): Promise<readonly TreeNode[]> {
    await this.#patiently(this.#discovery.ensure());
    this.#shown.set(node, this.#print(node));
    return this.#scopeRows(node);
  }

  /** What is below a node, in words that differ where it does: also the kinds below the rows of a scope. */
  #print(node: ContextNode | ScopeNode): string {
    if (node.kind === 'context') return printRows(this.#contextRows());
    const kinds = kindsIn(node.scope, this.#discovery.types);
    const names = kinds.map(({ gvr, gvk }) => `${printResource(gvr)} ${gvr.version} ${gvk.kind}`);
    return [printRows(this.#scopeRows(node)), ...names].join('\n');
  }

  #scopeRows(node: ScopeNode): readonly TreeNode[] {
    const { outcome } = this.#discovery;
    if (outcome === undefined) return [loadingMessage(node)];
    if (outcome.kind !== 'ok') return failureMessages(node, troubleOf(outcome));
    const { types, failures } = outcome.value;
    const present = new Set(kindsIn(node.scope, types).map(categoryOf));
    return rowsOfScope(node, present, failures, (category) => {
      const id = childId(node.id, 'category', category);
      return this.#node<CategoryNode>({ kind: 'category', id, parent: node, category });
    });
  }

  #categoryChildren(node: CategoryNode): readonly TreeNode[] {
    if (node.category !== 'Custom') return this.#kindNodes(node, () => true);
    const filter = this.filterOf(node);
    const types = kindsIn(node.parent.scope, this.#discovery.types);
    const custom = types.filter((type) => categoryOf(type) === 'Custom' && isKindMatch(type, filter));
    if (custom.length === 0 && filter !== '') return [noMatchMessage(node, 'kinds', filter)];
    return [...new Set(custom.map(({ gvk }) => gvk.group))].sort(compareText).map((group) => {
      const id = childId(node.id, 'group', group);
      return this.#node<GroupNode>({ kind: 'group', id, parent: node, group });
    });
  }

  #groupChildren(node: GroupNode): KindNode[] {
    const filter = this.filterOf(node.parent);
    return this.#kindNodes(node, (type) => type.gvk.group === node.group && isKindMatch(type, filter));
  }

  #kindNodes(parent: CategoryNode | GroupNode, isWanted: (type: ResourceType) => boolean): KindNode[] {
    const { parent: scope, category } = parent.kind === 'group' ? parent.parent : parent;
    const types = kindsIn(scope.scope, this.#discovery.types);
    const ambiguous = ambiguousKinds(types);
    return types
      .filter((type) => categoryOf(type) === category && isWanted(type))
      .map((type) => this.#kindNode(parent, scope, type, ambiguous.has(type.gvk.kind)));
  }

  #kindNode(
    parent: CategoryNode | GroupNode,
    scope: ScopeNode,
    type: ResourceType,
    isAmbiguous: boolean,
  ): KindNode {
    const id = childId(scope.id, 'kind', printResource(type.gvr));
    const known = this.#nodes.get(id);
    if (known?.kind === 'kind') {
      if (known.type.gvr.version === type.gvr.version && known.isAmbiguous === isAmbiguous) return known;
      this.#objects.get(known)?.dispose();
      this.#objects.delete(known);
      this.#nodes.delete(id);
    }
    return this.#node<KindNode>({ kind: 'kind', id, parent, scope, type, isAmbiguous });
  }

  async #kindChildren(node: KindNode): Promise<readonly TreeNode[]> {
    const objects = this.#collection(node);
    objects.start();
    await this.#patiently(objects.settled());
    const rows = this.#kindRows(node);
    this.#shownRows.set(node, rows);
    return rows;
  }

  #kindRows(node: KindNode): readonly TreeNode[] {
    return rowsOfKind(node, this.#collection(node), {
      filter: this.filterOf(node),
      limit: this.#limitOf(node),
      nowMs: this.#options.clock.now(),
    });
  }

  #collection(node: KindNode): LiveCollection<ObjectNode> {
    const known = this.#objects.get(node);
    if (known !== undefined) return known;
    const { cluster, clock, onError, onChange } = this.#options;
    const made = new LiveCollection<ObjectNode>({
      cluster,
      clock,
      onError,
      collection: collectionOf(node),
      create: (name, namespace) => ({
        kind: 'object',
        id: childId(node.id, 'object', namespace ?? '', name),
        parent: node,
        name,
        namespace,
        isTerminating: false,
        summary: '',
        owner: '',
        createdAt: undefined,
      }),
      onChange: (rows) => {
        onChange(node, rows);
      },
    });
    this.#objects.set(node, made);
    return made;
  }

  #limitOf(node: KindNode): number {
    return this.#limits.get(node.id) ?? firstRows;
  }

  /** The node of this id, which is `made` if there was none: nodes keep their identity. */
  #node<Node extends BranchNode>(made: Node): Node {
    const known = this.#nodes.get(made.id);
    if (known?.kind === made.kind) return known as Node;
    this.#nodes.set(made.id, made);
    return made;
  }

  /** Waits for a promise, but not for long. */
  #patiently(promise: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.schedule(patienceMs, resolve);
      const end = (): void => {
        timer.dispose();
        resolve();
      };
      promise.then(end, end);
    });
  }
}

/** Rows by identity and, where they are but words, by what they say. */
function printRows(rows: readonly TreeNode[]): string {
  return rows.map(printRow).join('\n');
}

function printRow(row: TreeNode): string {
  return row.kind === 'message' ? `${row.id} ${row.text} ${row.detail ?? ''}` : row.id;
}

/** As {@link printRows} tells, without printing thousands. */
function isSameRows(left: readonly TreeNode[], right: readonly TreeNode[]): boolean {
  return (
    left.length === right.length &&
    left.every((row, index) => {
      const other = right[index];
      if (row === other) return true;
      return row.kind === 'message' && other?.kind === 'message' && printRow(row) === printRow(other);
    })
  );
}
