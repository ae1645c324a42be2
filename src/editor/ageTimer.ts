import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import { ageStepMs } from './relativeTime.ts';

/** Has words like "12 s ago" written again when they are about to be wrong; idle while nothing is followed. */
export class AgeTimer implements Disposable {
  readonly #clock: Clock;
  readonly #refresh: () => void;
  #next: Disposable | undefined;

  constructor(clock: Clock, refresh: () => void) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  /** Asks for one refresh for what is shown now. @param newest the newest time shown, RFC 3339; undefined: none */
  follow(newest: string | undefined): void {
    this.#next?.dispose();
    this.#next = undefined;
    if (newest === undefined) return;
    this.#next = this.#clock.schedule(ageStepMs(newest, this.#clock.now()), () => {
      this.#next = undefined;
      this.#refresh();
    });
  }

  dispose(): void {
    this.#next?.dispose();
  }
}
