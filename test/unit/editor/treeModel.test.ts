import assert from 'node:assert/strict';
import { batchPauseMs } from '../../../src/editor/changeBatcher.ts';
import { graceMs } from '../../../src/editor/treeActivity.ts';
import { firstRows } from '../../../src/editor/treeContext.ts';
import { childId, refOf, type TreeNode } from '../../../src/editor/treeNodes.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, fakeObject } from '../../support/fakeCluster.ts';
import { fakeContext, fakeType } from '../../support/fakeClusters.ts';
import {
  customServices,
  deployments,
  namespaceObject,
  nodes,
  pods,
  services,
  terminating,
  TreeHarness,
} from './treeHarness.ts';

describe('ObjectTree: contexts', () => {
  it('D11: shows 200 contexts and connects to none', async () => {
    const harness = new TreeHarness(Array.from({ length: 200 }, (_, index) => fakeContext(`c${index}`)));
    assert.equal((await harness.children()).length, 200);
    assert.equal(harness.clusters.connections.size, 0);
    assert.equal(harness.clusters.reloads, 1);
  });

  it('puts the current context first and the others by name', async () => {
    const harness = new TreeHarness([
      fakeContext('b'),
      fakeContext('a'),
      fakeContext('c', { isCurrent: true }),
    ]);
    assert.deepEqual(await harness.words(), ['context c', 'context a', 'context b']);
  });

  it('is empty without a kubeconfig', async () => {
    assert.deepEqual(await new TreeHarness([]).words(), []);
  });

  it('says what is wrong with the files, and offers a retry and another file', async () => {
    const harness = new TreeHarness([], ['config is no YAML: line 3']);
    assert.deepEqual(await harness.words(), [
      '[error] config is no YAML: line 3 (retry)',
      '[info] Choose kubeconfig… (chooseKubeconfig)',
    ]);
    const [message] = await harness.children();
    assert.ok(message);
    await harness.tree.retry(message);
    assert.equal(harness.clusters.reloads, 2);
  });

  it('says why a context cannot be used, without connecting', async () => {
    const harness = new TreeHarness([fakeContext('prod', { problem: 'its user is missing' })]);
    const context = await harness.descend('context prod');
    assert.deepEqual(await harness.words(context), ['[error] its user is missing (retry)']);
    assert.equal(harness.clusters.connections.size, 0);
  });

  it('D10: follows the kubeconfig, ending what it asked of a cluster that is no longer meant', async () => {
    const harness = new TreeHarness();
    const context = await harness.openContext();
    const before = harness.cluster;
    harness.clusters.change([fakeContext('prod', { clusterId: fakeContext('other').clusterId })]);
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes.at(-1), undefined);
    assert.equal(before.open.length, 0);
    await harness.children(context);
    assert.notEqual(harness.cluster, before);
    assert.equal(harness.cluster.requests.length, 1);
  });

  it('tries again what failed when the kubeconfig changed', async () => {
    const harness = new TreeHarness();
    const context = await harness.descend('context prod');
    await harness.children(context);
    await harness.cluster.lastList.answer(failure('unauthenticated'));
    assert.equal((await harness.words(context))[0], '[error] It is unauthenticated (retry)');
    harness.clusters.change([fakeContext('prod', { userName: 'another' })]);
    await settled();
    assert.deepEqual(harness.cluster.log, ['list', 'list']);
  });
});

