import { type Disposable, toDisposable } from '../../src/core/lifecycle.ts';
import type { Clock } from '../../src/sync/clock.ts';

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** A clock that moves only when told to. `random()` answers `chance`, 0 unless set. */
export class FakeClock implements Clock {
  chance = 0;
  #now = Date.UTC(2030, 0, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  random(): number {
    return this.chance;
  }

  schedule(delayMs: number, callback: () => void): Disposable {
    const timer = { dueAt: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** How many callbacks are still to come. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** How long until the next callback, in ms. */
  get nextDelayMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueAt - this.#now;
  }

  /** Moves on, calling what falls due in order, and lets all promises settle after each call. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await settled();
    for (let next = this.#next(); next !== undefined && next.dueAt <= target; next = this.#next()) {
      this.#now = next.dueAt;
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#now = target;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.dueAt < next.dueAt) next = timer;
    return next;
  }
}

/** Resolves once every promise that can settle without new input has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
