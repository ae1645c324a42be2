/** A place for secrets that outlives the editor. VS Code's SecretStorage has this shape. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
}
