import assert from 'node:assert/strict';
import { type LinePiece, mergeLines } from '../../../../src/core/merge/lineMerge.ts';

/** The merged text, conflicts as `<mine|base|live>`. */
function merge(base: string, mine: string, live: string): string {
  return mergeLines(base, mine, live)
    .map((piece) => (piece.kind === 'merged' ? piece.text : `<${piece.mine}|${piece.base}|${piece.live}>`))
    .join('');
}

function conflictLines(base: string, mine: string, live: string): unknown {
  return mergeLines(base, mine, live).flatMap((piece: LinePiece) =>
    piece.kind === 'conflict' ? [piece.lines] : [],
  );
}

describe('mergeLines', () => {
  it('merges edits of different lines', () => {
    assert.equal(merge('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'), 'A\nb\nC\n');
  });

  it('merges equal edits once', () => {
    assert.equal(merge('a\nb\n', 'a\nx\nb\n', 'a\nx\nb\n'), 'a\nx\nb\n');
  });

  it('lists different edits of one line as a conflict', () => {
    assert.equal(merge('a\nb\nc\n', 'a\nM\nc\n', 'a\nL\nc\n'), 'a\n<M\n|b\n|L\n>c\n');
  });

  it('merges edits of neighbouring lines, each for one line', () => {
    assert.equal(merge('a\nb\n', 'A\nb\n', 'a\nB\n'), 'A\nB\n');
    assert.equal(merge('a\nb\n', 'a\nB\n', 'A\nb\n'), 'A\nB\n');
  });

  it('merges an edited last line with lines added behind it', () => {
    assert.equal(merge('a\nb\n', 'a\nB\n', 'a\nb\nc\n'), 'a\nB\nc\n');
  });

  it('lists an insertion beside removed lines as a conflict', () => {
    assert.equal(merge('a\nb\n', 'a\n', 'a\nb\nc\n'), 'a\n<|b\n|b\nc\n>');
  });

  it('lists two different insertions at one place as a conflict', () => {
    assert.equal(merge('a\nb\n', 'a\nM\nb\n', 'a\nL\nb\n'), 'a\n<M\n||L\n>b\n');
  });

  it('lists a removal of an edited line as a conflict', () => {
    assert.equal(merge('a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n'), 'a\n<|b\n|B\n>c\n');
  });

  it('keeps carriage returns and a last line without a line break', () => {
    assert.equal(merge('a\r\nb\r\nc', 'A\r\nb\r\nc', 'a\r\nb\r\nC'), 'A\r\nb\r\nC');
  });

  it('merges a line break at the end like a line', () => {
    assert.equal(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nc\n'), 'A\nb\nc\n');
  });

  it('counts conflicting lines from 1 on each side', () => {
    assert.deepEqual(conflictLines('a\nb\nc\nd\n', 'x\na\nM\nc\nd\n', 'a\nL\nL\nc\nd\n'), [
      { base: [2, 2], mine: [3, 3], live: [2, 3] },
    ]);
  });

  it('gives an end before the start for a side without lines', () => {
    assert.deepEqual(conflictLines('a\nb\n', 'a\nM\nb\n', 'a\nL\nb\n'), [
      { base: [2, 1], mine: [2, 2], live: [2, 2] },
    ]);
  });

  for (const [name, line] of [
    ['unique', (index: number) => `line ${index}`],
    ['repeated', (index: number) => (index % 9 === 0 ? 'other' : 'same')],
    ['equal', () => 'same'],
  ] as const) {
    it(`merges 20,000 ${name} lines, edited in many places on both sides`, () => {
      const base = Array.from({ length: 20_000 }, (_value, index) => line(index));
      const edited = (offset: number, text: string): readonly string[] =>
        base.map((old, index) => (index % 20 === offset ? text : old));
      const [mine, live] = [edited(3, 'mine'), edited(13, 'live')];
      const expected = mine.map((text, index) => (live[index] === base[index] ? text : live[index]));
      assert.equal(
        merge(...([base, mine, live].map((lines) => lines.join('\n')) as [string, string, string])),
        expected.join('\n'),
      );
    });
  }
});
