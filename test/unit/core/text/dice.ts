/**
 * Choices for a generated case, taken from a tape of numbers: a shorter or smaller tape makes a simpler case,
 * so that fast-check can shrink it. Behind the tape's end every choice is the first one.
 */
export class Dice {
  readonly #tape: readonly number[];
  #position = 0;

  constructor(tape: readonly number[]) {
    this.#tape = tape;
  }

  /** In [0, sides). */
  below(sides: number): number {
    const roll = this.#tape[this.#position++] ?? 0;
    return roll % sides;
  }

  /** True in one of `sides` cases, never behind the tape's end. */
  oneIn(sides: number): boolean {
    return this.below(sides) === sides - 1;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}
