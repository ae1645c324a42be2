import assert from 'node:assert/strict';
import { graceMs } from '../../../src/editor/treeActivity.ts';
import { firstRows } from '../../../src/editor/treeContext.ts';
import { settled } from '../../support/fakeClock.ts';
import { fakeObject } from '../../support/fakeCluster.ts';
import { fakeContext, fakeType } from '../../support/fakeClusters.ts';
import { namespaceObject, pods, TreeHarness } from './treeHarness.ts';

/** `00000`, `00001`, … */
function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => String(from + index).padStart(5, '0'));
}

describe('ObjectTree at scale', () => {
  it('D11: 200 contexts, some of them expanded, ask only the clusters of those, each once', async () => {
    const names = numbered(200).map((number) => `c-${number}`);
    const harness = new TreeHarness(names.map((name) => fakeContext(name)));
    assert.equal((await harness.children()).length, 200);
    for (const name of names.slice(0, 3)) {
      await harness.children(await harness.descend(`context ${name}`));
    }
    await harness.clock.advance(60_000);
    assert.deepEqual([...harness.clusters.connections.keys()].sort(), names.slice(0, 3));
    for (const cluster of harness.clusters.connections.values()) {
      assert.equal(cluster.requests.length, 1);
      assert.equal(cluster.discoveries.length, 0);
    }
  });

  it('500 namespaces come in one list, are filtered without a request, and one of them is asked for alone', async () => {
    const harness = new TreeHarness();
    const context = await harness.openContext(numbered(500).map((number) => `team-${number}`));
    const fixed = 2;
    assert.equal((await harness.children(context)).length, fixed + 500);
    assert.ok(context.kind === 'context');
    harness.tree.setFilter(context, '-0049');
    assert.deepEqual(
      (await harness.words(context)).slice(fixed),
      numbered(10, 490).map((number) => `namespace team-${number}`),
    );
    const kind = await harness.openKind('namespace team-00490', 'Workloads', 'Pod', [pods]);
    await harness.cluster.lastList.page([fakeObject('web', '1')]);
    assert.deepEqual(await harness.words(kind), ['web']);
    harness.tree.setFilter(context, '');
    assert.equal((await harness.children(context)).length, fixed + 500);
    assert.deepEqual(harness.cluster.log.filter((request) => request === 'list').length, 2);
    assert.equal(harness.cluster.discoveries.length, 1);
  });

  it('300 custom kinds of 30 groups come with one discovery, for all scopes, and are filtered without another', async () => {
    const types = numbered(300).map((number, index) =>
      fakeType(`g${String(index % 30).padStart(2, '0')}.example.com/v1`, `Kind${number}`, `kind${number}s`),
    );
    const harness = new TreeHarness();
    await harness.openContext();
    const scope = await harness.descend('context prod', 'namespace shop');
    await harness.children(scope);
    await harness.cluster.serve([pods, ...types]);
    const custom = await harness.descend('context prod', 'namespace shop', 'Custom');
    const groups = await harness.children(custom);
    assert.equal(groups.length, 30);
    const kinds = await Promise.all(groups.map((group) => harness.children(group)));
    assert.deepEqual(
      kinds.map(({ length }) => length),
      groups.map(() => 10),
    );
    assert.equal(new Set(kinds.flat().map(({ id }) => id)).size, 300);

    assert.ok(custom.kind === 'category');
    harness.tree.setFilter(custom, 'KIND00031');
    assert.deepEqual(await harness.words(custom), ['g01.example.com']);
    const group = await harness.descend('context prod', 'namespace shop', 'Custom', 'g01.example.com');
    assert.deepEqual(await harness.words(group), ['Kind00031']);
    harness.tree.setFilter(custom, 'g07.');
    assert.deepEqual(await harness.words(custom), ['g07.example.com']);
    harness.tree.setFilter(custom, 'nothing');
    assert.deepEqual(await harness.words(custom), ['[empty] No kinds match “nothing”']);
    harness.tree.setFilter(custom, '');
    assert.equal((await harness.children(custom)).length, 30);

    const all = await harness.descend('context prod', 'all namespaces', 'Custom');
    assert.equal((await harness.children(all)).length, 30);
    assert.equal(harness.cluster.discoveries.length, 1);
    assert.equal(harness.cluster.log.filter((request) => request === 'list').length, 1, 'of namespaces');
  });

  it('E7: 20,000 pods come in pages, and 3,000 changes a minute cost VS Code four showings a second at most', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const kind = await harness.openKind('namespace shop', 'Workloads', 'Pod', [pods]);
    const total = 20_000;
    let pages = 0;
    for (let sent = 0; sent < total; pages++) {
      const { limit } = harness.cluster.lastList.options;
      assert.ok(limit !== undefined && limit <= 2_000);
      const size = Math.min(limit, total - sent);
      const objects = numbered(size, sent).map((number) => fakeObject(`pod-${number}`, '1'));
      sent += size;
      await harness.cluster.lastList.page(objects, '100', sent < total ? `from ${sent}` : undefined);
      if (pages === 0) assert.equal((await harness.children(kind)).length, size + 1, 'shown before the rest');
    }
    assert.ok(pages > 1 && pages <= 20, `${pages} pages`);
    assert.equal((await harness.children(kind)).length, firstRows + 1);
    const watch = harness.cluster.lastWatch;
    await watch.open();
    await harness.clock.advance(2_000);
    harness.changes.length = 0;

    for (let change = 0; change < 3_000; change++) {
      const name = `pod-${String((change * 7) % 20_000).padStart(5, '0')}`;
      const summary = `${change} restarts`;
      await watch.send({ kind: 'modified', object: { ...fakeObject(name, `${change + 2}`), summary } });
      await harness.clock.advance(20);
    }
    await harness.clock.advance(1_000);
    assert.ok(harness.changes.length > 0);
    assert.ok(harness.changes.length <= 61 * 4, `${harness.changes.length} showings`);
    // Where one row alone looks different, its siblings are left alone.
    assert.ok(harness.changes.every((rows) => rows?.every((row) => row.kind === 'object') === true));
    assert.equal(harness.cluster.open.length, 2, 'the watch is still the same');
  });

  it('E8: 25 expanded kinds in each of two contexts end with their contexts, and no request follows', async () => {
    const kinds = numbered(25).map((number) => fakeType(`g.example.com/v1`, `K${number}`, `k${number}s`));
    const harness = new TreeHarness([fakeContext('a'), fakeContext('b')]);
    for (const name of ['a', 'b']) {
      const context = await harness.descend(`context ${name}`);
      await harness.children(context);
      const cluster = harness.clusters.at(name);
      await cluster.listOf('namespaces').page([namespaceObject('shop')]);
      const scope = await harness.descend(`context ${name}`, 'namespace shop');
      await harness.children(scope);
      await cluster.serve(kinds);
      for (const { gvk, gvr } of kinds) {
        const path = [`context ${name}`, 'namespace shop', 'Custom', 'g.example.com', gvk.kind];
        await harness.children(await harness.descend(...path));
        await cluster.listOf(gvr.resource).page([fakeObject('x', '1')]);
      }
      assert.equal(cluster.open.length, 26);
    }
    for (const name of ['a', 'b']) {
      harness.tree.collapsed(await harness.descend(`context ${name}`));
      await harness.clock.advance(graceMs);
      assert.equal(harness.clusters.at(name).open.length, 0);
    }
    await settled();
    const requests = [...harness.clusters.connections.values()].flatMap((cluster) => cluster.requests).length;
    await harness.clock.advance(10 * graceMs);
    assert.equal([...harness.clusters.connections.values()].flatMap((one) => one.requests).length, requests);
  });
});
