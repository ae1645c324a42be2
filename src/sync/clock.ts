import type { Disposable } from '../core/lifecycle.ts';

/** Time and chance, injected so that tests own both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, after `delayMs`, unless disposed first. */
  schedule(delayMs: number, callback: () => void): Disposable;
  /** Uniform in [0, 1). */
  random(): number;
}
