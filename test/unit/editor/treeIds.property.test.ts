import assert from 'node:assert/strict';
import fc from 'fast-check';
import { childId, contextId } from '../../../src/editor/treeNodes.ts';
import { Favourites } from '../../../src/editor/favourites.ts';
import { favouriteRows, nameOfShortcut, refOfShortcut } from '../../../src/editor/shortcuts.ts';
import { anyName } from '../../support/anyName.ts';
import { FakeStore, fakeContext } from '../../support/fakeClusters.ts';
import { fakeObject } from '../../support/fakeCluster.ts';
import { pods, TreeHarness } from './treeHarness.ts';

const parts = fc.array(anyName, { minLength: 1, maxLength: 4 });

describe('tree ids', () => {
  it('are the same for the same names, and others for others, however those are spelt', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const isSame = JSON.stringify(left) === JSON.stringify(right);
        assert.equal(printId(left) === printId(right), isSame);
        assert.equal(printId(left), printId([...left]));
      }),
      { numRuns: 500 },
    );
  });

  it('pass through JSON and UTF-8 as they are', () => {
    fc.assert(
      fc.property(parts, (names) => {
        const id = printId(names);
        assert.equal(
          new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(id))),
          JSON.stringify(id),
        );
        assert.doesNotMatch(id, /\p{Cs}/u);
      }),
    );
  });

  it('of contexts and objects of any name are each their own, and the same in another window', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyName,
        fc.uniqueArray(anyName, { minLength: 2, maxLength: 4 }),
        async (context, names) => {
          const rows = async (): Promise<readonly string[]> => {
            const harness = new TreeHarness([fakeContext(context)]);
            const node = await harness.descend(`context ${context}`);
            await harness.children(node);
            const cluster = harness.clusters.at(context);
            await cluster.listOf('namespaces').page([]);
            const scope = await harness.descend(`context ${context}`, 'all namespaces');
            await harness.children(scope);
            await cluster.serve([pods]);
            const kind = await harness.descend(`context ${context}`, 'all namespaces', 'Workloads', 'Pod');
            await harness.children(kind);
            await cluster.listOf('pods').page(names.map((name) => fakeObject(name, '1')));
            return [node.id, scope.id, kind.id, ...(await harness.children(kind)).map(({ id }) => id)];
          };
          const ids = await rows();
          assert.equal(ids.length, names.length + 3);
          assert.equal(new Set(ids).size, ids.length);
          assert.deepEqual(await rows(), ids);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of favourites survive a restart, with the names that they stand for', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, anyName, async (context, name) => {
        const entry = fakeContext(context);
        const store = new FakeStore();
        const ref = { context, namespace: 'shop', gvr: pods.gvr, name };
        await new Favourites(store).add({ kind: 'object', address: { clusterId: entry.clusterId, ref } });
        const again = new FakeStore();
        const [key, value] = [...store.values][0] ?? [];
        again.values.set(key ?? '', JSON.parse(JSON.stringify(value)));
        const [row] = favouriteRows(new Favourites(again), [entry]);
        const [before] = favouriteRows(new Favourites(store), [entry]);
        assert.ok(row && before);
        assert.equal(row.id, before.id);
        assert.equal(nameOfShortcut(row), name);
        assert.deepEqual(refOfShortcut(row), ref);
      }),
    );
  });
});

function printId([context = '', ...below]: readonly string[]): string {
  return below.reduce((id, part) => childId(id, 'object', part), contextId(context));
}
