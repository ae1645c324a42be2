import type { RequestFailure } from '../core/errors.ts';
import { type Disposable, Emitter, type Event } from '../core/lifecycle.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { CollectionRef } from '../core/resource/resourceRef.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';

/** Names a page; the same as a reflector's. */
const pageSize = 500;

/** Names held at most: more make a quick pick slow to type in. */
export const maxNames = 10_000;

/** How often a list whose pages expired is begun again before a person is asked. */
const maxRestarts = 1;

export interface ListedName {
  readonly name: string;
  readonly namespace?: string;
}

/** The names of a collection, read page by page as they are asked for; nothing is read before. */
export class PagedNames implements Disposable {
  readonly #cluster: Pick<ClusterPort, 'list'>;
  readonly #collection: CollectionRef;
  readonly #lifetime = new AbortController();
  readonly #changes = new Emitter<void>();
  #items: ListedName[] = [];
  #continueToken: string | undefined;
  #wanted = 0;
  #isComplete = false;
  #isLoading = false;
  #failure: RequestFailure | undefined;
  #remaining: number | undefined;

  readonly onDidChange: Event<void> = this.#changes.event;

  constructor(cluster: Pick<ClusterPort, 'list'>, collection: CollectionRef) {
    this.#cluster = cluster;
    this.#collection = collection;
  }

  get items(): readonly ListedName[] {
    return this.#items;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** As many are held as ever will be. */
  get isFull(): boolean {
    return this.#items.length >= maxNames;
  }

  /** Why the last page could not be read. */
  get failure(): RequestFailure | undefined {
    return this.#failure;
  }

  /** How many are left to read, where the server said so. */
  get remaining(): number | undefined {
    return this.#isComplete ? 0 : this.#remaining;
  }

  /** Reads one page more, or all that may be held. Does nothing after a failure. */
  load(howMany: 'page' | 'all'): void {
    this.#wanted = howMany === 'all' ? maxNames : Math.max(this.#wanted, this.#items.length + 1);
    if (this.#isLoading || this.#failure !== undefined) return;
    this.#isLoading = true;
    this.#loadWanted()
      .catch(() => {
        this.#failure = { kind: 'interrupted', message: 'The names could not be read.' };
      })
      .finally(() => {
        this.#isLoading = false;
        this.#changes.fire();
      });
  }

  /** Reads on after a failure. */
  retry(): void {
    this.#failure = undefined;
    this.load('page');
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#changes.dispose();
  }

  async #loadWanted(): Promise<void> {
    const { signal } = this.#lifetime;
    let restarts = 0;
    while (!this.#isComplete && !this.isFull && this.#items.length < this.#wanted) {
      const token = this.#continueToken;
      const options = { content: 'metadata', limit: pageSize } as const;
      const outcome = await this.#cluster.list(
        this.#collection,
        token === undefined ? options : { ...options, continueToken: token },
        signal,
      );
      if (signal.aborted) return;
      if (outcome.kind === 'expired' && token !== undefined && restarts++ < maxRestarts) {
        // The pages read so far belong to a list that can no longer be ended.
        this.#items = [];
        this.#continueToken = undefined;
        continue;
      }
      if (outcome.kind !== 'ok') {
        this.#failure = outcome;
        return;
      }
      const { objects, continueToken, remainingItemCount } = outcome.value;
      for (const object of objects) {
        const namespace = metadataString(object, 'namespace');
        const name = metadataString(object, 'name') ?? '';
        this.#items.push(namespace === undefined ? { name } : { name, namespace });
      }
      this.#continueToken = continueToken;
      this.#isComplete = continueToken === undefined;
      this.#remaining = remainingItemCount;
      this.#changes.fire();
    }
  }
}
