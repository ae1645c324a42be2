/** Storage of small values, as VS Code's `Memento` is. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'kubemerge.namespaces';

/** Names of namespaces that the user typed, by context: for contexts that may not list them. */
export class RememberedNamespaces {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** In the order in which they were typed. */
  of(context: string): readonly string[] {
    const all = this.#read();
    return Object.hasOwn(all, context) ? (all[context] ?? []) : [];
  }

  async add(context: string, namespace: string): Promise<void> {
    const before = this.of(context);
    if (!before.includes(namespace)) await this.#write(context, [...before, namespace]);
  }

  async remove(context: string, namespace: string): Promise<void> {
    await this.#write(
      context,
      this.of(context).filter((name) => name !== namespace),
    );
  }

  async #write(context: string, namespaces: readonly string[]): Promise<void> {
    await this.#store.update(key, { ...this.#read(), [context]: namespaces });
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
