import assert from 'node:assert/strict';
import { SharedWork } from '../../../src/cluster/sharedWork.ts';

describe('shared work', () => {
  it('is done once for all who wait, and anew for the next', async () => {
    const work = new SharedWork<number>();
    let runs = 0;
    const start = async (): Promise<number> => Promise.resolve(++runs);
    const { signal } = new AbortController();
    assert.deepEqual(await Promise.all([work.join(start, signal), work.join(start, signal)]), [1, 1]);
    assert.equal(await work.join(start, signal), 2);
  });

  it('ends for one caller alone, and is aborted once nobody waits', async () => {
    const work = new SharedWork<string>();
    const signals: AbortSignal[] = [];
    const start = (signal: AbortSignal): Promise<string> => {
      signals.push(signal);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve('aborted work');
        });
      });
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = work.join(start, one.signal);
    const second = work.join(start, two.signal);
    one.abort();
    assert.deepEqual(await first, { kind: 'aborted' });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    two.abort();
    assert.deepEqual(await second, { kind: 'aborted' });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
    assert.deepEqual(await work.join(start, AbortSignal.abort()), { kind: 'aborted' });
  });

  it('that throws is thrown at each caller, and tried again by the next', async () => {
    const work = new SharedWork<string>();
    const { signal } = new AbortController();
    const fail = (): Promise<string> => Promise.reject(new Error('no'));
    const both = await Promise.allSettled([work.join(fail, signal), work.join(fail, signal)]);
    assert.ok(both.every(({ status }) => status === 'rejected'));
    assert.equal(await work.join(() => Promise.resolve('yes'), signal), 'yes');
  });
});
