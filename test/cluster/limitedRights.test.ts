import assert from 'node:assert/strict';
import { systemClock } from '../../src/cluster/systemClock.ts';
import { Favourites } from '../../src/editor/favourites.ts';
import { RememberedNamespaces } from '../../src/editor/rememberedNamespaces.ts';
import { ObjectTree } from '../../src/editor/treeModel.ts';
import type { TreeNode } from '../../src/editor/treeNodes.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { childOf, loadedChildren } from '../support/expandedTree.ts';
import { FakeStore } from '../support/fakeClusters.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, type OpenClusters, openClusters } from './openClusters.ts';

const isKind =
  (kind: string) =>
  (node: TreeNode): boolean =>
    node.kind === 'kind' && node.type.gvk.kind === kind;

describe('the tree of a user with rights in some namespaces of a real API server', () => {
  let server: SharedApiServer;
  let other: ApiClient;
  let namespaces: readonly [own: string, second: string, forbidden: string];
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let opened: OpenClusters;
  let tree: ObjectTree;
  let store: FakeStore;
  before(async () => {
    server = await sharedApiServer();
    other = server.client();
    namespaces = [
      await createNamespace(other, 'limited'),
      await createNamespace(other, 'limited'),
      await createNamespace(other, 'limited'),
    ];
    for (const namespace of namespaces) {
      await other.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'settings' } });
    }
    const rbac = { apiGroup: 'rbac.authorization.k8s.io' };
    for (const namespace of namespaces.slice(0, 2)) {
      await other.create(`/apis/${rbac.apiGroup}/v1/namespaces/${namespace}/rolebindings`, {
        metadata: { name: 'views' },
        roleRef: { ...rbac, kind: 'ClusterRole', name: 'view' },
        subjects: [{ ...rbac, kind: 'User', name: 'nobody' }],
      });
    }
    folder = await makeFolder();
    const cluster = { server: server.url, 'certificate-authority-data': inline(server.ca) };
    const user = { token: server.tokens.nobody };
    const config = buildKubeconfig({ x: { cluster, user, namespace: namespaces[0] } });
    opened = await openClusters([await folder.write('config', config)]);
    store = new FakeStore();
    tree = openTree();
  });
  after(async () => {
    tree.dispose();
    opened.clusters.dispose();
    other.close();
    await folder.remove();
  });

  function openTree(): ObjectTree {
    return new ObjectTree({
      clusters: opened.clusters,
      clock: systemClock,
      remembered: new RememberedNamespaces(store),
      favourites: new Favourites(store),
      onError: (error) => {
        throw error;
      },
    });
  }

  /** The namespaces below the context, and whether it says that they cannot be listed. */
  async function shownBelow(shown: ObjectTree, context: TreeNode) {
    const rows = await loadedChildren(shown, context);
    return {
      names: rows.flatMap((row) => (row.kind === 'scope' && row.name !== '' ? [row.name] : [])),
      isForbidden: rows.some((row) => row.kind === 'message' && row.tone === 'forbidden'),
    };
  }

  it('E1: has the context’s namespace where none can be listed, and those that were typed, in the next window too', async () => {
    const [own, second, forbidden] = namespaces;
    const context = await childOf(tree, undefined, ({ kind }) => kind === 'context');
    assert.ok(context.kind === 'context');
    assert.deepEqual(await shownBelow(tree, context), { names: [own], isForbidden: true });
    await tree.addNamespace(context, second);
    await tree.addNamespace(context, forbidden);
    assert.deepEqual((await shownBelow(tree, context)).names, [own, second, forbidden]);
    const again = openTree();
    const same = await childOf(again, undefined, ({ kind }) => kind === 'context');
    assert.deepEqual((await shownBelow(again, same)).names, [own, second, forbidden]);
    again.dispose();
  });

  it('E2: shows the objects of two namespaces, and marks the one that is forbidden in its place', async () => {
    const context = await childOf(tree, undefined, ({ kind }) => kind === 'context');
    assert.ok(context.kind === 'context');
    for (const namespace of namespaces) await tree.addNamespace(context, namespace);
    const shown: (readonly string[])[] = [];
    for (const namespace of namespaces) {
      const scope = await childOf(tree, context, (node) => node.kind === 'scope' && node.name === namespace);
      const config = await childOf(
        tree,
        scope,
        (node) => node.kind === 'category' && node.category === 'Config',
      );
      const rows = await loadedChildren(tree, await childOf(tree, config, isKind('ConfigMap')));
      shown.push(
        rows.map((row) => (row.kind === 'object' ? row.name : row.kind === 'message' ? row.tone : '')),
      );
    }
    const [own, second, forbidden] = shown.map((rows) => rows.filter((row) => row !== 'kube-root-ca.crt'));
    assert.deepEqual([own, second, forbidden], [['settings'], ['settings'], ['forbidden']]);
  });
});