describe('ObjectTree: namespaces', () => {
  it("lists them live, the context's own first", async () => {
    const harness = new TreeHarness();
    const context = await harness.openContext(['a', 'shop', 'z']);
    assert.deepEqual(await harness.words(context), [
      'all namespaces',
      'cluster',
      'namespace shop',
      'namespace a',
      'namespace z',
    ]);
    await harness.cluster.watchOf('namespaces').send({ kind: 'added', object: namespaceObject('m') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes.at(-1), [context]);
    assert.ok((await harness.words(context)).includes('namespace m'));
  });

  it('shows nothing again that VS Code was given already, which would drop what is being expanded', async () => {
    const harness = new TreeHarness();
    const context = await harness.descend('context prod');
    const answer = harness.tree.children(context);
    await settled();
    await harness.cluster.listOf('namespaces').page([namespaceObject('shop')]);
    await harness.cluster.watchOf('namespaces').open();
    const scope = (await answer).find((node) => node.kind === 'scope' && node.name === 'shop');
    assert.ok(scope);
    const below = harness.tree.children(scope);
    await settled();
    await harness.cluster.serve([pods]);
    assert.equal((await below).length, 1);
    await harness.clock.advance(1_000);
    assert.equal(harness.changes.length, 0);

    await harness.tree.retry(scope);
    await harness.cluster.serve([pods, deployments]);
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes.at(-1), [scope]);
  });

  it('E1: may not be listed: shows the own one, those typed before, and where to type another', async () => {
    const harness = new TreeHarness();
    const context = await harness.descend('context prod');
    await harness.children(context);
    await harness.cluster.lastList.answer(failure('forbidden'));
    const fallback = [
      'all namespaces',
      'cluster',
      'namespace shop',
      '[info] Add namespace… (addNamespace)',
      '[forbidden] Namespaces cannot be listed (retry)',
    ];
    assert.deepEqual(await harness.words(context), fallback);
    assert.ok(context.kind === 'context');
    assert.equal(harness.tree.isLimited(context), true);
    await harness.tree.addNamespace(context, 'team-a');
    assert.deepEqual(await harness.words(context), fallback.toSpliced(3, 0, 'namespace team-a'));
    const again = new TreeHarness();
    again.store.values.set('kubemerge.namespaces', harness.store.values.get('kubemerge.namespaces'));
    const node = await again.descend('context prod');
    await again.children(node);
    await again.cluster.lastList.answer(failure('forbidden'));
    assert.ok((await again.words(node)).includes('namespace team-a'), 'remembered');
  });

  it('forgets a typed name again', async () => {
    const harness = new TreeHarness();
    const context = await harness.descend('context prod');
    await harness.children(context);
    await harness.cluster.lastList.answer(failure('forbidden'));
    assert.ok(context.kind === 'context');
    await harness.tree.addNamespace(context, 'team-a');
    const scope = await harness.descend('context prod', 'namespace team-a');
    assert.ok(scope.kind === 'scope');
    assert.equal(harness.tree.namespaceTraits(scope).isTyped, true);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    await harness.tree.forgetNamespace(scope);
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[context]]);
    assert.ok(!(await harness.words(context)).includes('namespace team-a'));
  });

  it('are filtered by their names', async () => {
    const harness = new TreeHarness();
    const context = await harness.openContext(['shop', 'team-a', 'team-b']);
    assert.ok(context.kind === 'context');
    harness.tree.setFilter(context, 'Team');
    const fixed = ['all namespaces', 'cluster'];
    assert.deepEqual(await harness.words(context), [...fixed, 'namespace team-a', 'namespace team-b']);
    harness.tree.setFilter(context, 'x');
    assert.deepEqual(await harness.words(context), [...fixed, '[empty] No namespaces match “x”']);
  });

  it('cannot be reached: says why, and shows "Loading…" on a retry', async () => {
    const harness = new TreeHarness();
    const context = await harness.descend('context prod');
    await harness.children(context);
    await harness.cluster.lastList.answer(failure('unreachable'));
    const [message] = await harness.children(context);
    assert.ok(message?.kind === 'message' && message.action === 'retry');
    await harness.tree.retry(message);
    assert.deepEqual(await harness.words(context), ['[loading] Loading…']);
    assert.equal(harness.cluster.requests.length, 2);
  });

  it('shows "Loading…" for a cluster that does not answer, and blocks no other', async () => {
    const harness = new TreeHarness([fakeContext('dead'), fakeContext('prod')]);
    const dead = await harness.descend('context dead');
    assert.deepEqual(await harness.words(dead), ['[loading] Loading…']);
    const context = await harness.openContext();
    assert.ok((await harness.words(context)).includes('namespace shop'));
  });
});

