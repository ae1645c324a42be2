import type { Outcome, RequestFailure } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { DisposableStore } from '../../src/core/lifecycle.ts';
import { metadataString } from '../../src/core/resource/kubeObject.ts';
import type { CollectionRef } from '../../src/core/resource/resourceRef.ts';
import { type ResourceVersion, toResourceVersion } from '../../src/core/resource/snapshot.ts';
import type { Clock } from '../../src/sync/clock.ts';
import type {
  ClusterPort,
  ListOptions,
  ListPage,
  WatchEnd,
  WatchEvent,
  WatchOptions,
} from '../../src/sync/clusterPort.ts';
import { fakeObject, failure } from './fakeCluster.ts';

/** What the next request meets. `stall` opens a watch, or takes a list, and then says nothing. */
export type Fault =
  | 'unreachable'
  | 'interrupted'
  | 'serverError'
  | 'throttled'
  | 'versionTooLarge'
  | 'expired'
  | 'expiredEvent'
  | 'stall'
  | 'closeAtOnce'
  /** A watch with initial events does not begin with them, or does not say where they end. */
  | 'refused'
  | 'noMark';

interface Change {
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly version: number;
  readonly object: JsonObject;
}

interface OpenWatch {
  /** Changes up to this version were sent. */
  sentVersion: number;
  readonly isStalled: boolean;
  readonly send: (event: WatchEvent) => void;
  readonly end: (end: WatchEnd) => void;
}

/** How long the transport waits for the answer to a list, in ms. */
const listTimeoutMs = 30_000;

/**
 * A server of one collection with history, compaction, pages, bookmarks and faults: a model of what the
 * API promises. Its versions are numbers; only the model may compare them.
 */
export class ModelCluster implements Pick<ClusterPort, 'list' | 'watch'> {
  readonly #clock: Clock;
  readonly #pageSize: number;
  readonly objects = new Map<string, JsonObject>();
  readonly faults: Fault[] = [];
  /** How many changes between the last list and a watch's resume point are sent again. */
  replayed = 0;
  openRequests = 0;
  mostOpenRequests = 0;
  totalRequests = 0;
  #history: Change[] = [];
  #snapshots = new Map<number, readonly JsonObject[]>();
  #version = 10;
  #compacted = 0;
  /** The version of the last list that was begun. */
  #listedVersion = 0;
  #created = 0;
  readonly #watches = new Set<OpenWatch>();

  constructor(clock: Clock, pageSize: number) {
    this.#clock = clock;
    this.#pageSize = pageSize;
  }

