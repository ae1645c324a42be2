import { memberAt } from '../../src/core/json.ts';
import type { CollectionRef } from '../../src/core/resource/resourceRef.ts';
import type { ClusterPort, WatchEnd, WatchEvent, WatchOptions } from '../../src/sync/clusterPort.ts';

/** A watch under way, and what it has brought. */
export interface WatchRecorder {
  readonly events: WatchEvent[];
  readonly end: Promise<WatchEnd>;
  stop(): void;
  /** Resolves with the first event that passes, past ones included; rejects where the watch ends before. */
  until(passes: (event: WatchEvent) => boolean): Promise<WatchEvent>;
}

export function recordWatch(
  cluster: ClusterPort,
  collection: CollectionRef,
  options: Partial<WatchOptions> = {},
): WatchRecorder {
  const events: WatchEvent[] = [];
  const listeners = new Set<() => void>();
  const controller = new AbortController();
  const whole: WatchOptions = {
    resourceVersion: undefined,
    content: 'full',
    timeoutSeconds: 300,
    ...options,
  };
  const end = cluster.watch(
    collection,
    whole,
    (event) => {
      events.push(event);
      for (const listener of [...listeners]) listener();
    },
    controller.signal,
  );
  return {
    events,
    end,
    stop: () => {
      controller.abort();
    },
    until: (passes) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(passes);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void end.then((how) => {
          reject(new Error(`the watch ended before that: ${JSON.stringify(how)}`));
        });
      }),
  };
}

/** Passes for a change of this kind to an object of this name. */
export function isChange(
  kind: 'added' | 'modified' | 'deleted',
  name: string,
): (event: WatchEvent) => boolean {
  return (event) => event.kind === kind && memberAt(event.object, 'metadata', 'name') === name;
}

export const isOpened = (event: WatchEvent): boolean => event.kind === 'opened';
