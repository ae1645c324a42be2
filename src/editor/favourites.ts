import { Emitter, type Event } from '../core/lifecycle.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import { type ClusterId, printResource } from '../core/resource/resourceRef.ts';
import type { ClusterAddress } from './clusterContexts.ts';
import type { KeyValueStore } from './keyValueStore.ts';
import { isStoredAddress, membersOf } from './storedAddress.ts';

const key = 'kubemerge.favourites';

export interface NamespaceAddress extends ClusterAddress {
  readonly namespace: string;
}

/** What a person wants at hand. The context is the one by which it was chosen; the cluster is what counts. */
export type Favourite =
  | { readonly kind: 'object'; readonly address: DocumentAddress }
  | { readonly kind: 'namespace'; readonly address: NamespaceAddress };

/** Objects and namespaces that a person marked, in the order in which that was done: names only. */
export class Favourites {
  readonly #store: KeyValueStore;
  readonly #changes = new Emitter<Favourite>();
  /** What `#keys` was read from. */
  #readFrom: unknown;
  #keys: ReadonlySet<string> = new Set();

  /** Fires with what was added or removed. */
  readonly onDidChange: Event<Favourite> = this.#changes.event;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get all(): readonly Favourite[] {
    const stored = this.#store.get(key);
    return Array.isArray(stored) ? stored.filter(isFavourite) : [];
  }

  has(favourite: Favourite): boolean {
    const stored = this.#store.get(key);
    // Asked for each row of the tree: read once for all of them.
    if (stored !== this.#readFrom) {
      this.#readFrom = stored;
      this.#keys = new Set(this.all.map(favouriteKey));
    }
    return this.#keys.has(favouriteKey(favourite));
  }

  /** The names of a cluster's favourite namespaces. */
  namespacesOf(clusterId: ClusterId): readonly string[] {
    return this.all.flatMap(({ kind, address }) =>
      kind === 'namespace' && address.clusterId === clusterId ? [address.namespace] : [],
    );
  }

  async add(favourite: Favourite): Promise<void> {
    if (this.has(favourite)) return;
    await this.#store.update(key, [...this.all, favourite]);
    this.#changes.fire(favourite);
  }

  async remove(favourite: Favourite): Promise<void> {
    if (!this.has(favourite)) return;
    const removed = favouriteKey(favourite);
    await this.#store.update(
      key,
      this.all.filter((known) => favouriteKey(known) !== removed),
    );
    this.#changes.fire(favourite);
  }
}

/** The same for one object in whichever version and by whichever context. */
export function favouriteKey(favourite: Favourite): string {
  if (favourite.kind === 'namespace') {
    const { clusterId, namespace } = favourite.address;
    return JSON.stringify([clusterId, namespace]);
  }
  const { clusterId, ref } = favourite.address;
  return JSON.stringify([clusterId, ref.namespace ?? null, printResource(ref.gvr), ref.name]);
}

function isFavourite(value: unknown): value is Favourite {
  const { kind, address } = membersOf(value);
  if (kind === 'object') return isStoredAddress(address);
  const { clusterId, context, namespace } = membersOf(address);
  return kind === 'namespace' && [clusterId, context, namespace].every((part) => typeof part === 'string');
}
