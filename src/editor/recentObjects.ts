import { Emitter, type Event } from '../core/lifecycle.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import { refKey } from '../core/resource/resourceRef.ts';
import type { KeyValueStore } from './keyValueStore.ts';
import { isStoredAddress } from './storedAddress.ts';

/** How many objects are remembered. */
export const maxRecent = 20;

const key = 'kubemerge.recentObjects';

/** The objects that were opened last, newest first: names only. */
export class RecentObjects {
  readonly #store: KeyValueStore;
  readonly #changes = new Emitter<void>();

  readonly onDidChange: Event<void> = this.#changes.event;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get all(): readonly DocumentAddress[] {
    const stored = this.#store.get(key);
    return Array.isArray(stored) ? stored.filter(isStoredAddress) : [];
  }

  async add(address: DocumentAddress): Promise<void> {
    await this.#write([address, ...this.#allBut(address)].slice(0, maxRecent));
  }

  async remove(address: DocumentAddress): Promise<void> {
    await this.#write(this.#allBut(address));
  }

  async clear(): Promise<void> {
    await this.#write([]);
  }

  #allBut(address: DocumentAddress): readonly DocumentAddress[] {
    return this.all.filter((known) => addressKey(known) !== addressKey(address));
  }

  async #write(addresses: readonly DocumentAddress[]): Promise<void> {
    await this.#store.update(key, addresses);
    this.#changes.fire();
  }
}

function addressKey({ clusterId, ref }: DocumentAddress): string {
  return `${clusterId} ${refKey(ref)}`;
}
