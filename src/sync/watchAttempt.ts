import type { RequestFailure } from '../core/errors.ts';
import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from './clock.ts';
import type { WatchEnd, WatchEvent } from './clusterPort.ts';

/** What a watch carries apart from its opening and the failure that ends it. */
export type WatchNews = Exclude<WatchEvent, { kind: 'opened' | 'error' }>;

/** How one watch ended; `silent` where it outlived its timeout. */
export interface WatchAttemptEnd {
  readonly end: WatchEnd | { readonly kind: 'silent' };
  /** How long the watch was open, in ms; 0 where it never was. */
  readonly openMs: number;
  /** When the server last said anything, in ms since the epoch. */
  readonly lastSignAt: number;
}

export interface WatchAttemptOptions {
  readonly clock: Clock;
  /** After this long, in ms, the watch counts as dead. */
  readonly silenceMs: number;
  /** Ends the watch with `aborted`. */
  readonly signal: AbortSignal;
  /** Sends the request. */
  readonly open: (onEvent: (event: WatchEvent) => void, signal: AbortSignal) => Promise<WatchEnd>;
  readonly onOpened: () => void;
  readonly onNews: (news: WatchNews) => void;
  /** Turns what `open` threw into a failure. */
  readonly toFailure: (error: unknown) => RequestFailure;
}

/**
 * Runs one watch to its end, whichever comes first: the server's close, an ERROR event, silence, or our
 * signal. The connection is given up in each case, and no callback is called after it. Never rejects.
 */
export function attemptWatch(options: WatchAttemptOptions): Promise<WatchAttemptEnd> {
  const { clock, signal } = options;
  const request = new AbortController();
  const timers: Disposable[] = [];
  let openedAt: number | undefined;
  let lastSignAt = clock.now();
  let isOver = signal.aborted;
  return new Promise((resolve) => {
    const finish = (end: WatchAttemptEnd['end']): void => {
      if (isOver) return;
      isOver = true;
      for (const timer of timers) timer.dispose();
      signal.removeEventListener('abort', onAbort);
      request.abort();
      resolve({ end, openMs: openedAt === undefined ? 0 : clock.now() - openedAt, lastSignAt });
    };
    const onAbort = (): void => {
      finish({ kind: 'aborted' });
    };
    const onEvent = (event: WatchEvent): void => {
      if (isOver) return;
      lastSignAt = clock.now();
      openedAt ??= lastSignAt;
      if (event.kind === 'opened') options.onOpened();
      else if (event.kind === 'error') finish(event.failure);
      else options.onNews(event);
    };
    if (isOver) {
      resolve({ end: { kind: 'aborted' }, openMs: 0, lastSignAt });
      return;
    }
    signal.addEventListener('abort', onAbort);
    timers.push(
      clock.schedule(options.silenceMs, () => {
        finish({ kind: 'silent' });
      }),
    );
    const run = async (): Promise<WatchEnd> => await options.open(onEvent, request.signal);
    run().then(finish, (error: unknown) => {
      if (!isOver) finish(options.toFailure(error));
    });
  });
}
