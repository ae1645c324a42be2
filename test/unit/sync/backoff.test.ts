import assert from 'node:assert/strict';
import { Backoff } from '../../../src/sync/backoff.ts';

describe('Backoff', () => {
  const pauses = (chance: number): number[] => {
    const backoff = new Backoff({ random: () => chance });
    return Array.from({ length: 7 }, () => backoff.fail());
  };

  it('doubles from 1 s to 30 s', () => {
    assert.deepEqual(pauses(0), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('lets chance take up to a quarter off each pause', () => {
    assert.deepEqual(pauses(0.8), [800, 1_600, 3_200, 6_400, 12_800, 24_000, 24_000]);
  });

  it('never pauses for less than the server asked, within five minutes', () => {
    const backoff = new Backoff({ random: () => 0 });
    assert.equal(backoff.fail(7_000), 7_000);
    assert.equal(backoff.fail(1), 2_000);
    assert.equal(backoff.fail(86_400_000), 300_000);
  });

  it('starts again after a reset', () => {
    const backoff = new Backoff({ random: () => 0 });
    backoff.fail();
    backoff.fail();
    backoff.reset();
    assert.equal(backoff.failures, 0);
    assert.equal(backoff.fail(), 1_000);
  });
});
