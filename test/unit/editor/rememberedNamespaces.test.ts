import assert from 'node:assert/strict';
import type { ClusterId } from '../../../src/core/resource/resourceRef.ts';
import { problemOfNamespace, RememberedNamespaces } from '../../../src/editor/rememberedNamespaces.ts';
import { FakeStore } from '../../support/fakeClusters.ts';

const prod = 'prod' as ClusterId;
const dev = 'dev' as ClusterId;

describe('RememberedNamespaces', () => {
  it('keeps names by cluster, in the order in which they were typed, each once, until forgotten', async () => {
    const store = new FakeStore();
    const remembered = new RememberedNamespaces(store);
    const told: ClusterId[] = [];
    remembered.onDidChange((clusterId) => told.push(clusterId));
    await remembered.add(prod, 'b');
    await remembered.add(prod, 'a');
    await remembered.add(prod, 'b');
    await remembered.add('constructor' as ClusterId, 'c');
    assert.deepEqual(new RememberedNamespaces(store).of(prod), ['b', 'a']);
    assert.deepEqual(remembered.of('constructor' as ClusterId), ['c']);
    assert.deepEqual(remembered.of('toString' as ClusterId), []);
    await remembered.remove(prod, 'b');
    assert.deepEqual(remembered.of(prod), ['a']);
    assert.deepEqual(told, [prod, prod, 'constructor', prod]);
  });

  it('leaves out what it cannot read', () => {
    const store = new FakeStore();
    store.values.set('kubemerge.namespaces', { prod: ['a', 1], dev: ['b'] });
    const remembered = new RememberedNamespaces(store);
    assert.deepEqual([remembered.of(prod), remembered.of(dev)], [[], ['b']]);
  });

  it('tells names that no namespace can have', () => {
    for (const name of ['shop', 'a', 'team-1', 'x'.repeat(63)])
      assert.equal(problemOfNamespace(name), undefined);
    for (const name of ['', 'Shop', '-a', 'a-', 'a.b', 'a/b', 'x'.repeat(64)]) {
      assert.notEqual(problemOfNamespace(name), undefined, name);
    }
  });
});
