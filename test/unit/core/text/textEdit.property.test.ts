import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shiftRanges } from '../../../../src/core/text/shiftRanges.ts';
import { applyEdits, differenceOf } from '../../../../src/core/text/textEdit.ts';

const piece = fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '😁', ' ');
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('the difference of two texts', () => {
  it('turns the first into the second', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(applyEdits(before, [differenceOf(before, after)]), after);
      }),
    );
  });

  it('splits no line break and no surrogate pair', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { offset, length } = differenceOf(before, after);
        for (const at of [offset, offset + length]) {
          assert.doesNotMatch(before.slice(at - 1, at + 1), /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
        }
      }),
    );
  });

  it('is empty for equal texts', () => {
    assert.deepEqual(differenceOf('a\r\nb', 'a\r\nb').newText, '');
    assert.equal(differenceOf('a\r\nb', 'a\r\nb').length, 0);
  });
});

describe('ranges under an edit', () => {
  const range = { range: { start: 10, end: 14 } };
  it('move with an edit before them', () => {
    assert.deepEqual(shiftRanges([range], { offset: 2, length: 1, newText: 'abc' }), [
      { range: { start: 12, end: 16 } },
    ]);
  });
  it('stay under an edit behind them', () => {
    assert.deepEqual(shiftRanges([range], { offset: 15, length: 1, newText: '' }), [range]);
  });
  it('go when the edit touches them', () => {
    for (const offset of [9, 10, 12, 14]) {
      assert.deepEqual(shiftRanges([range], { offset, length: 1, newText: 'x' }), []);
    }
  });
});