describe('ObjectTree: favourite namespaces', () => {
  async function withFavourites(...names: readonly string[]): Promise<TreeHarness> {
    const harness = new TreeHarness();
    const { clusterId } = fakeContext('prod');
    for (const namespace of names) {
      await harness.favourites.add({ kind: 'namespace', address: { clusterId, context: 'prod', namespace } });
    }
    return harness;
  }

  it('stand first, also before the cluster has answered and where namespaces cannot be listed', async () => {
    const harness = await withFavourites('z', 'm');
    const context = await harness.descend('context prod');
    const first = ['all namespaces', 'cluster', 'namespace z', 'namespace m'];
    assert.deepEqual(await harness.words(context), [...first, '[loading] Loading…']);
    await harness.cluster.lastList.answer(failure('forbidden'));
    assert.deepEqual((await harness.words(context)).slice(0, 5), [...first, 'namespace shop']);
    await harness.tree.retry(context);
    await harness.cluster.lastList.page(['a', 'm', 'shop', 'z'].map(namespaceObject));
    assert.deepEqual(await harness.words(context), [...first, 'namespace shop', 'namespace a']);
  });

  it('ask no cluster for anything until their context is expanded', async () => {
    const harness = await withFavourites('z');
    await harness.children();
    await harness.clock.advance(1_000);
    assert.equal(harness.clusters.connections.size, 0);
  });

  it('are shown and marked at once, and when they are not there', async () => {
    const harness = await withFavourites();
    const context = await harness.openContext(['a', 'shop']);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    const { clusterId } = fakeContext('prod');
    for (const namespace of ['shop', 'gone']) {
      await harness.favourites.add({ kind: 'namespace', address: { clusterId, context: 'x', namespace } });
    }
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[context]]);
    const traits = async (name: string) => {
      const node = await harness.descend('context prod', `namespace ${name}`);
      assert.ok(node.kind === 'scope');
      return harness.tree.namespaceTraits(node);
    };
    const here = { isFavourite: true, isTyped: false, isMissing: false };
    assert.deepEqual(await traits('shop'), here);
    assert.deepEqual(await traits('gone'), { ...here, isMissing: true });
    assert.deepEqual(await traits('a'), { ...here, isFavourite: false });
  });

  it('are found for showing them, without a request', async () => {
    const harness = await withFavourites('z');
    const found = await harness.tree.findNamespace('prod', 'z');
    assert.ok(found);
    assert.equal(harness.cluster.requests.length, 0);
    const context = await harness.descend('context prod');
    assert.equal(found.context, context);
    assert.equal(found.scope, await harness.descend('context prod', 'namespace z'));
    assert.equal(await harness.tree.findNamespace('other', 'z'), undefined);
  });
});

describe('ObjectTree: kinds', () => {
  it('groups them, leaving out what cannot be listed or lies in another scope', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const scope = await harness.descend('context prod', 'namespace shop');
    await harness.children(scope);
    await harness.cluster.serve([
      fakeType('v1', 'Binding', 'bindings', { verbs: ['create'] }),
      nodes,
      deployments,
      fakeType('apps/v1beta1', 'Deployment', 'deployments', { isPreferredVersion: false }),
      pods,
      fakeType('v1', 'Event', 'events'),
      fakeType('stable.example.com/v1', 'CronTab', 'crontabs'),
      fakeType('a.example.com/v1', 'Widget', 'widgets'),
    ]);
    assert.deepEqual(await harness.words(scope), ['Workloads', 'Custom', 'Other']);
    assert.deepEqual(
      await harness.words(await harness.descend('context prod', 'namespace shop', 'Workloads')),
      ['Pod', 'Deployment'],
    );
    const custom = await harness.descend('context prod', 'namespace shop', 'Custom');
    assert.deepEqual(await harness.words(custom), ['a.example.com', 'stable.example.com']);
    const group = await harness.descend('context prod', 'namespace shop', 'Custom', 'stable.example.com');
    assert.deepEqual(await harness.words(group), ['CronTab']);
    const cluster = await harness.descend('context prod', 'cluster');
    assert.deepEqual(await harness.words(cluster), ['Cluster']);
    assert.equal(harness.cluster.discoveries.length, 1, 'asked once for all scopes');
  });

  it('E3: shows all others where a group cannot be read', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const scope = await harness.descend('context prod', 'namespace shop');
    await harness.children(scope);
    await harness.cluster.serve([pods], [{ group: 'metrics.k8s.io', message: 'answered 503' }]);
    const words = ['Workloads', '[warning] metrics.k8s.io could not be read (retry)'];
    assert.deepEqual(await harness.words(scope), words);
    const message = (await harness.children(scope)).at(-1);
    assert.ok(message);
    await harness.tree.retry(message);
    assert.deepEqual(
      harness.cluster.discoveries.map(({ refresh }) => refresh),
      [false, true],
    );
    assert.deepEqual(await harness.words(scope), words, 'what was known stays');
    await harness.cluster.serve([pods]);
    await harness.clock.advance(1_000);
    assert.deepEqual(await harness.words(scope), ['Workloads']);
  });

  it('E4: tells equal kinds of two groups apart, to the objects', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const types = [services, customServices];
    const core = await harness.openKind('namespace shop', 'Network', 'Service ()', types);
    await harness.cluster.lastList.page([fakeObject('x', '1')]);
    const [coreObject] = await harness.children(core);
    await harness.descend('context prod', 'namespace shop', 'Custom', 'serving.example.com');
    const custom = await harness.descend(
      'context prod',
      'namespace shop',
      'Custom',
      'serving.example.com',
      'Service (serving.example.com)',
    );
    await harness.children(custom);
    await harness.cluster.lastList.page([fakeObject('x', '1')]);
    const [customObject] = await harness.children(custom);
    assert.ok(coreObject?.kind === 'object' && customObject?.kind === 'object');
    assert.notEqual(coreObject.id, customObject.id);
    assert.deepEqual(
      [refOf(coreObject), refOf(customObject)].map(({ gvr }) => gvr.group),
      ['', 'serving.example.com'],
    );
  });
});

