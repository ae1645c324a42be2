import type { RequestFailure } from '../core/errors.ts';
import { type JsonObject, memberAt } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { CollectionRef } from '../core/resource/resourceRef.ts';
import { rowDetails } from '../core/resource/rowObject.ts';
import type { Liveness } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import type { Delta } from '../sync/delta.ts';
import { Reflector } from '../sync/reflector.ts';
import { compareText } from './treeKinds.ts';

/** What a row shows of an object. */
export interface CollectionItem {
  readonly name: string;
  readonly namespace?: string | undefined;
  isTerminating: boolean;
  createdAt?: string | undefined;
  /** The server's own columns in words; '' where it has none. */
  summary: string;
  /** What keeps the object as it is, such as `ReplicaSet web-5d4b`; '' for nothing. */
  owner: string;
}

/** How the items stand against the cluster. */
export type CollectionState =
  /** Nothing was answered yet. */
  | { readonly kind: 'loading' }
  | { readonly kind: 'current' }
  /** There is nothing to show. */
  | ({ readonly kind: 'failed' } & CollectionTrouble)
  /** The items were right once: at `since`, in ms since the epoch, where that is known. */
  | ({ readonly kind: 'outdated'; readonly since?: number } & CollectionTrouble);

/** Why the items cannot be had, in words, and by which kind of failure; `lost` where only the connection is gone. */
export interface CollectionTrouble {
  readonly reason: string;
  readonly cause: RequestFailure['kind'] | 'lost';
}

/** How long a lost watch may take to come back, in ms, before the items count as outdated. */
export const outdatedAfterMs = 3_000;

export interface LiveCollectionOptions<Item extends CollectionItem> {
  readonly cluster: Pick<ClusterPort, 'list' | 'watch'>;
  readonly collection: CollectionRef;
  readonly clock: Clock;
  /** Makes the item of an object that was not there before. */
  readonly create: (name: string, namespace: string | undefined) => Item;
  /**
   * Told of changes: `items` where these only look different, undefined where items came or went or the
   * state changed.
   */
  readonly onChange: (items: readonly Item[] | undefined) => void;
  readonly onError?: (error: unknown) => void;
}

/** The names of one collection, kept live by a reflector while started. Items keep their identity. */
export class LiveCollection<Item extends CollectionItem> implements Disposable {
  readonly #options: LiveCollectionOptions<Item>;
  #reflector: Reflector | undefined;
  readonly #items = new Map<string, Item>();
  readonly #namespaces = new Map<string, string>();
  #sorted: Item[] | undefined;
  #hasAnswer = false;
  #isComplete = false;
  #remaining: number | undefined;
  #failure: RequestFailure | undefined;
  #liveness: Liveness | undefined;
  /** A list failed, or the watch stayed away, since the items were right. */
  #isOutdated = false;
  #outdatedTimer: Disposable | undefined;
  #waiting: (() => void)[] = [];
  #toldState = '';

