/** What a caller gets whose own signal ended its wait. */
export interface Aborted {
  readonly kind: 'aborted';
}

interface Run<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that many callers want at once and that is done once: late callers join the run under way.
 * A caller's abort ends only its own wait; the work is aborted when nobody waits any more, unless it is to
 * run to its end: then later callers join it still.
 */
export class SharedWork<T> {
  readonly #runsToEnd: boolean;
  #run: Run<T> | undefined;

  constructor({ runsToEnd = false }: { readonly runsToEnd?: boolean } = {}) {
    this.#runsToEnd = runsToEnd;
  }

  async join(start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T | Aborted> {
    if (signal.aborted) return { kind: 'aborted' };
    const run = this.#run ?? this.#start(start);
    run.waiting++;
    let leave = (): void => undefined;
    const left = new Promise<Aborted>((resolve) => {
      leave = () => {
        resolve({ kind: 'aborted' });
      };
    });
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([run.promise, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      run.waiting--;
      if (run.waiting === 0 && !this.#runsToEnd) {
        if (this.#run === run) this.#run = undefined;
        run.controller.abort();
      }
    }
  }

  #start(start: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const promise = start(controller.signal);
    const run: Run<T> = { promise, controller, waiting: 0 };
    this.#run = run;
    // Whoever waits sees the error; without this, one that comes after everybody left would be unhandled.
    promise
      .catch(() => undefined)
      .finally(() => {
        if (this.#runsToEnd && this.#run === run) this.#run = undefined;
      });
    return run;
  }
}