describe('ObjectTree: objects', () => {
  async function opened(scope = 'namespace shop'): Promise<{ harness: TreeHarness; kind: TreeNode }> {
    const harness = new TreeHarness();
    await harness.openContext();
    const kind = await harness.openKind(scope, 'Workloads', 'Deployment', [deployments, pods]);
    return { harness, kind };
  }

  it('shows the first page at once and the others as they come', async () => {
    const { harness, kind } = await opened();
    assert.deepEqual(harness.cluster.lastList.options, { content: 'rows', limit: 500 });
    await harness.cluster.lastList.answer({
      kind: 'ok',
      value: {
        objects: [fakeObject('b', '1')],
        resourceVersion: undefined,
        continueToken: 'x',
        remainingItemCount: 1_200,
      },
    });
    assert.deepEqual(await harness.words(kind), ['b', '[loading] Loading 1,200 more…']);
    await harness.cluster.lastList.page([fakeObject('a', '1')]);
    assert.deepEqual(await harness.words(kind), ['a', 'b']);
  });

  it('says that there is nothing, in words', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page([]);
    assert.deepEqual(await harness.words(kind), ['[empty] No deployments in shop']);
  });

  it('names an object by context, namespace, type and name', async () => {
    const { harness, kind } = await opened('all namespaces');
    assert.equal(harness.cluster.lastList.collection.namespace, undefined);
    await harness.cluster.lastList.page([fakeObject('web', '1')]);
    const [object] = await harness.children(kind);
    assert.ok(object?.kind === 'object');
    assert.deepEqual(refOf(object), {
      context: 'prod',
      namespace: 'shop',
      gvr: deployments.gvr,
      name: 'web',
    });
  });

  it('follows the cluster: only the row where it alone looks different', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page([fakeObject('a', '1'), fakeObject('b', '1')]);
    const [, row] = await harness.children(kind);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    const watch = harness.cluster.lastWatch;
    await watch.send({ kind: 'modified', object: fakeObject('a', '2') });
    await harness.clock.advance(1_000);
    assert.equal(harness.changes.length, 0, 'a row shows nothing of this change');
    await watch.send({ kind: 'modified', object: terminating('b', '3') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[row]]);
    await watch.send({ kind: 'deleted', object: fakeObject('b', '4') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes.at(-1), [kind]);
    assert.deepEqual(await harness.words(kind), ['a']);
    assert.equal(
      (await harness.children(kind))[0],
      (await harness.children(kind))[0],
      'nodes keep their identity',
    );
  });

  it('shows nothing again that VS Code was given already, which would make its rows follow nothing', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const kind = await harness.openKind('namespace shop', 'Workloads', 'Deployment', [deployments, pods]);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    await harness.cluster.lastList.page([fakeObject('a', '1'), fakeObject('b', '1')]);
    assert.deepEqual(await harness.words(kind), ['a', 'b']);
    await harness.cluster.lastWatch.open();
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, []);
    await harness.cluster.lastWatch.send({ kind: 'added', object: fakeObject('c', '2') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[kind]]);
  });

  it('shows only those rows again that another list made look different', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page([fakeObject('a', '1'), fakeObject('b', '1')]);
    await harness.cluster.lastWatch.open();
    const [, row] = await harness.children(kind);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    await harness.tree.refresh(kind);
    await settled();
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    await harness.cluster.lastList.page([fakeObject('a', '1'), terminating('b', '2')]);
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[row]]);
  });

  it('keeps the order as objects come and go', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page(['b', 'd', 'f'].map((name) => fakeObject(name, '1')));
    assert.deepEqual(await harness.words(kind), ['b', 'd', 'f']);
    const watch = harness.cluster.lastWatch;
    for (const [kindOfEvent, name] of [
      ['added', 'c'],
      ['added', 'g'],
      ['deleted', 'b'],
      ['added', 'a'],
      ['deleted', 'f'],
    ] as const) {
      await watch.send({ kind: kindOfEvent, object: fakeObject(name, `${name}${kindOfEvent}`) });
    }
    assert.deepEqual(await harness.words(kind), ['a', 'c', 'd', 'g']);
  });

  it('shows a list at once when it is complete, however many rows that are', async () => {
    const { harness, kind } = await opened();
    const names = (from: number) => Array.from({ length: 500 }, (_item, index) => `x${from + index}`);
    await harness.cluster.lastList.page(
      names(1000).map((name) => fakeObject(name, '1')),
      '100',
      'more',
    );
    await harness.clock.advance(400);
    harness.changes.length = 0;
    await harness.cluster.lastList.page(names(2000).map((name) => fakeObject(name, '1')));
    await harness.clock.advance(260);
    assert.deepEqual(harness.changes, [[kind]]);
  });

  it("shows a row again when the server's columns for it change", async () => {
    const { harness, kind } = await opened();
    const row = (resourceVersion: string, summary: string) => ({
      ...fakeObject('a', resourceVersion),
      summary,
      owner: 'ReplicaSet web',
    });
    await harness.cluster.lastList.page([row('1', '0/1 ready · Pending')]);
    const [node] = await harness.children(kind);
    assert.ok(node?.kind === 'object');
    assert.deepEqual([node.summary, node.owner], ['0/1 ready · Pending', 'ReplicaSet web']);
    await harness.clock.advance(1_000);
    harness.changes.length = 0;
    await harness.cluster.lastWatch.send({ kind: 'modified', object: row('2', '1/1 ready · Running') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [[node]]);
    assert.equal(node.summary, '1/1 ready · Running');
  });

  it('E2: one forbidden namespace is marked in place and the others show their objects', async () => {
    const harness = new TreeHarness();
    await harness.openContext(['a', 'b', 'c']);
    const kinds: TreeNode[] = [];
    for (const name of ['a', 'b', 'c']) {
      kinds.push(await harness.openKind(`namespace ${name}`, 'Workloads', 'Pod', [pods]));
      const list = harness.cluster.lastList;
      if (name === 'b') await list.answer(failure('forbidden'));
      else await list.page([fakeObject('web', '1')]);
    }
    const shown = [];
    for (const kind of kinds) shown.push(await harness.words(kind));
    assert.deepEqual(shown, [['web'], ['[forbidden] Forbidden: it is forbidden (retry)'], ['web']]);
  });

  it('E9: a later list that fails marks the rows as outdated, with the reason, until one succeeds', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page([fakeObject('a', '1')]);
    await harness.cluster.lastWatch.open();
    const [row] = await harness.children(kind);
    assert.ok(row?.kind === 'object');
    await harness.tree.refresh(kind);
    await settled();
    assert.equal(harness.tree.isOutdated(row), false);
    await harness.cluster.lastList.answer(failure('serverError'));
    await harness.clock.advance(500);
    assert.ok(harness.changes.at(-1)?.includes(kind));
    assert.equal(harness.tree.isOutdated(row), true);
    const [message, ...rows] = await harness.words(kind);
    assert.match(message ?? '', /^\[warning\] Not live since \d\d:\d\d: it is serverError \(retry\)$/);
    assert.deepEqual(rows, ['a']);
    await harness.clock.advance(1_000);
    await harness.cluster.lastList.page([fakeObject('a', '1')]);
    await harness.clock.advance(500);
    assert.ok(harness.changes.at(-1)?.includes(kind));
    assert.deepEqual(await harness.words(kind), ['a']);
    assert.equal(harness.tree.isOutdated(row), false);
  });

  it('marks rows as outdated only when a lost watch stays away', async () => {
    const { harness, kind } = await opened();
    await harness.cluster.lastList.page([fakeObject('a', '1')]);
    await harness.cluster.lastWatch.open();
    await harness.cluster.lastWatch.end(failure('interrupted'));
    assert.deepEqual(await harness.words(kind), ['a']);
    await harness.clock.advance(1_000);
    await harness.cluster.lastWatch.end(failure('unreachable'));
    await harness.clock.advance(2_000);
    assert.match((await harness.words(kind))[0] ?? '', /Not live since .*: it is unreachable/);
  });

  it('shows a thousand rows of a large list, more when asked, and filters all of them', async () => {
    const { harness, kind } = await opened();
    const names = Array.from({ length: 20_000 }, (_, index) => `pod-${String(index).padStart(5, '0')}`);
    await harness.cluster.lastList.page(names.map((name) => fakeObject(name, '1')));
    const words = await harness.words(kind);
    assert.equal(words.length, firstRows + 1);
    assert.equal(words.at(-1), '[info] 19,000 more… (showMore)');
    assert.ok(kind.kind === 'kind');
    harness.tree.showMore(kind);
    assert.equal((await harness.words(kind)).at(-1), '[info] 14,000 more… (showMore)');
    harness.tree.setFilter(kind, '19998');
    assert.deepEqual(await harness.words(kind), ['pod-19998']);
    harness.tree.setFilter(kind, 'nothing');
    assert.deepEqual(await harness.words(kind), ['[empty] No deployments match “nothing”']);
    harness.tree.setFilter(kind, '');
    assert.equal((await harness.children(kind)).length, 6_001);
  });
});

