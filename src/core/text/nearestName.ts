/** Longest name compared, in UTF-16 units. */
const maxLength = 64;

/**
 * The one name that a misspelt one is certain enough to mean: spelt alike but for case, or at most two letters
 * off, changed, added, left out or swapped, and no more than a third of it.
 *
 * @returns undefined where none or several are equally near
 */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > maxLength) return undefined;
  const alike = names.filter((name) => name.toLowerCase() === misspelt.toLowerCase());
  if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
  const most = Math.min(2, Math.floor(misspelt.length / 3));
  const near = names
    .filter((name) => Math.abs(name.length - misspelt.length) <= most)
    .map((name) => ({ name, distance: distanceOf(misspelt, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((left, right) => left.distance - right.distance);
  const [best, second] = near;
  return best === undefined || best.distance === second?.distance ? undefined : best.name;
}

/** Optimal string alignment: the fewest letters changed, added, left out, or swapped with the next. */
function distanceOf(left: string, right: string): number {
  let [before, row] = [[] as number[], Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + cost,
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? 0;
}
