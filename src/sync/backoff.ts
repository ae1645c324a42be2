import type { Clock } from './clock.ts';

/** Pause after the first failure, in ms, before jitter. */
export const firstPauseMs = 1_000;

/** Longest pause between attempts, in ms. Source: client-go reflector, 30 s. */
export const maxPauseMs = 30_000;

/** Longest `Retry-After` that is obeyed, in ms: beyond it a person would think that nothing happens. */
export const maxRetryAfterMs = 300_000;

/** Share of a pause that chance may take off, so that many clients do not return at the same moment. */
const jitter = 0.25;

/** Pauses between failed attempts: 1, 2, 4 … 30 s, each up to a quarter shorter. */
export class Backoff {
  readonly #clock: Pick<Clock, 'random'>;
  #failures = 0;

  constructor(clock: Pick<Clock, 'random'>) {
    this.#clock = clock;
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Counts a failure.
   *
   * @param retryAfterMs the least pause that the server asked for
   * @returns the pause before the next attempt, in ms
   */
  fail(retryAfterMs = 0): number {
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures, 30));
    this.#failures++;
    const ownPauseMs = Math.round(pauseMs * (1 - jitter * this.#clock.random()));
    return Math.max(ownPauseMs, Math.min(retryAfterMs, maxRetryAfterMs));
  }

  reset(): void {
    this.#failures = 0;
  }
}