describe('ObjectTree: rows of an object', () => {
  it('are shown again, in its namespace and in all, when it becomes a favourite or its document changes', async () => {
    const harness = new TreeHarness([fakeContext('prod'), fakeContext('dev')]);
    await harness.openContext();
    const rows: TreeNode[] = [];
    for (const scope of ['namespace shop', 'all namespaces', 'namespace default']) {
      const kind = await harness.openKind(scope, 'Workloads', 'Deployment', [deployments, pods]);
      await harness.cluster.lastList.page(scope === 'namespace default' ? [] : [fakeObject('web', '1')]);
      rows.push(...(await harness.children(kind)).filter((row) => row.kind === 'object'));
    }
    await harness.clock.advance(2_000);
    harness.changes.length = 0;
    const { clusterId } = fakeContext('prod');
    const gvr = { ...deployments.gvr, version: 'v1beta1' };
    const ref = { context: 'prod', namespace: 'shop', gvr, name: 'web' };
    await harness.favourites.add({ kind: 'object', address: { clusterId, ref } });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes, [rows]);
    harness.tree.showObject({ clusterId, ref: { ...ref, namespace: 'other' } });
    harness.tree.showObject({ clusterId: fakeContext('dev').clusterId, ref });
    await harness.clock.advance(1_000);
    assert.equal(harness.changes.length, 1);
  });
});

