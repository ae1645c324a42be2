/** Storage of small values, as VS Code's `Memento` is. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
