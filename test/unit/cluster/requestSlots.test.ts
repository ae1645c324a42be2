import assert from 'node:assert/strict';
import { RequestSlots } from '../../../src/cluster/requestSlots.ts';

describe('request slots', () => {
  const { signal } = new AbortController();

  it('let no more through than there are, in order', async () => {
    const slots = new RequestSlots(1);
    const release = await slots.take(signal);
    const order: string[] = [];
    const second = slots.take(signal).then((give) => (order.push('second'), give));
    const third = slots.take(signal).then((give) => (order.push('third'), give));
    await Promise.resolve();
    assert.deepEqual(order, []);
    release?.();
    release?.();
    (await second)?.();
    assert.deepEqual(order, ['second']);
    (await third)?.();
    assert.deepEqual(order, ['second', 'third']);
  });

  it('are not lost to a caller that gives up', async () => {
    const slots = new RequestSlots(1);
    const release = await slots.take(signal);
    const cancel = new AbortController();
    const waiting = slots.take(cancel.signal);
    cancel.abort();
    assert.equal(await waiting, undefined);
    release?.();
    assert.notEqual(await slots.take(signal), undefined);
  });
});
