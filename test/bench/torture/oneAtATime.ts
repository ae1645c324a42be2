const queue = { last: Promise.resolve() };

/** Runs what needs the active editor: there is one in a window. */
export function oneAtATime(run: () => Promise<void>): Promise<void> {
  const turn = queue.last.then(run);
  queue.last = turn.catch(() => undefined);
  return turn;
}