describe('ObjectTree: what is told', () => {
  it('comes in batches that are 250 ms apart at least, whatever makes it look different', async () => {
    const harness = new TreeHarness();
    await harness.openContext();
    const kind = await harness.openKind('namespace shop', 'Workloads', 'Pod', [pods]);
    await harness.cluster.lastList.page([fakeObject('a', '1')]);
    await harness.cluster.lastWatch.open();
    await harness.clock.advance(2_000);
    const toldAt: number[] = [];
    harness.tree.onDidChange(() => toldAt.push(harness.clock.now()));
    const { clusterId } = fakeContext('prod');
    const ref = { context: 'prod', namespace: 'shop', gvr: pods.gvr, name: 'a' };
    for (let round = 0; round < 100; round++) {
      const object = { ...fakeObject('a', `${round + 2}`), summary: `${round} restarts` };
      await harness.cluster.watchOf('pods').send({ kind: 'modified', object });
      harness.tree.show(kind);
      harness.tree.showObject({ clusterId, ref });
      if (round % 10 === 0) harness.tree.show();
      await harness.clock.advance(30);
    }
    await harness.clock.advance(1_000);
    assert.ok(toldAt.length >= 10, `${toldAt.length} batches`);
    const gaps = toldAt.slice(1).map((at, index) => at - (toldAt[index] ?? 0));
    assert.ok(Math.min(...gaps) >= batchPauseMs, `${Math.min(...gaps)} ms`);
  });
});