  /** Creates the object, or changes it where it is there. */
  put(name: string): void {
    const before = this.objects.get(name);
    const uid = before === undefined ? `uid-${++this.#created}` : uidOf(before);
    const object = fakeObject(name, String(++this.#version), uid);
    this.objects.set(name, object);
    this.#record({ kind: before === undefined ? 'added' : 'modified', version: this.#version, object });
  }

  delete(name: string): void {
    const before = this.objects.get(name);
    if (before === undefined) return;
    this.objects.delete(name);
    const object = fakeObject(name, String(++this.#version), uidOf(before));
    this.#record({ kind: 'deleted', version: this.#version, object });
  }

  /** Forgets all history: older versions and continue tokens expire. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
    this.#snapshots.clear();
  }

  /** Other parts of the store change: the version moves on. */
  passVersions(): void {
    this.#version++;
  }

  bookmark(): void {
    for (const watch of this.#live()) {
      const resourceVersion = versionText(this.#version);
      watch.send({ kind: 'bookmark', resourceVersion, isInitialEventsEnd: false });
    }
  }

  endWatches(end: WatchEnd): void {
    for (const watch of [...this.#watches]) watch.end(end);
  }

  list(_collection: CollectionRef, options: ListOptions, signal: AbortSignal): Promise<Outcome<ListPage>> {
    return this.#request(signal, (finish: (outcome: Outcome<ListPage>) => void, owned) => {
      const fault = this.faults.shift();
      if (fault !== 'stall') {
        finish(toFailure(fault) ?? this.#page(options));
        return;
      }
      owned.add(
        this.#clock.schedule(listTimeoutMs, () => {
          finish(failure('interrupted'));
        }),
      );
    });
  }

  watch(
    _collection: CollectionRef,
    options: WatchOptions,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<WatchEnd> {
    return this.#request(signal, (finish: (end: WatchEnd) => void, owned) => {
      const fault = this.faults.shift();
      const failed = toFailure(fault);
      const isStreamed = options.sendsInitialEvents === true;
      if (isStreamed && fault === 'refused') {
        finish(failure('refused'));
        return;
      }
      const resumeVersion = isStreamed ? this.#version : Number(options.resourceVersion);
      if (failed !== undefined) {
        finish(failed);
        return;
      }
      onEvent({ kind: 'opened' });
      if (fault === 'expiredEvent' || resumeVersion < this.#compacted) {
        onEvent({ kind: 'error', failure: failure('expired') });
        finish({ kind: 'ended' });
        return;
      }
      const isStalled = fault === 'stall';
      const watch = { sentVersion: resumeVersion, isStalled, send: onEvent, end: finish };
      if (!isStalled) {
        if (isStreamed) this.#sendAll(onEvent, fault !== 'noMark');
        else for (const change of this.#replay(resumeVersion)) onEvent(change);
        this.#pump(watch);
        const endMs = fault === 'closeAtOnce' ? 0 : options.timeoutSeconds * 1_000;
        owned.add(
          this.#clock.schedule(endMs, () => {
            finish({ kind: 'ended' });
          }),
        );
      }
      this.#watches.add(watch);
      owned.add({ dispose: () => this.#watches.delete(watch) });
    });
  }

  #page({ limit, continueToken }: ListOptions): Outcome<ListPage> {
    const [version, start] =
      continueToken === undefined ? [this.#version, 0] : (JSON.parse(continueToken) as [number, number]);
    if (continueToken === undefined) {
      this.#snapshots.set(version, [...this.objects.values()]);
      this.#listedVersion = version;
    }
    const objects = this.#snapshots.get(version);
    if (objects === undefined) return failure('expired');
    const end = start + Math.min(limit ?? Infinity, this.#pageSize);
    return {
      kind: 'ok',
      value: {
        objects: objects.slice(start, end),
        resourceVersion: versionText(version),
        ...(limit !== undefined && end < objects.length
          ? { continueToken: JSON.stringify([version, end]) }
          : {}),
        ...(limit === undefined ? { objects } : {}),
      },
    };
  }

  #sendAll(onEvent: (event: WatchEvent) => void, isMarked: boolean): void {
    this.#listedVersion = this.#version;
    for (const object of this.objects.values()) onEvent({ kind: 'added', object });
    const resourceVersion = versionText(this.#version);
    if (isMarked) onEvent({ kind: 'bookmark', resourceVersion, isInitialEventsEnd: true });
  }

  #replay(resumeVersion: number): Change[] {
    if (this.replayed === 0) return [];
    const isPast = ({ version }: Change): boolean =>
      version > this.#listedVersion && version <= resumeVersion;
    return this.#history.filter(isPast).slice(-this.replayed);
  }

  #record(change: Change): void {
    this.#history.push(change);
    for (const watch of this.#live()) this.#pump(watch);
  }

  #live(): OpenWatch[] {
    return [...this.#watches].filter(({ isStalled }) => !isStalled);
  }

  #pump(watch: OpenWatch): void {
    for (const change of this.#history) {
      if (change.version <= watch.sentVersion) continue;
      watch.sentVersion = change.version;
      watch.send(change);
    }
  }

  #request<T>(
    signal: AbortSignal,
    start: (finish: (end: T | RequestFailure) => void, owned: DisposableStore) => void,
  ): Promise<T | RequestFailure> {
    this.totalRequests++;
    this.openRequests++;
    this.mostOpenRequests = Math.max(this.mostOpenRequests, this.openRequests);
    return new Promise((resolve) => {
      const owned = new DisposableStore();
      let isOver = false;
      const finish = (end: T | RequestFailure): void => {
        if (isOver) return;
        isOver = true;
        this.openRequests--;
        owned.dispose();
        resolve(end);
      };
      signal.addEventListener('abort', () => {
        finish({ kind: 'aborted' });
      });
      start(finish, owned);
    });
  }
}

function toFailure(fault: Fault | undefined): RequestFailure | undefined {
  switch (fault) {
    case undefined:
    case 'stall':
    case 'expiredEvent':
    case 'closeAtOnce':
    case 'refused':
    case 'noMark':
      return undefined;
    default:
      return failure(fault);
  }
}

function uidOf(object: JsonObject): string {
  return metadataString(object, 'uid') ?? '';
}

function versionText(version: number): ResourceVersion {
  const text = toResourceVersion(String(version));
  if (text === undefined) throw new Error('no version');
  return text;
}
