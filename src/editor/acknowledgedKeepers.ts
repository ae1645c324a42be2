import type { JsonObject } from '../core/json.ts';
import type { Keeper } from '../core/resource/keepers.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import { refKey, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { KeyValueStore } from './keyValueStore.ts';

/** How many are remembered. */
export const maxAcknowledged = 500;

const key = 'kubemerge.acknowledgedKeepers';

/**
 * Who keeps which object, where a person has been warned of it once and went on: names and uids only. Another object
 * of the name, created anew or of another cluster that the context leads to by now, has been warned of nowhere.
 */
export class AcknowledgedKeepers {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Those that nobody was warned of yet. */
  unknownOf(ref: ResourceRef, object: JsonObject, keepers: readonly Keeper[]): readonly Keeper[] {
    const known = new Set(this.#read());
    return keepers.filter((keeper) => !known.has(entryOf(ref, object, keeper)));
  }

  /** Adds them; the oldest of too many go. */
  async add(ref: ResourceRef, object: JsonObject, keepers: readonly Keeper[]): Promise<void> {
    const added = keepers.map((keeper) => entryOf(ref, object, keeper));
    const others = this.#read().filter((entry) => !added.includes(entry));
    await this.#store.update(key, [...added, ...others].slice(0, maxAcknowledged));
  }

  #read(): readonly string[] {
    const stored = this.#store.get(key);
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  }
}

function entryOf(ref: ResourceRef, object: JsonObject, keeper: Keeper): string {
  return `${refKey(ref)} ${metadataString(object, 'uid') ?? ''} ${JSON.stringify(keeper)}`;
}
