import assert from 'node:assert/strict';

/** How long anything may take that is waited for, in ms: far beyond what it needs. */
const patienceMs = 20_000;

/** Asks again and again until there is an answer other than false, or the patience is at its end. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  describe: () => string = () => '',
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    assert.ok(Date.now() < deadline, `waited in vain: ${what}\n${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
