import { systemClock } from '../../src/cluster/systemClock.ts';
import { Favourites } from '../../src/editor/favourites.ts';
import { RememberedNamespaces } from '../../src/editor/rememberedNamespaces.ts';
import { ObjectTree } from '../../src/editor/treeModel.ts';
import type { KindNode, TreeNode } from '../../src/editor/treeNodes.ts';
import { openClusters } from '../cluster/openClusters.ts';
import { FakeStore } from './fakeClusters.ts';

/** A kind's node that was expanded on a real cluster, with all of its objects read. */
export interface ExpandedKind extends Disposable {
  readonly tree: ObjectTree;
  readonly node: KindNode;
  /** From the click to the first rows, in ms. */
  readonly firstMs: number;
  /** From the click until the tree holds every object, in ms. */
  readonly allMs: number;
  /** Of the answers, as they came over the wire. */
  readonly bytes: number;
}

/** Expands a kind in a namespace as VS Code does: asks for its rows, and again at each change. */
export async function expandKind(
  kubeconfigPath: string,
  namespace: string,
  category: string,
  kind: string,
): Promise<ExpandedKind> {
  const { clusters, requests } = await openClusters([kubeconfigPath]);
  const store = new FakeStore();
  const tree = new ObjectTree({
    clusters,
    clock: systemClock,
    remembered: new RememberedNamespaces(store),
    favourites: new Favourites(store),
    onError: (error) => {
      throw error;
    },
  });
  const context = await childOf(
    tree,
    undefined,
    (node) => node.kind === 'context' && node.entry.name === 'admin',
  );
  const scope = await childOf(tree, context, (node) => node.kind === 'scope' && node.name === namespace);
  const group = await childOf(tree, scope, (node) => node.kind === 'category' && node.category === category);
  const node = await childOf(tree, group, (child) => child.kind === 'kind' && child.type.gvk.kind === kind);
  if (node.kind !== 'kind') throw new Error('a kind was asked for');
  requests.length = 0;
  const startedAt = performance.now();
  let firstMs: number | undefined;
  for (;;) {
    const rows = await tree.children(node);
    const [first] = rows;
    if (first?.kind === 'object') firstMs ??= performance.now() - startedAt;
    if (first?.kind === 'message' && first.tone === 'error') throw new Error(first.text);
    if (!rows.some((row) => row.kind === 'message' && row.tone === 'loading')) break;
    await nextChange(tree);
  }
  const allMs = performance.now() - startedAt;
  return {
    tree,
    node,
    firstMs: firstMs ?? allMs,
    allMs,
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    [Symbol.dispose]: () => {
      tree.dispose();
      clusters.dispose();
    },
  };
}

/** The first child that is wanted, once there is one. @throws Error where all are there, and none is */
export async function childOf(
  tree: ObjectTree,
  parent: TreeNode | undefined,
  isWanted: (node: TreeNode) => boolean,
): Promise<TreeNode> {
  for (;;) {
    const children = await tree.children(parent);
    const found = children.find(isWanted);
    if (found !== undefined) return found;
    if (!isLoading(children))
      throw new Error(`not among ${String(children.length)} rows of ${parent?.id ?? 'the root'}`);
    await nextChange(tree);
  }
}

/** All children, once nothing of them is loading any more. */
export async function loadedChildren(tree: ObjectTree, parent: TreeNode): Promise<readonly TreeNode[]> {
  for (;;) {
    const children = await tree.children(parent);
    if (!isLoading(children)) return children;
    await nextChange(tree);
  }
}

function isLoading(children: readonly TreeNode[]): boolean {
  return children.some((child) => child.kind === 'message' && child.tone === 'loading');
}

function nextChange(tree: ObjectTree): Promise<void> {
  return new Promise((resolve) => {
    const listener = tree.onDidChange(() => {
      listener.dispose();
      resolve();
    });
  });
}
