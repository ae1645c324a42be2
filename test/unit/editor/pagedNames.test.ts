import assert from 'node:assert/strict';
import { maxNames, PagedNames } from '../../../src/editor/pagedNames.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, FakeCluster, fakeObject } from '../../support/fakeCluster.ts';
import { configMaps } from '../sync/reflectorHarness.ts';

function setUp(): { cluster: FakeCluster; names: PagedNames } {
  const cluster = new FakeCluster();
  return { cluster, names: new PagedNames(cluster, configMaps) };
}

function pageOf(prefix: string, count: number): ReturnType<typeof fakeObject>[] {
  return Array.from({ length: count }, (_, index) => fakeObject(`${prefix}${index}`, '1'));
}

describe('PagedNames', () => {
  it('reads nothing before it is asked to, and one page when asked for one', async () => {
    const { cluster, names } = setUp();
    await settled();
    assert.equal(cluster.requests.length, 0);
    names.load('page');
    names.load('page');
    assert.deepEqual(cluster.lastList.options, { content: 'metadata', limit: 500 });
    await cluster.lastList.page(pageOf('a', 2), '1', 'next');
    assert.deepEqual(names.items, [
      { name: 'a0', namespace: 'shop' },
      { name: 'a1', namespace: 'shop' },
    ]);
    assert.equal(cluster.requests.length, 1);
    assert.equal(names.isLoading, false);
    names.load('page');
    assert.equal(cluster.lastList.options.continueToken, 'next');
  });

  it('reads all pages when asked for all, but holds no more than a quick pick bears', async () => {
    const { cluster, names } = setUp();
    names.load('all');
    for (let page = 0; page < maxNames / 500; page++) {
      await cluster.lastList.page(pageOf(`p${page}-`, 500), '1', `t${page}`);
    }
    assert.equal(cluster.requests.length, maxNames / 500);
    assert.equal(names.items.length, maxNames);
    assert.equal(names.isFull, true);
    assert.equal(names.isComplete, false);
  });

  it('goes on to all while a page is under way', async () => {
    const { cluster, names } = setUp();
    names.load('page');
    names.load('all');
    await cluster.lastList.page(pageOf('a', 1), '1', 'next');
    await cluster.lastList.page(pageOf('b', 1));
    assert.equal(names.isComplete, true);
    assert.equal(names.items.length, 2);
  });

  it('stops at a failure, keeps what it has and goes on from there on a retry', async () => {
    const { cluster, names } = setUp();
    names.load('all');
    await cluster.lastList.page(pageOf('a', 1), '1', 'next');
    await cluster.lastList.answer(failure('serverError'));
    names.load('all');
    assert.equal(cluster.requests.length, 2);
    assert.equal(names.failure?.kind, 'serverError');
    assert.equal(names.items.length, 1);
    names.retry();
    assert.equal(cluster.lastList.options.continueToken, 'next');
  });

  it('begins again where the pages expired, once', async () => {
    const { cluster, names } = setUp();
    names.load('all');
    await cluster.lastList.page(pageOf('a', 1), '1', 'old');
    await cluster.lastList.answer(failure('expired'));
    assert.equal(cluster.lastList.options.continueToken, undefined);
    await cluster.lastList.page(pageOf('b', 1), '1', 'old');
    await cluster.lastList.answer(failure('expired'));
    assert.equal(names.failure?.kind, 'expired');
    assert.deepEqual(
      names.items.map(({ name }) => name),
      ['b0'],
    );
    assert.equal(cluster.requests.length, 4);
  });

  it('ends its request when disposed, and says nothing more', async () => {
    const { cluster, names } = setUp();
    let changes = 0;
    names.onDidChange(() => changes++);
    names.load('all');
    names.dispose();
    assert.equal(cluster.lastList.signal.aborted, true);
    await cluster.lastList.page(pageOf('a', 1), '1', 'next');
    assert.equal(changes, 0);
    assert.equal(cluster.requests.length, 1);
  });
});
