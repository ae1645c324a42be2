import type { Disposable } from '../core/lifecycle.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import { findOverturned, type OverturnedField } from '../core/session/afterSave.ts';
import type { Clock } from './clock.ts';
import type { SessionRunner } from './sessionRunner.ts';

/** For how long after a save live is compared with it, in ms: controllers answer within seconds. */
export const watchedMs = 15_000;

export interface AfterSaveOptions {
  readonly runner: Pick<SessionRunner, 'state' | 'onDidChange'>;
  readonly clock: Clock;
  /** Told at most once a save. */
  readonly onOverturned: (fields: readonly OverturnedField[]) => void;
}

/** Looks, for some seconds after a save, whether a controller or another writer sets back what it changed. */
export class AfterSaveWatch implements Disposable {
  readonly #options: AfterSaveOptions;
  #current: Disposable | undefined;

  constructor(options: AfterSaveOptions) {
    this.#options = options;
  }

  /** Begins with a save that landed; the one before is over. */
  begin(save: { readonly before: Snapshot; readonly response: Snapshot }): void {
    this.dispose();
    const { runner, clock, onOverturned } = this.#options;
    const look = (): void => {
      const { live, traits, schema, save: nextSave } = runner.state;
      // Our own next write is no one's answer to this one.
      if (nextSave !== undefined || live.kind !== 'present' || live.snapshot.uid !== save.response.uid) {
        this.dispose();
        return;
      }
      if (live.snapshot.resourceVersion === save.response.resourceVersion) return;
      const fields = findOverturned(save, live.snapshot, traits, schema);
      if (fields.length === 0) return;
      this.dispose();
      onOverturned(fields);
    };
    const subscription = runner.onDidChange(look);
    const timer = clock.schedule(watchedMs, () => {
      this.dispose();
    });
    this.#current = {
      dispose: () => {
        subscription.dispose();
        timer.dispose();
      },
    };
    look();
  }

  dispose(): void {
    this.#current?.dispose();
    this.#current = undefined;
  }
}