describe('ObjectTree: what helps after a failure', () => {
  async function failedWith(kind: 'unauthenticated' | 'misconfigured', canSignIn: boolean) {
    const harness = new TreeHarness([fakeContext('prod', { canSignIn })]);
    const context = await harness.descend('context prod');
    await harness.children(context);
    await harness.cluster.lastList.answer(failure(kind));
    return { harness, context };
  }

  it('is signing in, where the credential plugin may ask', async () => {
    const { harness, context } = await failedWith('unauthenticated', true);
    assert.deepEqual(await harness.words(context), [
      '[error] It is unauthenticated (retry)',
      '[info] Sign in in a terminal… (signIn)',
      '[info] Show what to do… (explain)',
    ]);
    const words = (await harness.children(context)).at(-1);
    assert.ok(words?.kind === 'message');
    assert.match(words.detail ?? '', /^It is unauthenticated\.\n\n.*user someone.*Sign in in a terminal/);
  });

  it('is renewing what stands in the kubeconfig, where there is no such plugin', async () => {
    const { harness, context } = await failedWith('unauthenticated', false);
    const [, words, ...others] = await harness.children(context);
    assert.ok(words?.kind === 'message' && words.action === 'explain' && others.length === 0);
    assert.match(words.detail ?? '', /stand in the kubeconfig, and only the tool that wrote it/);
  });

  it('D5: is what the kubeconfig says of a missing plugin, and no reload of the window', async () => {
    const { harness, context } = await failedWith('misconfigured', true);
    const [, words, ...others] = await harness.children(context);
    assert.ok(words?.kind === 'message' && words.action === 'explain' && others.length === 0);
    assert.match(words.detail ?? '', /^It is misconfigured\.\n\n.*need not be reloaded/);
  });

  it('is offered beside rows that are outdated, and of kinds that could not be read', async () => {
    const harness = new TreeHarness([fakeContext('prod', { canSignIn: true })]);
    const context = await harness.openContext();
    const scope = await harness.descend('context prod', 'namespace shop');
    await harness.children(scope);
    await harness.cluster.answerDiscovery(failure('unauthenticated'));
    const remedies = ['[info] Sign in in a terminal… (signIn)', '[info] Show what to do… (explain)'];
    assert.deepEqual((await harness.words(scope)).slice(1), remedies);
    await harness.tree.refresh(context);
    await settled();
    await harness.cluster.lastList.answer(failure('unauthenticated'));
    assert.deepEqual((await harness.words(context)).slice(1, 3), remedies);
  });
});

