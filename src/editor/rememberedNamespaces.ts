import { Emitter, type Event } from '../core/lifecycle.ts';
import type { ClusterId } from '../core/resource/resourceRef.ts';
import type { KeyValueStore } from './keyValueStore.ts';

const key = 'kubemerge.namespaces';

/** Names of namespaces that the user typed, by cluster: for those that may not list them. */
export class RememberedNamespaces {
  readonly #store: KeyValueStore;
  readonly #changes = new Emitter<ClusterId>();

  /** Fires with the cluster for which a name was added or removed. */
  readonly onDidChange: Event<ClusterId> = this.#changes.event;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** In the order in which they were typed. */
  of(clusterId: ClusterId): readonly string[] {
    const all = this.#read();
    return Object.hasOwn(all, clusterId) ? (all[clusterId] ?? []) : [];
  }

  async add(clusterId: ClusterId, namespace: string): Promise<void> {
    const before = this.of(clusterId);
    if (!before.includes(namespace)) await this.#write(clusterId, [...before, namespace]);
  }

  async remove(clusterId: ClusterId, namespace: string): Promise<void> {
    await this.#write(
      clusterId,
      this.of(clusterId).filter((name) => name !== namespace),
    );
  }

  async #write(clusterId: ClusterId, namespaces: readonly string[]): Promise<void> {
    await this.#store.update(key, { ...this.#read(), [clusterId]: namespaces });
    this.#changes.fire(clusterId);
  }

  #read(): Readonly<Record<string, readonly string[]>> {
    const stored = this.#store.get(key);
    if (typeof stored !== 'object' || stored === null) return {};
    const entries = Object.entries(stored).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((name) => typeof name === 'string'),
    );
    return Object.fromEntries(entries);
  }
}

/** @returns what is wrong with a name typed for a namespace; undefined where nothing is. Source: RFC 1123 label. */
export function problemOfNamespace(name: string): string | undefined {
  if (name === '') return 'Type the name of a namespace.';
  if (name.length > 63) return 'A namespace has at most 63 characters.';
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)
    ? undefined
    : 'A namespace has small letters, digits and hyphens, and begins and ends with a letter or digit.';
}
