/**
 * Waits for the end that a foreground script is asked to come to: SIGINT, SIGTERM or SIGHUP, or the death of
 * the process that started it.
 *
 * @returns a signal that aborts at the first of them; later ones change nothing, so that clean-up is not cut off
 */
export function endOfScript(): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.on('disconnect', end);
  // The channel alone must not keep a finished script alive.
  process.channel?.unref();
  return controller.signal;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
