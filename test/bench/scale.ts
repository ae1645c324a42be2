import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemClock } from '../../src/cluster/systemClock.ts';
import { Favourites } from '../../src/editor/favourites.ts';
import { RememberedNamespaces } from '../../src/editor/rememberedNamespaces.ts';
import { ObjectTree } from '../../src/editor/treeModel.ts';
import type { TreeNode } from '../../src/editor/treeNodes.ts';
import { provisionKubectl } from '../../scripts/provision/kubectl.ts';
import { buildKubeconfig, inline } from '../cluster/kubeconfigBuilder.ts';
import { makeFolder, openClusters } from '../cluster/openClusters.ts';
import { type ApiServer, startApiServer } from '../support/apiServer.ts';
import { childOf, loadedChildren } from '../support/expandedTree.ts';
import { FakeStore } from '../support/fakeClusters.ts';
import { until } from '../support/until.ts';
import { type Figure, median } from './figure.ts';

const contexts = 200;
const namespaces = 500;
const groups = 30;
const kinds = 300;
const rounds = 3;

/** The tree of a large cluster, of 500 namespaces and 300 custom kinds, among 200 contexts, against kubectl. */
export async function run(): Promise<readonly Figure[]> {
  await using server = await startApiServer();
  const folder = await makeFolder();
  try {
    await fill(server);
    const cluster = { server: server.url, 'certificate-authority-data': inline(server.ca) };
    const user = { token: server.tokens.admin };
    const entries = Array.from({ length: contexts }, (_item, index) => [`c-${index}`, { cluster, user }]);
    const path = await folder.write(
      'config',
      buildKubeconfig(Object.fromEntries(entries) as Parameters<typeof buildKubeconfig>[0]),
    );
    const kubectl = await provisionKubectl();
    const env = { ...process.env, HOME: folder.path, KUBECONFIG: path };
    const ask = (...args: readonly string[]): Promise<number> =>
      time(() => promisify(execFile)(kubectl, args, { env, maxBuffer: 1 << 28 }));
    const ours: Record<'contexts' | 'namespaces' | 'kinds', number[]> = {
      contexts: [],
      namespaces: [],
      kinds: [],
    };
    const theirs: Record<'namespaces' | 'kinds', number[]> = { namespaces: [], kinds: [] };
    let requests = 0;
    for (let round = 0; round < rounds; round++) {
      theirs.namespaces.push(await ask('get', 'namespaces', '-o', 'name'));
      theirs.kinds.push(await ask('api-resources', '--cached=false', '-o', 'name'));
      const times = await walk(path);
      ours.contexts.push(times.contextsMs);
      ours.namespaces.push(times.namespacesMs);
      ours.kinds.push(times.kindsMs);
      requests = times.requests;
    }
    return [
      { name: `${contexts} contexts shown, kubeconfig read`, value: median(ours.contexts), unit: 'ms' },
      {
        name: `${namespaces} namespaces`,
        value: median(ours.namespaces) / median(theirs.namespaces),
        unit: 'ratio',
        against: `kubectl get namespaces -o name (${median(theirs.namespaces).toFixed(0)} ms)`,
        goal: 1,
      },
      {
        name: `${kinds} custom kinds of ${groups} groups`,
        value: median(ours.kinds) / median(theirs.kinds),
        unit: 'ratio',
        against: `kubectl api-resources (${median(theirs.kinds).toFixed(0)} ms)`,
        goal: 1,
      },
      { name: 'requests for both', value: requests, unit: 'count' },
    ];
  } finally {
    await folder.remove();
  }
}

/** Expands a context and one of its namespaces down to its custom kinds, as a person does. */
async function walk(path: string): Promise<{
  readonly contextsMs: number;
  readonly namespacesMs: number;
  readonly kindsMs: number;
  readonly requests: number;
}> {
  let startedAt = performance.now();
  const lap = (): number => {
    const ms = performance.now() - startedAt;
    startedAt = performance.now();
    return ms;
  };
  const { clusters, requests } = await openClusters([path]);
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
  try {
    const roots = await tree.children(undefined);
    if (roots.length !== contexts) throw new Error(`${roots.length} contexts`);
    const contextsMs = lap();
    const context = await childOf(tree, undefined, isNamed('context', 'c-7'));
    const scopes = await loadedChildren(tree, context);
    const namespacesMs = lap();
    if (scopes.length < namespaces) throw new Error(`${scopes.length} namespaces`);
    const scope = await childOf(tree, context, isNamed('scope', 'team-042'));
    const custom = await childOf(tree, scope, isNamed('category', 'Custom'));
    const found = await Promise.all(
      (await loadedChildren(tree, custom)).map((group) => loadedChildren(tree, group)),
    );
    const kindsMs = lap();
    if (found.flat().length !== kinds) throw new Error(`${found.flat().length} custom kinds`);
    return { contextsMs, namespacesMs, kindsMs, requests: requests.length };
  } finally {
    tree.dispose();
    clusters.dispose();
  }
}

function isNamed(kind: TreeNode['kind'], name: string): (node: TreeNode) => boolean {
  return (node) => {
    if (node.kind !== kind) return false;
    if (node.kind === 'context') return node.entry.name === name;
    return node.kind === 'category' ? node.category === name : node.kind === 'scope' && node.name === name;
  };
}

async function fill(server: ApiServer): Promise<void> {
  const client = server.client();
  const inTurn = async (count: number, make: (index: number) => Promise<unknown>): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) await make(next++);
    };
    await Promise.all(Array.from({ length: 8 }, work));
  };
  const number = (index: number): string => String(index).padStart(3, '0');
  await inTurn(namespaces, (index) =>
    client.create('/api/v1/namespaces', { metadata: { name: `team-${number(index)}` } }),
  );
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await inTurn(kinds, (index) => {
    const group = `g${number(index % groups)}.example.com`;
    const names = { plural: `kind${number(index)}s`, kind: `Kind${number(index)}` };
    const schema = {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    return client.create(definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${names.plural}.${group}` },
      spec: {
        ...{ group, scope: 'Namespaced', names },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
  });
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  await until(
    async () => {
      const { text } = await client.request('GET', '/apis', { headers: { accept } });
      return new Set(text.match(/kind\d{3}s/g)).size === kinds;
    },
    { deadlineMs: 180_000 },
  );
  client.close();
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
