import { refKey, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { KeyValueStore } from './rememberedNamespaces.ts';

/** How many objects are remembered. */
export const maxRecent = 20;

const key = 'kubemerge.recentObjects';

/** The objects that were opened last, newest first: names only. */
export class RecentObjects {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get all(): readonly ResourceRef[] {
    const stored = this.#store.get(key);
    return Array.isArray(stored) ? stored.filter(isRef) : [];
  }

  async add(ref: ResourceRef): Promise<void> {
    const added = refKey(ref);
    const others = this.all.filter((known) => refKey(known) !== added);
    await this.#store.update(key, [ref, ...others].slice(0, maxRecent));
  }
}

function isRef(value: unknown): value is ResourceRef {
  if (typeof value !== 'object' || value === null) return false;
  const { context, namespace, gvr, name } = value as Partial<Record<keyof ResourceRef, unknown>>;
  if (typeof gvr !== 'object' || gvr === null) return false;
  const { group, version, resource } = gvr as Partial<Record<keyof ResourceRef['gvr'], unknown>>;
  return (
    [context, name, group, version, resource].every((part) => typeof part === 'string') &&
    (namespace === undefined || typeof namespace === 'string')
  );
}
