/** Something that holds a resource until `dispose` is called; a second call does nothing. */
export interface Disposable {
  dispose(): void;
}

/** A subscription function; the returned disposable ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Wraps a clean-up function; it runs at most once. */
export function toDisposable(release: () => void): Disposable {
  let isReleased = false;
  return {
    dispose: () => {
      if (isReleased) return;
      isReleased = true;
      release();
    },
  };
}

/** Owns disposables; disposing it disposes all of them, last added first. */
export class DisposableStore implements Disposable {
  readonly #owned: Disposable[] = [];
  #isDisposed = false;

  /** Takes ownership; an item that arrives after disposal is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#owned.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const item of this.#owned.splice(0).reverse()) item.dispose();
  }
}

/** Sends values to its listeners, in order of subscription. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const entry = (value: T): void => {
      listener(value);
    };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
