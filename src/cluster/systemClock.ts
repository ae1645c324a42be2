import { toDisposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';

/** The machine's own time and chance. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};
