import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/core/json.ts';
import type { ResourceType } from '../../../src/core/resource/resourceType.ts';
import { Favourites } from '../../../src/editor/favourites.ts';
import { RememberedNamespaces } from '../../../src/editor/rememberedNamespaces.ts';
import { ObjectTree } from '../../../src/editor/treeModel.ts';
import type { TreeNode } from '../../../src/editor/treeNodes.ts';
import type { ContextEntry } from '../../../src/sync/clusterPort.ts';
import { FakeClock, settled } from '../../support/fakeClock.ts';
import {
  FakeClusters,
  FakeStore,
  fakeContext,
  fakeType,
  type FakeConnection,
} from '../../support/fakeClusters.ts';
import { fakeObject } from '../../support/fakeCluster.ts';

export const pods = fakeType('v1', 'Pod', 'pods');
export const deployments = fakeType('apps/v1', 'Deployment', 'deployments');
export const nodes = fakeType('v1', 'Node', 'nodes', { isNamespaced: false });
export const services = fakeType('v1', 'Service', 'services');
export const customServices = fakeType('serving.example.com/v1', 'Service', 'services');

/** The tree on clusters that are answered by hand; expands nodes as VS Code does. */
export class TreeHarness {
  readonly clock = new FakeClock();
  readonly store = new FakeStore();
  readonly favourites = new Favourites(this.store);
  readonly clusters: FakeClusters;
  readonly tree: ObjectTree;
  readonly changes: (readonly TreeNode[] | undefined)[] = [];
  readonly errors: unknown[] = [];

  constructor(contexts: readonly ContextEntry[] = [fakeContext('prod')], problems: readonly string[] = []) {
    this.clusters = new FakeClusters(contexts, problems);
    this.tree = new ObjectTree({
      clusters: this.clusters,
      clock: this.clock,
      remembered: new RememberedNamespaces(this.store),
      favourites: this.favourites,
      onError: (error) => this.errors.push(error),
    });
    this.tree.onDidChange((change) => this.changes.push(change));
  }

  get cluster(): FakeConnection {
    return this.clusters.at('prod');
  }

  /** The children of a node, waiting as long as the tree waits. */
  async children(node?: TreeNode): Promise<readonly TreeNode[]> {
    let children: readonly TreeNode[] | undefined;
    void this.tree.children(node).then((answer) => {
      children = answer;
    });
    await settled();
    if (children === undefined) await this.clock.advance(300);
    assert.ok(children !== undefined, 'the tree waits no longer than its patience');
    return children;
  }

  /** The nodes as words: one line each. */
  async words(node?: TreeNode): Promise<string[]> {
    return (await this.children(node)).map(describe);
  }

  /** Goes down by the words of each node, expanding all on the way. */
  async descend(...path: readonly string[]): Promise<TreeNode> {
    let node: TreeNode | undefined;
    for (const step of path) {
      const children: readonly TreeNode[] = await this.children(node);
      node = children.find((child) => describe(child) === step);
      assert.ok(node, `${step} is not among: ${children.map(describe).join(', ')}`);
      this.tree.expanded(node);
    }
    assert.ok(node);
    return node;
  }

  /** Expands the context and answers what it asks for. */
  async openContext(namespaces: readonly string[] = ['default', 'shop']): Promise<TreeNode> {
    const context = await this.descend('context prod');
    await this.children(context);
    await this.cluster.listOf('namespaces').page(namespaces.map((name) => namespaceObject(name)));
    await this.cluster.watchOf('namespaces').open();
    return context;
  }

  /** Expands a kind in a scope: `namespace shop`, `all namespaces`, `cluster`. Its list is not yet answered. */
  async openKind(
    scope: string,
    category: string,
    kind: string,
    types: readonly ResourceType[],
  ): Promise<TreeNode> {
    const scopeNode = await this.descend('context prod', scope);
    if (this.cluster.discoveries.length === 0) {
      await this.children(scopeNode);
      await this.cluster.serve(types);
    }
    const node = await this.descend('context prod', scope, category, kind);
    await this.children(node);
    return node;
  }
}

export function namespaceObject(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: name, resourceVersion: '1' } };
}

export function terminating(name: string, resourceVersion: string): JsonObject {
  const object = fakeObject(name, resourceVersion);
  const metadata = object['metadata'] as JsonObject;
  return { ...object, metadata: { ...metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
}

export function describe(node: TreeNode): string {
  switch (node.kind) {
    case 'context':
      return `context ${node.entry.name}`;
    case 'scope':
      if (node.scope.kind === 'namespace') return `namespace ${node.name}`;
      return node.scope.kind === 'cluster' ? 'cluster' : 'all namespaces';
    case 'category':
      return node.category;
    case 'group':
      return node.group;
    case 'kind':
      return node.isAmbiguous ? `${node.type.gvk.kind} (${node.type.gvk.group})` : node.type.gvk.kind;
    case 'object':
      return `${node.name}${node.isTerminating ? ' terminating' : ''}`;
    case 'message':
      return `[${node.tone}] ${node.text}${node.action === undefined ? '' : ` (${node.action})`}`;
  }
}
