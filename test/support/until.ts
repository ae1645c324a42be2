import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until something holds that no event tells of.
 *
 * @throws {Error} it did not within the deadline; `describe` adds what was seen last
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { deadlineMs = 15_000, describe }: { deadlineMs?: number; describe?: () => string } = {},
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > deadline) {
      throw new Error(
        `not within ${String(deadlineMs / 1000)} s${describe === undefined ? '' : `: ${describe()}`}`,
      );
    }
    await pause(25);
  }
}
