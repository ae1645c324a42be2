import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import type { Favourites } from './favourites.ts';
import { LiveCollection } from './liveCollection.ts';
import type { RememberedNamespaces } from './rememberedNamespaces.ts';
import { childId, type ContextNode, type Scope, type ScopeNode, type TreeNode } from './treeNodes.ts';
import { rowsOfContext } from './treeRows.ts';

export interface ContextNamespacesOptions {
  readonly node: ContextNode;
  readonly cluster: Pick<ClusterPort, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly remembered: Pick<RememberedNamespaces, 'of'>;
  readonly favourites: Pick<Favourites, 'namespacesOf'>;
  /** Told that there are other namespaces now, or that only these rows look different. */
  readonly onChange: (rows?: readonly ScopeNode[]) => void;
  readonly onError: (error: unknown) => void;
}

/** The scopes of one context: those that every cluster has, favourites, and the namespaces that can be listed. */
export class ContextNamespaces implements Disposable {
  readonly #options: ContextNamespacesOptions;
  readonly #nodes = new Map<string, ScopeNode>();
  readonly collection: LiveCollection<ScopeNode>;

  constructor(options: ContextNamespacesOptions) {
    this.#options = options;
    const { node, cluster, clock, onChange, onError } = options;
    this.collection = new LiveCollection({
      cluster,
      clock,
      onError,
      onChange,
      collection: { context: node.entry.name, gvr: { group: '', version: 'v1', resource: 'namespaces' } },
      create: (name) => this.nodeOf({ kind: 'namespace', namespace: name }),
    });
  }

  /** They may not be listed: typed ones are of use. */
  get isLimited(): boolean {
    const { state } = this.collection;
    return state.kind === 'failed' && state.cause === 'forbidden';
  }

  get shownNodes(): Iterable<ScopeNode> {
    return this.#nodes.values();
  }

  /** Its name was typed by a person, and cannot be checked against a list. */
  isTyped({ name }: ScopeNode): boolean {
    const { node, remembered } = this.#options;
    return this.isLimited && remembered.of(node.entry.clusterId).includes(name);
  }

  /** All namespaces are known, and this is none of them. */
  isMissing({ name }: ScopeNode): boolean {
    const { isComplete, state } = this.collection;
    return isComplete && state.kind === 'current' && this.collection.find(undefined, name) === undefined;
  }

  /** @param filter only namespaces whose name holds this text; all for an empty one */
  rows(filter: string): readonly TreeNode[] {
    const { node, remembered, favourites, clock } = this.#options;
    const { clusterId, namespace: own } = node.entry;
    const toNodes = (names: Iterable<string>): readonly ScopeNode[] =>
      [...names].map((namespace) => this.nodeOf({ kind: 'namespace', namespace }));
    return rowsOfContext(node, this.collection, {
      fixed: [this.nodeOf({ kind: 'allNamespaces' }), this.nodeOf({ kind: 'cluster' })],
      favourites: toNodes(favourites.namespacesOf(clusterId)),
      known: toNodes(new Set([own, ...remembered.of(clusterId)])),
      filter,
      nowMs: clock.now(),
    });
  }

  /** The one node of a scope. */
  nodeOf(scope: Scope): ScopeNode {
    const { node: parent } = this.#options;
    const name = scope.kind === 'namespace' ? scope.namespace : '';
    const id = childId(parent.id, scope.kind, name);
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const made: ScopeNode = {
      ...{ kind: 'scope', id, parent, scope, name },
      ...{ isTerminating: false, summary: '', owner: '' },
    } as const;
    this.#nodes.set(id, made);
    return made;
  }

  dispose(): void {
    this.collection.dispose();
  }
}
