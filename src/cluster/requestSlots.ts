/** Bounds how many requests are under way at once; the others wait in order. */
export class RequestSlots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @returns a function that gives the slot back; undefined where the signal came first */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) {
      this.#free--;
      return this.#releaser();
    }
    const hasTurn = await new Promise<boolean>((resolve) => {
      const giveUp = (): void => {
        const index = this.#waiting.indexOf(begin);
        if (index >= 0) this.#waiting.splice(index, 1);
        resolve(false);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
    return hasTurn ? this.#releaser() : undefined;
  }

  #releaser(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
