import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLines, splitLines } from '../../../../src/core/merge/lineDiff.ts';
import { mergeLines } from '../../../../src/core/merge/lineMerge.ts';

const line = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const lines = fc.array(line, { maxLength: 12 });
/** Long enough for every way of comparing; unique lines among repeated ones. */
const longLines = fc.array(fc.oneof({ weight: 3, arbitrary: line }, fc.nat({ max: 400 }).map(String)), {
  minLength: 150,
  maxLength: 900,
  size: 'max',
});

describe('diffLines', () => {
  const check = (before: readonly string[], after: readonly string[]): void => {
    const hunks = diffLines(before, after);
    const rebuilt: string[] = [];
    let [position, newPosition] = [0, 0];
    for (const { start, end, newStart, newEnd } of hunks) {
      assert.ok(position === 0 || start > position, 'hunks do not touch');
      assert.equal(start - position, newStart - newPosition, 'between hunks nothing is added or removed');
      rebuilt.push(...before.slice(position, start), ...after.slice(newStart, newEnd));
      [position, newPosition] = [end, newEnd];
    }
    assert.deepEqual([...rebuilt, ...before.slice(position)], after);
  };

  it('says what turns one text into the other', () => {
    fc.assert(fc.property(lines, lines, check), { numRuns: 3_000 });
  });

  it('says so for long texts too', () => {
    fc.assert(fc.property(longLines, longLines, check), { numRuns: 60 });
  });

  it('finds a single changed line in a long text', () => {
    fc.assert(
      fc.property(longLines, fc.nat(), (before, at) => {
        const index = at % before.length;
        const after = before.with(index, 'changed');
        assert.deepEqual(diffLines(before, after), [
          { start: index, end: index + 1, newStart: index, newEnd: index + 1 },
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('mergeLines', () => {
  const text = fc
    .tuple(lines, fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([all, lineBreak, isEnded]) => all.map((one) => one + lineBreak).join('') + (isEnded ? '' : 'end'));
  const sideOf = (base: string, mine: string, live: string, side: 'base' | 'mine' | 'live'): string =>
    mergeLines(base, mine, live)
      .map((piece) => (piece.kind === 'merged' ? piece.text : piece[side]))
      .join('');

  it('gives mine where only mine changed, and live where only live changed', () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        assert.equal(sideOf(base, side, base, 'base'), side);
        assert.equal(sideOf(base, base, side, 'base'), side);
        assert.equal(sideOf(base, side, side, 'base'), side);
      }),
      { numRuns: 2_000 },
    );
  });

  it('swaps the sides where mine and live are swapped', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, live) => {
        assert.equal(sideOf(base, mine, live, 'mine'), sideOf(base, live, mine, 'live'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('splits texts into lines that join to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text, (one, other) => {
        assert.equal(splitLines(one).join(''), one);
        assert.equal(splitLines(other).join(''), other);
      }),
    );
  });
});
