import type { Disposable } from '../../src/core/lifecycle.ts';
import { FakeClock } from '../support/fakeClock.ts';

/** A fake clock that tells when a timer of a given length is set: that is when the product begins to wait. */
export class AnnouncingClock extends FakeClock {
  readonly #awaited = new Map<number, (() => void)[]>();

  /** Resolves when a timer of this length is set from now on. */
  whenScheduled(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited.set(delayMs, [...(this.#awaited.get(delayMs) ?? []), resolve]);
    });
  }

  override schedule(delayMs: number, callback: () => void): Disposable {
    const timer = super.schedule(delayMs, callback);
    for (const announce of this.#awaited.get(delayMs) ?? []) announce();
    this.#awaited.delete(delayMs);
    return timer;
  }
}