describe('ObjectTree: watches', () => {
  const kinds = Array.from({ length: 25 }, (_, index) =>
    fakeType(`g${index}.example.com/v1`, `K${index}`, `k${index}s`),
  );

  async function openAll(harness: TreeHarness): Promise<TreeNode[]> {
    await harness.openContext();
    const scope = await harness.descend('context prod', 'namespace shop');
    await harness.children(scope);
    await harness.cluster.serve(kinds);
    const opened: TreeNode[] = [];
    for (const { gvk } of kinds) {
      const node = await harness.descend('context prod', 'namespace shop', 'Custom', gvk.group, gvk.kind);
      await harness.children(node);
      await harness.cluster.lastList.page([fakeObject('x', '1')]);
      opened.push(node);
    }
    await openWatches(harness);
    await harness.clock.advance(1_000);
    return opened;
  }

  async function openWatches({ cluster }: TreeHarness): Promise<void> {
    for (const request of cluster.open) if (request.kind === 'watch') await request.open();
  }

  it('E8: 25 expanded kinds are all live; collapsed, their watches end', async () => {
    const harness = new TreeHarness();
    const opened = await openAll(harness);
    assert.equal(harness.cluster.open.length, 26);
    await harness.cluster.watchOf('k7s').send({ kind: 'added', object: fakeObject('y', '2') });
    await harness.clock.advance(1_000);
    assert.deepEqual(harness.changes.at(-1), [opened[7]]);
    for (const node of opened) harness.tree.collapsed(node);
    await harness.clock.advance(graceMs - 1);
    assert.equal(harness.cluster.open.length, 26);
    await harness.clock.advance(1);
    assert.equal(harness.cluster.open.length, 1);
  });

  it('E8: 100 events together cause one refresh', async () => {
    const harness = new TreeHarness();
    const opened = await openAll(harness);
    harness.changes.length = 0;
    for (let index = 0; index < 100; index++) {
      const watch = harness.cluster.watchOf(`k${index % 25}s`);
      await watch.send({ kind: 'added', object: fakeObject(`n${index}`, `${index + 2}`) });
    }
    await harness.clock.advance(1_000);
    assert.equal(harness.changes.length, 1);
    assert.deepEqual(new Set(harness.changes[0]), new Set(opened));
  });

  it('end when the context is collapsed or the tree hidden, and start again when it is seen', async () => {
    const harness = new TreeHarness();
    const opened = await openAll(harness);
    const [first] = opened;
    assert.ok(first);
    const context = await harness.descend('context prod');
    for (const hide of [
      (isHidden: boolean): void => {
        if (isHidden) harness.tree.collapsed(context);
        else harness.tree.expanded(context);
      },
      (isHidden: boolean): void => {
        harness.tree.setVisible(!isHidden);
      },
    ]) {
      await harness.clock.advance(1_000);
      const changesBefore = harness.changes.length;
      hide(true);
      await harness.clock.advance(graceMs);
      assert.equal(harness.cluster.open.length, 0);
      const before = harness.cluster.requests.length;
      await harness.clock.advance(10 * graceMs);
      assert.equal(harness.cluster.requests.length, before, 'nothing is asked for out of sight');
      const wasShown = harness.changes
        .slice(changesBefore)
        .some((change) => change?.includes(first) !== false);
      assert.equal(wasShown, false, 'nor has VS Code a reason to ask');
      hide(false);
      await harness.clock.advance(1_000);
      assert.ok(harness.changes.at(-1)?.includes(first), 'VS Code is told to ask again');
      for (const node of opened) await harness.children(node);
      await harness.cluster.listOf('k0s').page([fakeObject('x', '1')]);
      await openWatches(harness);
      assert.deepEqual(await harness.words(first), ['x']);
    }
  });

  it('stay when the node is expanded again within the grace period', async () => {
    const harness = new TreeHarness();
    const [first] = await openAll(harness);
    assert.ok(first);
    harness.tree.collapsed(first);
    await harness.clock.advance(graceMs - 1);
    harness.tree.expanded(first);
    await harness.clock.advance(20_000);
    assert.equal(harness.cluster.watchOf('k0s').signal.aborted, false);
  });

  it('end with the tree', async () => {
    const harness = new TreeHarness();
    await openAll(harness);
    harness.tree.dispose();
    assert.equal(harness.cluster.open.length, 0);
    await settled();
    assert.equal(harness.clock.pendingTimers, 0);
  });
});

describe('ObjectTree: ids', () => {
  it('are unique for names that look like paths', async () => {
    const names = ['a', 'a/b', 'a%2Fb', 'arn:aws:eks:eu/x', 'ns/api:6443/user@x', 'message', 'ä ?#'];
    const harness = new TreeHarness(names.map((name) => fakeContext(name)));
    const ids = (await harness.children()).map(({ id }) => id);
    assert.equal(new Set(ids).size, names.length);
  });

  it('keep the parts of a path apart', () => {
    const ids = [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a', 'b%2Fc'],
    ].map((parts) => childId('root', ...parts));
    assert.equal(new Set(ids).size, 3);
  });

  it('of an object and a message of its parent differ', async () => {
    const harness = new TreeHarness();
    await harness.openContext(['message']);
    const kind = await harness.openKind('all namespaces', 'Workloads', 'Pod', [pods]);
    await harness.cluster.lastList.page([]);
    const [message] = await harness.children(kind);
    const object = { ...fakeObject('empty', '1'), metadata: { name: 'empty', namespace: 'message' } };
    await harness.cluster.lastWatch.send({ kind: 'added', object });
    const [row] = await harness.children(kind);
    assert.equal(row?.kind, 'object');
    assert.notEqual(row.id, message?.id);
  });
});