  constructor(options: LiveCollectionOptions<Item>) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#reflector !== undefined;
  }

  /** All pages of the list were read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How many items are still to come, where the server said so. */
  get remaining(): number | undefined {
    return this.#isComplete ? undefined : this.#remaining;
  }

  get count(): number {
    return this.#items.size;
  }

  /** By namespace, then name; the same array as long as nothing comes or goes in numbers. */
  get items(): readonly Item[] {
    this.#sorted ??= [...this.#items.values()].sort(compareItems);
    return this.#sorted;
  }

  get state(): CollectionState {
    const { reason, cause } = this.#trouble();
    if (!this.#hasAnswer) {
      return reason === undefined ? { kind: 'loading' } : { kind: 'failed', reason, cause };
    }
    if (!this.#isOutdated) return { kind: 'current' };
    const outdated = { kind: 'outdated', reason: reason ?? 'The connection was lost.', cause } as const;
    return this.#liveness?.kind === 'reconnecting' ? { ...outdated, since: this.#liveness.since } : outdated;
  }

  /** The item of this name, where it was listed. */
  find(namespace: string | undefined, name: string): Item | undefined {
    return this.#items.get(printKey(namespace, name));
  }

  start(): void {
    if (this.#reflector !== undefined) return;
    const { cluster, collection, clock, onError } = this.#options;
    this.#reflector = new Reflector({
      cluster,
      collection,
      content: 'rows',
      clock,
      onDelta: (delta) => {
        this.#take(delta);
      },
      onLiveness: (liveness) => {
        this.#setLiveness(liveness);
      },
      onFailure: (failure, phase) => {
        this.#failure = failure;
        if (phase === 'list') this.#isOutdated = true;
        this.#noteState();
      },
      ...(onError === undefined ? {} : { onError }),
    });
    this.#reflector.start();
  }

  /** Ends the watch and forgets the items. */
  stop(): void {
    this.#reflector?.dispose();
    this.#reflector = undefined;
    this.#outdatedTimer?.dispose();
    this.#outdatedTimer = undefined;
    this.#items.clear();
    this.#namespaces.clear();
    this.#sorted = undefined;
    this.#hasAnswer = false;
    this.#isComplete = false;
    this.#failure = undefined;
    this.#liveness = undefined;
    this.#isOutdated = false;
    this.#wakeWaiting();
  }

  /** Reads the list again; the items stay meanwhile. */
  relist(): void {
    this.#forgetFailure();
    this.#reflector?.relist();
  }

  /** Tries at once what waits for its next attempt. */
  retry(): void {
    this.#forgetFailure();
    this.#reflector?.retryNow();
  }

  /** Resolves when there is something to show, be it a failure; or when stopped. */
  settled(): Promise<void> {
    if (!this.isStarted || this.state.kind !== 'loading') return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  dispose(): void {
    this.stop();
  }

  /** Where there is nothing but a failure to show, `loading` is shown until the next answer. */
  #forgetFailure(): void {
    if (this.#hasAnswer || !this.isStarted) return;
    this.#failure = undefined;
    this.#liveness = undefined;
    this.#noteState();
  }

  #take(delta: Delta): void {
    switch (delta.kind) {
      case 'page':
        this.#remaining = delta.remainingItemCount;
        this.#hasAnswer = true;
        this.#putAll(delta.objects);
        this.#changed(undefined);
        return;
      case 'replaced':
        this.#takeAll(delta.objects);
        return;
      case 'deleted': {
        const item = this.#items.get(keyOf(delta.object));
        this.#items.delete(keyOf(delta.object));
        if (item !== undefined) this.#sorted?.splice(this.#placeOf(item), 1);
        this.#changed(undefined);
        return;
      }
      default: {
        // One item more or less is no reason to sort thousands anew.
        const sorted = this.#sorted;
        const change = this.#put(delta.object);
        if (change.kind === 'created' && sorted !== undefined) {
          this.#sorted = sorted;
          sorted.splice(this.#placeOf(change.item), 0, change.item);
        }
        if (change.kind === 'created') this.#changed(undefined);
        else if (change.kind === 'altered') this.#changed([change.item]);
      }
    }
  }

  #takeAll(objects: readonly JsonObject[]): void {
    const gone = new Set(this.#items.keys());
    for (const object of objects) gone.delete(keyOf(object));
    const isSame = this.#putAll(objects) && this.#isComplete;
    for (const key of gone) this.#items.delete(key);
    if (gone.size > 0) this.#sorted = undefined;
    this.#hasAnswer = true;
    this.#isComplete = true;
    this.#isOutdated = false;
    this.#failure = undefined;
    if (isSame && gone.size === 0) this.#noteState();
    else this.#changed(undefined);
  }

  /** Tells of items that look different, each for itself. @returns whether none was created */
  #putAll(objects: readonly JsonObject[]): boolean {
    const changes = objects.map((object) => this.#put(object));
    const altered = changes.filter(({ kind }) => kind === 'altered').map(({ item }) => item);
    if (altered.length > 0) this.#options.onChange(altered);
    return changes.every(({ kind }) => kind !== 'created');
  }

  #put(object: JsonObject): { kind: 'created' | 'altered' | 'same'; item: Item } {
    const key = keyOf(object);
    const isTerminating = memberAt(object, 'metadata', 'deletionTimestamp') !== undefined;
    const createdAt = metadataString(object, 'creationTimestamp');
    const before = this.#items.get(key);
    const { summary = '', owner = '' } = rowDetails(object);
    const namespace = this.#share(metadataString(object, 'namespace'));
    const item = before ?? this.#options.create(metadataString(object, 'name') ?? '', namespace);
    const isAltered =
      item.isTerminating !== isTerminating || item.summary !== summary || item.owner !== owner;
    item.isTerminating = isTerminating;
    item.summary = summary;
    item.owner = owner;
    item.createdAt = createdAt;
    if (before !== undefined) return { kind: isAltered ? 'altered' : 'same', item };
    this.#items.set(key, item);
    this.#sorted = undefined;
    return { kind: 'created', item };
  }

  /** Where the item is among the sorted ones, or belongs. */
  #placeOf(item: Item): number {
    const sorted = this.#sorted ?? [];
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = sorted[middle];
      if (other !== undefined && compareItems(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** One string for all items of a namespace. */
  #share(namespace: string | undefined): string | undefined {
    if (namespace === undefined) return undefined;
    const known = this.#namespaces.get(namespace);
    if (known === undefined) this.#namespaces.set(namespace, namespace);
    return known ?? namespace;
  }

  #setLiveness(liveness: Liveness): void {
    this.#liveness = liveness;
    this.#outdatedTimer?.dispose();
    this.#outdatedTimer = undefined;
    switch (liveness.kind) {
      case 'live':
        this.#failure = undefined;
        this.#isOutdated = false;
        break;
      case 'notWatched':
        this.#isOutdated = true;
        break;
      case 'reconnecting':
        this.#outdatedTimer = this.#options.clock.schedule(outdatedAfterMs, () => {
          this.#isOutdated = true;
          this.#noteState();
        });
    }
    this.#noteState();
  }

  #trouble(): { reason: string | undefined; cause: CollectionTrouble['cause'] } {
    const failure = this.#failure;
    const reason =
      this.#liveness?.kind === 'notWatched'
        ? this.#liveness.reason
        : failure === undefined || failure.kind === 'aborted'
          ? undefined
          : failure.message;
    return { reason, cause: failure?.kind ?? 'lost' };
  }

  /** Tells of a change where the state is another than the one last told. */
  #noteState(): void {
    if (JSON.stringify(this.state) !== this.#toldState) this.#changed(undefined);
  }

  #changed(items: readonly Item[] | undefined): void {
    this.#toldState = JSON.stringify(this.state);
    this.#wakeWaiting();
    this.#options.onChange(items);
  }

  #wakeWaiting(): void {
    if (this.isStarted && this.state.kind === 'loading') return;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

function compareItems(left: CollectionItem, right: CollectionItem): number {
  return compareText(left.namespace ?? '', right.namespace ?? '') || compareText(left.name, right.name);
}

function keyOf(object: JsonObject): string {
  return printKey(metadataString(object, 'namespace'), metadataString(object, 'name') ?? '');
}

function printKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
