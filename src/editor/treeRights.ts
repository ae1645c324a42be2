import type { Disposable } from '../core/lifecycle.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { findRights, type ObjectRight, servedRights } from '../sync/objectRights.ts';
import { collectionOf, type KindNode } from './treeNodes.ts';

const none: ReadonlySet<ObjectRight> = new Set();

/**
 * What the server allows on the rows of a kind in a namespace, asked once when the first of them is shown. Until the
 * answer all that it serves is offered. Across all namespaces nothing is asked: rights may differ between them, and
 * the action itself asks.
 */
export class TreeRights implements Disposable {
  readonly #clusters: Pick<ClustersPort, 'connect'>;
  readonly #onDenied: (kind: KindNode) => void;
  readonly #reportError: (error: unknown) => void;
  readonly #lifetime = new AbortController();
  readonly #denied = new WeakMap<KindNode, ReadonlySet<ObjectRight>>();

  /** @param onDenied called where less is allowed than was offered: the rows are to be shown anew */
  constructor(
    clusters: Pick<ClustersPort, 'connect'>,
    onDenied: (kind: KindNode) => void,
    reportError: (error: unknown) => void,
  ) {
    this.#clusters = clusters;
    this.#onDenied = onDenied;
    this.#reportError = reportError;
  }

  /** What must not be offered on the rows of a kind. */
  deniedOn(kind: KindNode): ReadonlySet<ObjectRight> {
    const known = this.#denied.get(kind);
    if (known !== undefined) return known;
    this.#denied.set(kind, none);
    if (kind.scope.scope.kind !== 'allNamespaces') this.#ask(kind).catch(this.#reportError);
    return none;
  }

  dispose(): void {
    this.#lifetime.abort();
  }

  async #ask(kind: KindNode): Promise<void> {
    const collection = collectionOf(kind);
    const cluster = this.#clusters.connect(collection.context);
    if (cluster === undefined) return;
    const rights = await findRights(cluster, { ...collection, name: '' }, kind.type, this.#lifetime.signal);
    const denied = servedRights(kind.type).filter((right) => !rights.has(right));
    if (denied.length === 0 || this.#lifetime.signal.aborted) return;
    this.#denied.set(kind, new Set(denied));
    this.#onDenied(kind);
  }
}
