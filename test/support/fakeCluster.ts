import type { Outcome, RequestFailure } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { CollectionRef } from '../../src/core/resource/resourceRef.ts';
import { toResourceVersion } from '../../src/core/resource/snapshot.ts';
import type {
  ClusterPort,
  ListOptions,
  ListPage,
  WatchEnd,
  WatchEvent,
  WatchOptions,
} from '../../src/sync/clusterPort.ts';
import { settled } from './fakeClock.ts';

/** A list that waits for the test to answer it. */
export interface PendingList {
  readonly kind: 'list';
  readonly collection: CollectionRef;
  readonly options: ListOptions;
  readonly signal: AbortSignal;
  answer(outcome: Outcome<ListPage>): Promise<void>;
  /** Answers with one page. */
  page(objects: readonly JsonObject[], resourceVersion?: string, continueToken?: string): Promise<void>;
}

/** A watch that the test feeds. */
export interface PendingWatch {
  readonly kind: 'watch';
  readonly collection: CollectionRef;
  readonly options: WatchOptions;
  readonly signal: AbortSignal;
  open(): Promise<void>;
  send(...events: WatchEvent[]): Promise<void>;
  end(end?: WatchEnd): Promise<void>;
}

/** The reading half of a cluster, answered by hand. Requests are kept in order. */
export class FakeCluster implements Pick<ClusterPort, 'list' | 'watch'> {
  readonly requests: (PendingList | PendingWatch)[] = [];
  /** False for a server that refuses watches with initial events. */
  streamsLists = false;

  list(collection: CollectionRef, options: ListOptions, signal: AbortSignal): Promise<Outcome<ListPage>> {
    return new Promise((resolve) => {
      const answer = (outcome: Outcome<ListPage>): Promise<void> => {
        resolve(outcome);
        return settled();
      };
      signal.addEventListener('abort', () => {
        resolve({ kind: 'aborted' });
      });
      this.requests.push({
        kind: 'list',
        collection,
        options,
        signal,
        answer,
        page: (objects, resourceVersion = '100', continueToken) =>
          answer({
            kind: 'ok',
            value: {
              objects,
              resourceVersion: toResourceVersion(resourceVersion),
              ...(continueToken === undefined ? {} : { continueToken }),
            },
          }),
      });
    });
  }

  watch(
    collection: CollectionRef,
    options: WatchOptions,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<WatchEnd> {
    if (options.sendsInitialEvents === true && !this.streamsLists) return Promise.resolve(failure('refused'));
    return new Promise((resolve) => {
      const send = (...events: WatchEvent[]): Promise<void> => {
        for (const event of events) onEvent(event);
        return settled();
      };
      signal.addEventListener('abort', () => {
        resolve({ kind: 'aborted' });
      });
      this.requests.push({
        kind: 'watch',
        collection,
        options,
        signal,
        open: () => send({ kind: 'opened' }),
        send,
        end: (end = { kind: 'ended' }) => {
          resolve(end);
          return settled();
        },
      });
    });
  }

  /** The requests as words, such as `list` and `watch 100`. */
  get log(): string[] {
    return this.requests.map((request) =>
      request.kind === 'list'
        ? 'list'
        : `watch ${request.options.sendsInitialEvents === true ? 'all' : (request.options.resourceVersion ?? 'newest')}`,
    );
  }

  /** The newest request, which must be a list. */
  get lastList(): PendingList {
    const last = this.requests.at(-1);
    if (last?.kind !== 'list') throw new Error(`the last request is no list: ${this.log.join(', ')}`);
    return last;
  }

  /** The newest request, which must be a watch. */
  get lastWatch(): PendingWatch {
    const last = this.requests.at(-1);
    if (last?.kind !== 'watch') throw new Error(`the last request is no watch: ${this.log.join(', ')}`);
    return last;
  }
}

/** A small object; `uid` is made of the name unless given. */
export function fakeObject(name: string, resourceVersion: string, uid = `uid-${name}`): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', uid, resourceVersion },
    data: { version: resourceVersion },
  };
}

/** A failure of each kind with plain words. */
export function failure(
  kind: Exclude<RequestFailure['kind'], 'aborted'>,
  more?: { retryAfterMs?: number; code?: number },
): RequestFailure {
  const message = `it is ${kind}`;
  switch (kind) {
    case 'throttled':
    case 'versionTooLarge':
      return { kind, message, retryAfterMs: more?.retryAfterMs ?? 1_000 };
    case 'refused':
      return { kind, message, code: more?.code ?? 405 };
    case 'serverError':
      return { kind, message, code: more?.code ?? 500, ...more };
    default:
      return { kind, message };
  }
}
