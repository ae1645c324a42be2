import assert from 'node:assert/strict';
import { batchPauseMs, ChangeBatcher } from '../../../src/editor/changeBatcher.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('ChangeBatcher', () => {
  function setUp(): {
    clock: FakeClock;
    batcher: ChangeBatcher<{ name: string }>;
    fired: { at: number; names: string[] }[];
  } {
    const clock = new FakeClock();
    const startedAt = clock.now();
    const fired: { at: number; names: string[] }[] = [];
    const batcher = new ChangeBatcher<{ name: string }>(clock, (batch) => {
      fired.push({ at: clock.now() - startedAt, names: batch.map(({ name }) => name) });
    });
    return { clock, batcher, fired };
  }

  it('is never starved: changes every 20 ms still go out, at most four times a second', async () => {
    const { clock, batcher, fired } = setUp();
    const element = { name: 'a' };
    for (let passed = 0; passed < 3_000; passed += 20) {
      batcher.add(element);
      await clock.advance(20);
    }
    assert.ok(fired.length >= 11 && fired.length <= 13, `${fired.length} batches`);
    for (const [index, { at }] of fired.entries()) {
      assert.ok(index === 0 || at - (fired[index - 1]?.at ?? 0) >= batchPauseMs);
    }
  });

  it('hands each element over once in a batch', async () => {
    const { clock, batcher, fired } = setUp();
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    for (const element of [a, b, a, b, a]) batcher.add(element);
    await clock.advance(1_000);
    assert.deepEqual(
      fired.map(({ names }) => names),
      [['a', 'b']],
    );
  });

  it('spares an element that is dear to show, without holding up others', async () => {
    const { clock, batcher, fired } = setUp();
    const [dear, cheap] = [{ name: 'dear' }, { name: 'cheap' }];
    batcher.add(dear, 5_000);
    await clock.advance(1_000);
    batcher.add(dear, 5_000);
    batcher.add(cheap);
    await clock.advance(1_000);
    assert.deepEqual(
      fired.map(({ names }) => names),
      [['dear'], ['cheap']],
    );
    await clock.advance(3_500);
    assert.deepEqual(fired.at(-1)?.names, ['dear']);
  });

  it('shows an element at once that is asked for again without pause', async () => {
    const { clock, batcher, fired } = setUp();
    const dear = { name: 'dear' };
    batcher.add(dear, 5_000);
    await clock.advance(1_000);
    batcher.add(dear, 5_000);
    batcher.add(dear);
    await clock.advance(300);
    assert.equal(fired.length, 2);
  });

  it('fires nothing after it is disposed', async () => {
    const { clock, batcher, fired } = setUp();
    batcher.add({ name: 'a' });
    batcher.dispose();
    batcher.add({ name: 'b' });
    await clock.advance(1_000);
    assert.deepEqual(fired, []);
    assert.equal(clock.pendingTimers, 0);
  });
});
