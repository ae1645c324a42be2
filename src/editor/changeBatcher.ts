import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';

/**
 * Least time between two batches, in ms. VS Code waits for refreshes to pause for 200 ms before it acts:
 * closer ones would put it off for ever.
 */
export const batchPauseMs = 250;

/** Gathers changed elements and hands them over in batches, each element once. */
export class ChangeBatcher<Element extends object> implements Disposable {
  readonly #clock: Clock;
  readonly #fire: (batch: readonly Element[]) => void;
  readonly #dueAt = new Map<Element, number>();
  readonly #firedAt = new WeakMap<Element, number>();
  #lastFireAt = -Infinity;
  #timer: Disposable | undefined;
  #timerAt = Infinity;
  #isDisposed = false;

  constructor(clock: Clock, fire: (batch: readonly Element[]) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /**
   * @param pauseMs least time since this element was last handed over, in ms: long for elements that are
   *   dear to show again
   */
  add(element: Element, pauseMs = 0): void {
    if (this.#isDisposed) return;
    const firedAt = this.#firedAt.get(element) ?? -Infinity;
    const dueAt = Math.max(this.#clock.now(), firedAt + pauseMs);
    if (dueAt >= (this.#dueAt.get(element) ?? Infinity)) return;
    this.#dueAt.set(element, dueAt);
    this.#schedule(dueAt);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#dueAt.clear();
  }

  #schedule(dueAt: number): void {
    // A short wait lets what comes together go together.
    const fireAt = Math.max(dueAt, this.#lastFireAt + batchPauseMs, this.#clock.now() + gatherMs);
    if (fireAt >= this.#timerAt) return;
    this.#timer?.dispose();
    this.#timerAt = fireAt;
    this.#timer = this.#clock.schedule(fireAt - this.#clock.now(), () => {
      this.#flush();
    });
  }

  #flush(): void {
    const now = this.#clock.now();
    this.#timerAt = Infinity;
    const batch: Element[] = [];
    for (const [element, dueAt] of this.#dueAt) if (dueAt <= now) batch.push(element);
    for (const element of batch) {
      this.#dueAt.delete(element);
      this.#firedAt.set(element, now);
    }
    if (batch.length > 0) {
      this.#lastFireAt = now;
      this.#fire(batch);
    }
    let earliest = Infinity;
    for (const dueAt of this.#dueAt.values()) earliest = Math.min(earliest, dueAt);
    if (earliest < Infinity) this.#schedule(earliest);
  }
}

/** How long a first change waits for others, in ms. */
const gatherMs = 20;
