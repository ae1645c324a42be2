import assert from 'node:assert/strict';
import { isSameQuantity } from '../../../../src/core/merge/quantity.ts';

type Scalar = null | boolean | number | bigint | string;

describe('isSameQuantity', () => {
  const same: readonly (readonly [Scalar, Scalar])[] = [
    ['500m', '0.5'],
    ['0.5', 0.5],
    ['1', 1],
    [1, 1000n / 1000n],
    ['1000m', '1'],
    ['1Ki', '1024'],
    ['0.5Gi', '512Mi'],
    ['1k', '1e3'],
    ['1E', '1e18'],
    ['1E3', '1000'],
    ['.5', '0.50'],
    ['5.', '5'],
    ['+1', '1'],
    ['-0', '0'],
    ['1n', '0.001u'],
    ['100e-3', '0.1'],
  ];
  for (const [left, right] of same) {
    it(`takes ${String(left)} for ${String(right)}`, () => {
      assert.ok(isSameQuantity(left, right));
      assert.ok(isSameQuantity(right, left));
    });
  }

  const different: readonly (readonly [Scalar, Scalar])[] = [
    ['1', '1m'],
    ['1M', '1Mi'],
    ['1', '-1'],
    ['1e3', '1e4'],
    ['', '0'],
    ['.', '0'],
    ['1 ', '1'],
    ['1x', '1x'],
    ['1KI', '1024'],
    ['1e1000', '1e1000'],
    [true, 1],
    [null, 0],
  ];
  for (const [left, right] of different) {
    it(`tells ${JSON.stringify(left)} from ${JSON.stringify(right)}, or reads no quantity there`, () => {
      assert.ok(!isSameQuantity(left, right));
    });
  }
});
