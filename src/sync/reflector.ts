import { assertNever } from '../core/assertNever.ts';
import type { Outcome, RequestFailure } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { CollectionRef } from '../core/resource/resourceRef.ts';
import { type ResourceVersion, toResourceVersion } from '../core/resource/snapshot.ts';
import type { Liveness } from '../core/session/sessionView.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { ClusterPort, ListOptions, ListPage } from './clusterPort.ts';
import type { Delta } from './delta.ts';
import { InitialEvents, withinPauses } from './initialEvents.ts';
import { KnownVersions } from './knownVersions.ts';
import { type AttemptEnd, needsPages, planNext } from './reflectorPlan.ts';
import { withoutBulk } from './rowContent.ts';
import { attemptWatch, type WatchNews } from './watchAttempt.ts';

/** Objects a page of a list. Source: client-go pager, 500. */
export const defaultPageSize = 500;

/** How many times larger later pages of rows are: the first is small to come at once, and rows are short. */
const laterPageFactor = 4;

/** Longest a server is asked to keep a watch, in s; chance takes up to a quarter off. */
export const maxWatchSeconds = 90;

/** How long after its timeout a server may still end a watch, in ms, before it counts as dead. */
export const silenceMarginMs = 10_000;

/** A watch that held this long, in ms, was a good one: failures are counted from zero again. */
export const steadyMs = 10_000;

/** How long a watch may take to open, in ms, before it is told that nothing is watched meanwhile. */
export const slowOpeningMs = 3_000;

/** After failures, a watch must hold this long, in ms, before it is called live. */
export const settleMs = 1_000;

/** Lists that expired half-way, after which a list is asked for in one piece. */
const maxExpiredLists = 2;

export interface ReflectorOptions {
  readonly cluster: Pick<ClusterPort, 'list' | 'watch'>;
  readonly collection: CollectionRef;
  /** `metadata` comes without managedFields. */
  readonly content: ListOptions['content'];
  /** One object's name, for a collection of one. */
  readonly name?: string;
  readonly pageSize?: number;
  /**
   * Lists come as the initial events of a watch where the server serves them so, in one request with the watch;
   * otherwise page by page. Pages cost fewer bytes an object.
   */
  readonly streamsLists?: boolean;
  readonly clock: Clock;
  readonly onDelta: (delta: Delta) => void;
  /** Called on every change; not before the first answer. */
  readonly onLiveness: (liveness: Liveness) => void;
  /** Told why an attempt failed, before liveness changes; nothing needs doing. */
  readonly onFailure?: (failure: RequestFailure, phase: 'list' | 'watch') => void;
  /** Told what a handler or the cluster port threw: a bug, which does not end the loop. */
  readonly onError?: (error: unknown) => void;
}

type LoopEnd = AttemptEnd | { readonly kind: 'listed' };

/**
 * Keeps a consumer in step with a collection: lists it, then watches it from the list's version,
 * for ever. At most one request is open at a time. Source: design.md section 6; client-go reflector.
 *
 * Deltas: `page` for each page of a list but the last, `replaced` when a list is complete, then the
 * changes. An event that was seen before is not handed over. After `dispose` nothing is called.
 */
