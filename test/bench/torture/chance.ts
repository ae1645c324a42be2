/** Chances of a run that has a seed. */
export interface Chance {
  /** True this often, 0 to 1. */
  (share: number): boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** From `least` to below `most`. */
  readonly between: (least: number, most: number) => number;
}

/** Source: Park and Miller, the minimal standard generator. */
export function makeChance(seed: number): Chance {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
  return Object.assign((share: number) => next() < share, {
    pick: <T>(from: readonly T[]): T =>
      from[Math.min(Math.floor(next() * from.length), from.length - 1)] as T,
    between: (least: number, most: number) => least + next() * (most - least),
  });
}
