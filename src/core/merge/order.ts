/**
 * Orders the tokens that a merge keeps: mine's order for what mine moved or added, live's for the rest.
 * What mine added or moved stands behind its nearest kept predecessor in mine.
 *
 * @param kept every token of the result, each found in at least one of the three
 * @returns all of `kept`. With mine = base it is live's order, with live = base it is mine's.
 */
export function mergeOrder<T>(
  base: readonly T[],
  mine: readonly T[],
  live: readonly T[],
  kept: ReadonlySet<T>,
): readonly T[] {
  const moved = movedTokens(base, mine);
  const spine = live.filter((token) => kept.has(token) && !moved.has(token));
  const ordered = interleave(spine, mine, kept);
  return ordered.length === kept.size ? ordered : interleave(ordered, base, kept);
}

/** Adds those of `additions` that are kept and not yet in `spine`, each behind its nearest predecessor. */
function interleave<T>(spine: readonly T[], additions: readonly T[], kept: ReadonlySet<T>): readonly T[] {
  const placed = new Set(spine);
  const first: T[] = [];
  const followers = new Map<T, T[]>();
  let current = first;
  for (const token of additions) {
    if (placed.has(token)) {
      current = followers.get(token) ?? [];
      followers.set(token, current);
    } else if (kept.has(token)) {
      current.push(token);
    }
  }
  return [...first, ...spine.flatMap((token) => [token, ...(followers.get(token) ?? [])])];
}

/** The tokens of both sequences that do not keep their relative order: as few as can be. */
export function movedTokens<T>(before: readonly T[], after: readonly T[]): ReadonlySet<T> {
  const position = new Map(before.map((token, index) => [token, index]));
  const common = after.filter((token) => position.has(token));
  const still = new Set(longestRising(common.map((token) => position.get(token) ?? 0)));
  return new Set(common.filter((_token, index) => !still.has(index)));
}

/** Indices of one longest strictly rising subsequence. */
export function longestRising(values: readonly number[]): readonly number[] {
  const previous: number[] = [];
  const tails: number[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? (tails[low - 1] ?? -1) : -1);
    tails[low] = index;
  });
  const result: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) result.push(index);
  return result.reverse();
}
