import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ageStepMs, printAge, printClock } from '../../../src/editor/relativeTime.ts';

const then = '2030-01-02T03:04:05Z';
const thenMs = Date.parse(then);

describe('printAge', () => {
  for (const [ageMs, words] of [
    [-5000, 'just now'],
    [999, 'just now'],
    [1000, '1 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_599_999, '59 min ago'],
    [3_600_000, '1 h ago'],
    [86_399_999, '23 h ago'],
    [86_400_000, '1 day ago'],
    [200_000_000, '2 days ago'],
  ] as const) {
    it(`says "${words}" after ${ageMs} ms`, () => {
      assert.equal(printAge(then, thenMs + ageMs), words);
    });
  }

  it('reads microseconds and says nothing of what is no time', () => {
    assert.equal(printAge('2030-01-02T03:04:05.123456Z', thenMs + 10_000), '9 s ago');
    assert.equal(printAge('yesterday', thenMs), undefined);
    assert.equal(printAge(undefined, thenMs), undefined);
  });
});

describe('printClock', () => {
  it('shows the time of today, and the date of another day', () => {
    const noon = new Date(2030, 0, 2, 12, 3).getTime();
    assert.equal(printClock(noon, noon + 60_000), '12:03');
    assert.equal(printClock(noon, noon + 86_400_000), '2030-01-02 12:03');
  });
});

describe('ageStepMs', () => {
  it('asks for a refresh as rarely as the words allow', () => {
    assert.ok(ageStepMs(then, thenMs + 5000) <= 10_000);
    assert.equal(ageStepMs(then, thenMs + 120_000), 60_000);
    assert.equal(ageStepMs(then, thenMs + 7_200_000), 3_600_000);
    assert.equal(ageStepMs(undefined, thenMs), 3_600_000);
  });
});
