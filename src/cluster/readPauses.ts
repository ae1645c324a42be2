import type { Outcome } from '../core/errors.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { Backoff } from '../sync/backoff.ts';
import type { Clock } from '../sync/clock.ts';
import type { OpenAnswer } from './exchange.ts';
import { retryAfterOf } from './status.ts';

/** How long one read waits in all for a server that asks for pauses, in ms: a person waits for the read. */
export const maxReadPauseMs = 30_000;

/** For whose pauses a read waits: a server that is too busy, or also one that is down (5xx). */
export type Patience = 'busy' | 'busyOrDown';

/** Named by the server where a user's whole share of it is used up. Source: API priority and fairness. */
const priorityLevelHeader = 'x-kubernetes-pf-prioritylevel-uid';

/** Share of a common pause that chance adds, so that those who wait do not return at the same moment. */
const spread = 0.25;

/**
 * Holds reads back for as long as the server asks, by `Retry-After` of a 429 or 5xx. A pause for a whole
 * priority level holds back every read; any other concerns only the read that was told. Writes repeat by
 * the rules of a save and are not held back here.
 */
export class ReadPauses {
  readonly #clock: Clock;
  #levelOpensAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what an answer says about reads in general. */
  note({ status, headers }: Pick<OpenAnswer, 'status' | 'headers'>): void {
    if (status !== 429 || headers[priorityLevelHeader] === undefined) return;
    const pauseMs = Math.min(retryAfterOf(undefined, { headers }) ?? 0, maxReadPauseMs);
    this.#levelOpensAt = Math.max(this.#levelOpensAt, this.#clock.now() + pauseMs);
  }

  /** Waits while the priority level is closed. @returns false where the signal came first */
  async untilOpen(signal: AbortSignal): Promise<boolean> {
    const leftMs = this.#levelOpensAt - this.#clock.now();
    return leftMs <= 0 || this.#wait(leftMs * (1 + spread * this.#clock.random()), signal);
  }

  /** Reads, and again after each pause that the server asks for, up to `maxReadPauseMs` of pauses in all. */
  async patiently<T>(
    read: () => Promise<Outcome<T>>,
    signal: AbortSignal,
    patience: Patience,
  ): Promise<Outcome<T>> {
    const backoff = new Backoff(this.#clock);
    let leftMs = maxReadPauseMs;
    for (;;) {
      if (!(await this.untilOpen(signal))) return { kind: 'aborted' };
      const outcome = await read();
      const askedMs = pauseAskedBy(outcome, patience);
      if (askedMs === undefined) return outcome;
      const pauseMs = backoff.fail(askedMs);
      leftMs -= pauseMs;
      if (leftMs < 0) return outcome;
      if (!(await this.#wait(pauseMs, signal))) return { kind: 'aborted' };
    }
  }

  #wait(pauseMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      let timer: Disposable | undefined = undefined;
      const end = (): void => {
        timer?.dispose();
        signal.removeEventListener('abort', end);
        resolve(!signal.aborted);
      };
      signal.addEventListener('abort', end, { once: true });
      timer = this.#clock.schedule(pauseMs, end);
    });
  }
}

/** @returns ms; undefined where the server does not ask to be asked again */
function pauseAskedBy(outcome: Outcome<unknown>, patience: Patience): number | undefined {
  if (outcome.kind === 'throttled') return outcome.retryAfterMs;
  return outcome.kind === 'serverError' && patience === 'busyOrDown' ? outcome.retryAfterMs : undefined;
}
