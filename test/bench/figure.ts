/** One measured figure. Where it is a ratio, both sides were measured in the same run. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `right`: how many of the stories that it was told ended right. */
  readonly unit: 'ratio' | 'ms' | 'KB' | 'count' | 'right';
  /** What stands against what, for a ratio. */
  readonly against?: string;
  /** Highest value that is good enough, where the project has set one. */
  readonly goal?: number;
  /** What the figure is made of; written to out/bench.json only. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What may be said of a run; a scenario takes what concerns it. */
export interface ScenarioOptions {
  /** How long it goes on, where that is for the user to say. */
  readonly seconds?: number;
  /** Of what is left to chance. */
  readonly seed?: number;
}

/** A scenario of the bench: `npm run bench -- NAME`. */
export interface Scenario {
  run(options: ScenarioOptions): Promise<readonly Figure[]>;
}

/** The median time of one call in ms, and that of another, called in turn so that both see the same machine. */
export async function timePair(
  rounds: number,
  first: () => unknown,
  second: () => unknown,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [index, call] of [first, second].entries()) {
      const startedAt = performance.now();
      await call();
      times[index]?.push(performance.now() - startedAt);
    }
  }
  return [median(times[0]), median(times[1])];
}

/** The value that half of the others do not exceed. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