export class Reflector implements Disposable {
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  readonly #known = new KnownVersions();
  #isStarted = false;
  #isDisposed = false;
  /** Ends the request under way. */
  #attempt: AbortController | undefined;
  /** Ends the pause under way. */
  #wake: (() => void) | undefined;
  /** Asked to skip the next pause. */
  #isHurried = false;
  #mustList = true;
  #streamsLists: boolean;
  #resumeVersion: ResourceVersion | undefined;
  #expiredLists = 0;
  #liveness: Liveness | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#streamsLists = options.streamsLists === true;
    this.#backoff = new Backoff(options.clock);
  }

  /** Starts the loop, once. */
  start(): void {
    if (this.#isStarted || this.#isDisposed) return;
    this.#isStarted = true;
    this.#run().catch((error: unknown) => {
      this.#report(error);
    });
  }

  /** Ends a pause or a stop: the next attempt is made at once. A request under way is left alone. */
  retryNow(): void {
    this.#backoff.reset();
    this.#isHurried = true;
    this.#wake?.();
  }

  /** Lists again from the start, whatever is under way. */
  relist(): void {
    this.#mustList = true;
    this.#attempt?.abort();
    this.retryNow();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#attempt?.abort();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#isDisposed) {
      const isStreamed = this.#mustList && this.#streamsLists;
      const attempt = new AbortController();
      this.#attempt = attempt;
      this.#isHurried = false;
      const end = await (this.#mustList && !isStreamed
        ? this.#list(attempt.signal)
        : this.#watch(attempt.signal, isStreamed));
      this.#attempt = undefined;
      if (end.kind === 'listed' || attempt.signal.aborted) continue;
      const phase = this.#mustList ? 'list' : 'watch';
      if (isStreamed && phase === 'list' && needsPages(end)) {
        this.#streamsLists = false;
        continue;
      }
      const step = planNext(end, phase, this.#backoff);
      this.#mustList ||= step.mustList;
      if (end.kind !== 'ended' && end.kind !== 'silent') this.#tellFailure(end, phase);
      if (step.stopReason !== undefined) this.#setStopped(step.stopReason, step.needsSignIn);
      else if (!step.isOrdinary) this.#setLost(this.#options.clock.now());
      if (step.pauseMs !== 0) await this.#pause(step.pauseMs);
    }
  }

  async #list(signal: AbortSignal): Promise<LoopEnd> {
    const objects: JsonObject[] = [];
    const aborted = untilAborted(signal);
    let resourceVersion: ResourceVersion | undefined;
    let continueToken: string | undefined;
    do {
      const outcome = await Promise.race([this.#requestPage(signal, continueToken), aborted]);
      if (signal.aborted) return { kind: 'aborted' };
      if (outcome.kind !== 'ok') {
        if (outcome.kind === 'expired' && continueToken !== undefined) this.#expiredLists++;
        return outcome;
      }
      const page = outcome.value;
      if (continueToken === undefined) resourceVersion = page.resourceVersion;
      else if (page.continueToken === continueToken) {
        return { kind: 'invalidAnswer', message: 'The server repeats the same page of the list.' };
      }
      continueToken = page.continueToken;
      const pageObjects = page.objects.map((object) => this.#contentOf(object));
      for (const object of pageObjects) objects.push(object);
      if (continueToken !== undefined && !this.#emitPage(pageObjects, page.remainingItemCount, signal)) {
        return { kind: 'aborted' };
      }
    } while (continueToken !== undefined);
    this.#expiredLists = 0;
    this.#takeList(objects, resourceVersion);
    return { kind: 'listed' };
  }

  #takeList(objects: readonly JsonObject[], resourceVersion: ResourceVersion | undefined): void {
    this.#mustList = false;
    this.#resumeVersion = resourceVersion;
    this.#known.replace(objects);
    this.#emit({ kind: 'replaced', objects });
  }

  async #requestPage(signal: AbortSignal, continueToken: string | undefined): Promise<Outcome<ListPage>> {
    const { cluster, collection, content, name, pageSize = defaultPageSize } = this.#options;
    const isPaged = name === undefined && this.#expiredLists < maxExpiredLists;
    const isLater = content === 'rows' && continueToken !== undefined;
    const limit = isLater ? pageSize * laterPageFactor : pageSize;
    const options = {
      content,
      ...(name === undefined ? {} : { name }),
      ...(isPaged ? { limit } : {}),
      ...(continueToken === undefined ? {} : { continueToken }),
    };
    try {
      return await cluster.list(collection, options, signal);
    } catch (error) {
      return this.#toFailure(error);
    }
  }

  /** @param isStreamed the list comes with it, first */
  async #watch(signal: AbortSignal, isStreamed: boolean): Promise<LoopEnd> {
    const { cluster, collection, content, name, clock, pageSize = defaultPageSize } = this.#options;
    const timeoutSeconds = Math.round(maxWatchSeconds * (1 - 0.25 * clock.random()));
    const options = {
      content,
      timeoutSeconds,
      resourceVersion: isStreamed ? undefined : this.#resumeVersion,
      ...(isStreamed ? { sendsInitialEvents: true } : {}),
      ...(name === undefined ? {} : { name }),
    };
    const setLive = (): void => {
      this.#setLiveness({ kind: 'live' });
    };
    let initial = isStreamed ? new InitialEvents(pageSize) : undefined;
    const isListed = (): boolean => initial === undefined;
    let settling: Disposable | undefined;
    const startedAt = clock.now();
    // Such as where the answer's headers do not come, or too many watches are open.
    const opening = clock.schedule(slowOpeningMs, () => {
      this.#setLost(startedAt);
    });
    const { end, openMs, lastSignAt } = await attemptWatch({
      clock,
      signal,
      silenceMs: timeoutSeconds * 1_000 + silenceMarginMs,
      open: (onEvent, requestSignal) =>
        withinPauses(clock, isListed, onEvent, (onTimedEvent) =>
          cluster.watch(collection, options, onTimedEvent, requestSignal),
        ),
      onOpened: () => {
        opening.dispose();
        if (!isListed()) return;
        if (this.#backoff.failures === 0) setLive();
        else settling ??= clock.schedule(settleMs, setLive);
      },
      onNews: (news) => {
        if (initial === undefined) this.#take(news);
        else if (this.#takeInitial(initial, news, signal)) initial = undefined;
        else return;
        if (!signal.aborted) setLive();
      },
      toFailure: (error) => this.#toFailure(error),
    });
    opening.dispose();
    settling?.dispose();
    if (openMs >= steadyMs) this.#backoff.reset();
    if (end.kind === 'silent') this.#setLost(lastSignAt);
    return end;
  }

  /** @returns true where the list is complete */
  #takeInitial(initial: InitialEvents, news: WatchNews, signal: AbortSignal): boolean {
    const step = initial.take(
      news.kind === 'bookmark' ? news : { ...news, object: this.#contentOf(news.object) },
    );
    switch (step.kind) {
      case 'more':
        return false;
      case 'page':
        this.#emitPage(step.objects, undefined, signal);
        return false;
      case 'complete':
        this.#takeList(step.objects, step.version);
        return true;
      default:
        return assertNever(step);
    }
  }

  #take(news: WatchNews): void {
    if (news.kind === 'bookmark') {
      this.#resumeVersion = news.resourceVersion;
      return;
    }
    const object = this.#contentOf(news.object);
    const kind = news.kind === 'deleted' ? this.#known.remove(object) : this.#known.see(object);
    if (kind === 'known') return;
    this.#resumeVersion = toResourceVersion(metadataString(object, 'resourceVersion')) ?? this.#resumeVersion;
    this.#emit({ kind, object });
  }

  #contentOf(object: JsonObject): JsonObject {
    return this.#options.content === 'metadata' ? withoutBulk(object) : object;
  }

  /** Resolves after the pause, or when asked to try at once, or disposed. */
  #pause(pauseMs: number | 'never'): Promise<void> {
    if (this.#isHurried || this.#isDisposed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer =
        pauseMs === 'never' ? undefined : this.#options.clock.schedule(pauseMs, () => this.#wake?.());
      this.#wake = () => {
        this.#wake = undefined;
        timer?.dispose();
        resolve();
      };
    });
  }

  #setLost(since: number): void {
    if (this.#liveness?.kind !== 'reconnecting') this.#setLiveness({ kind: 'reconnecting', since });
  }

  #setStopped(reason: string, needsSignIn: true | undefined): void {
    this.#setLiveness({ kind: 'notWatched', reason, ...(needsSignIn === undefined ? {} : { needsSignIn }) });
  }

  #setLiveness(liveness: Liveness): void {
    if (isSameLiveness(this.#liveness, liveness)) return;
    this.#liveness = liveness;
    this.#call(() => {
      this.#options.onLiveness(liveness);
    });
  }

  #tellFailure(failure: RequestFailure, phase: 'list' | 'watch'): void {
    this.#call(() => this.#options.onFailure?.(failure, phase));
  }

  /** @returns false where the handler ended the list */
  #emitPage(
    objects: readonly JsonObject[],
    remainingItemCount: number | undefined,
    signal: AbortSignal,
  ): boolean {
    this.#emit({
      kind: 'page',
      objects,
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    });
    return !signal.aborted;
  }

  #emit(delta: Delta): void {
    this.#call(() => {
      this.#options.onDelta(delta);
    });
  }

  #toFailure(error: unknown): RequestFailure {
    this.#report(error);
    return { kind: 'interrupted', message: 'The request ended in an internal error.' };
  }

  #report(error: unknown): void {
    this.#call(() => this.#options.onError?.(error), true);
  }

  /** Calls a handler, unless disposed; what it throws is reported and goes no further. */
  #call(handler: () => void, isReport = false): void {
    if (this.#isDisposed) return;
    try {
      handler();
    } catch (error) {
      if (!isReport) this.#report(error);
    }
  }
}

function isSameLiveness(left: Liveness | undefined, right: Liveness): boolean {
  if (left?.kind !== right.kind) return false;
  return left.kind !== 'notWatched' || right.kind !== 'notWatched' || left.reason === right.reason;
}

function untilAborted(signal: AbortSignal): Promise<RequestFailure> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ kind: 'aborted' });
    });
  });
}
