import assert from 'node:assert/strict';
import type { ResourceRef } from '../../../src/core/resource/resourceRef.ts';
import { maxRecent, RecentObjects } from '../../../src/editor/recentObjects.ts';
import { problemOfNamespace, RememberedNamespaces } from '../../../src/editor/rememberedNamespaces.ts';
import { FakeStore } from '../../support/fakeClusters.ts';

function ref(name: string): ResourceRef {
  return { context: 'prod', namespace: 'shop', gvr: { group: '', version: 'v1', resource: 'secrets' }, name };
}

describe('RecentObjects', () => {
  it('keeps the newest first, each once, and not too many', async () => {
    const recent = new RecentObjects(new FakeStore());
    for (let index = 0; index < maxRecent + 5; index++) await recent.add(ref(`o${index}`));
    await recent.add(ref('o10'));
    const names = recent.all.map(({ name }) => name);
    assert.equal(names.length, maxRecent);
    assert.deepEqual(names.slice(0, 3), ['o10', 'o24', 'o23']);
    assert.equal(new Set(names).size, maxRecent);
  });

  it('leaves out what it cannot read', () => {
    const store = new FakeStore();
    for (const stored of [undefined, 'x', { a: 1 }]) {
      store.values.set('kubemerge.recentObjects', stored);
      assert.deepEqual(new RecentObjects(store).all, []);
    }
    store.values.set('kubemerge.recentObjects', [
      null,
      { context: 'prod' },
      { ...ref('a'), gvr: {} },
      ref('b'),
    ]);
    assert.deepEqual(new RecentObjects(store).all, [ref('b')]);
  });
});

describe('RememberedNamespaces', () => {
  it('keeps names by context, in the order in which they were typed, each once', async () => {
    const store = new FakeStore();
    const remembered = new RememberedNamespaces(store);
    await remembered.add('prod', 'b');
    await remembered.add('prod', 'a');
    await remembered.add('prod', 'b');
    await remembered.add('constructor', 'c');
    assert.deepEqual(new RememberedNamespaces(store).of('prod'), ['b', 'a']);
    assert.deepEqual(remembered.of('constructor'), ['c']);
    assert.deepEqual(remembered.of('toString'), []);
  });

  it('leaves out what it cannot read', () => {
    const store = new FakeStore();
    store.values.set('kubemerge.namespaces', { prod: ['a', 1], dev: ['b'] });
    const remembered = new RememberedNamespaces(store);
    assert.deepEqual([remembered.of('prod'), remembered.of('dev')], [[], ['b']]);
  });

  it('tells names that no namespace can have', () => {
    for (const name of ['shop', 'a', 'team-1', 'x'.repeat(63)])
      assert.equal(problemOfNamespace(name), undefined);
    for (const name of ['', 'Shop', '-a', 'a-', 'a.b', 'a/b', 'x'.repeat(64)]) {
      assert.notEqual(problemOfNamespace(name), undefined, name);
    }
  });
});
