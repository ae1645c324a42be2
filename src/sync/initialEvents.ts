import type { JsonObject } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { ResourceVersion } from '../core/resource/snapshot.ts';
import type { Clock } from './clock.ts';
import type { WatchEnd, WatchEvent } from './clusterPort.ts';
import type { WatchNews } from './watchAttempt.ts';

/** Longest pause in the initial events of a watch, in ms, before the list is asked for in pages. */
export const initialPauseMs = 10_000;

/** What the initial events of a watch have come to. */
export type InitialStep =
  | { readonly kind: 'more' }
  /** Another page's worth of objects is there. */
  | { readonly kind: 'page'; readonly objects: readonly JsonObject[] }
  /** These are all objects that there were at this version. */
  | { readonly kind: 'complete'; readonly objects: readonly JsonObject[]; readonly version: ResourceVersion };

/** Gathers the list that a watch with initial events begins with. Source: KEP-3157. */
export class InitialEvents {
  readonly #pageSize: number;
  readonly #objects = new Map<string, JsonObject>();
  #page: JsonObject[] = [];

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  take(news: WatchNews): InitialStep {
    switch (news.kind) {
      case 'bookmark':
        if (!news.isInitialEventsEnd) return { kind: 'more' };
        return { kind: 'complete', objects: [...this.#objects.values()], version: news.resourceVersion };
      case 'deleted':
        this.#objects.delete(keyOf(news.object));
        return { kind: 'more' };
      case 'added':
      case 'modified': {
        this.#objects.set(keyOf(news.object), news.object);
        this.#page.push(news.object);
        if (this.#page.length < this.#pageSize) return { kind: 'more' };
        const objects = this.#page;
        this.#page = [];
        return { kind: 'page', objects };
      }
    }
  }
}

/**
 * Runs a watch that begins with a list, and gives it up where the server pauses longer than `initialPauseMs`
 * before the list is complete: one that does not know initial events sends objects, and never their end.
 */
export async function withinPauses(
  clock: Clock,
  isListed: () => boolean,
  onEvent: (event: WatchEvent) => void,
  watch: (onEvent: (event: WatchEvent) => void) => Promise<WatchEnd>,
): Promise<WatchEnd> {
  if (isListed()) return await watch(onEvent);
  let lastEventAt: number | undefined;
  let timer: Disposable | undefined;
  try {
    return await new Promise<WatchEnd>((resolve, reject) => {
      const look = (): void => {
        if (isListed() || lastEventAt === undefined) return;
        const leftMs = lastEventAt + initialPauseMs - clock.now();
        if (leftMs > 0) timer = clock.schedule(leftMs, look);
        else resolve({ kind: 'invalidAnswer', message: 'The server does not complete the list.' });
      };
      watch((event) => {
        const isFirst = lastEventAt === undefined;
        lastEventAt = clock.now();
        if (isFirst) look();
        onEvent(event);
      }).then(resolve, reject);
    });
  } finally {
    timer?.dispose();
  }
}

function keyOf(object: JsonObject): string {
  return `${metadataString(object, 'namespace') ?? ''}/${metadataString(object, 'name') ?? ''}`;
}
