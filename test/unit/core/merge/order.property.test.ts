import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeOrder, movedTokens } from '../../../../src/core/merge/order.ts';

const tokens = fc.uniqueArray(fc.nat({ max: 9 }));

describe('mergeOrder', () => {
  it('is mine’s order where live is base, and live’s order where mine is base', () => {
    fc.assert(
      fc.property(tokens, tokens, (base, side) => {
        assert.deepEqual(mergeOrder(base, side, base, new Set(side)), side);
        assert.deepEqual(mergeOrder(base, base, side, new Set(side)), side);
        assert.deepEqual(mergeOrder(base, side, side, new Set(side)), side);
      }),
      { numRuns: 3_000 },
    );
  });

  it('places every kept token once', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, fc.nat({ max: 9 }), (base, mine, live, dropped) => {
        const kept = new Set([...base, ...mine, ...live].filter((token) => token !== dropped));
        assert.deepEqual([...mergeOrder(base, mine, live, kept)].sort(), [...kept].sort());
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps live’s order for what mine has not moved', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, (base, mine, live) => {
        const kept = new Set([...mine, ...live]);
        const moved = movedTokens(base, mine);
        const still = (side: readonly number[]): readonly number[] =>
          side.filter((token) => live.includes(token) && !moved.has(token));
        assert.deepEqual(still(mergeOrder(base, mine, live, kept)), still(live));
      }),
      { numRuns: 3_000 },
    );
  });
});
