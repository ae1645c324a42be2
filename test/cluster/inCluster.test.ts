import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { ApiClient } from '../support/apiClient.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { configMap, configMaps } from './clusterFixture.ts';
import { buildKubeconfig } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

describe('the configuration of a pod', () => {
  let server: SharedApiServer;
  let other: ApiClient;
  let namespace: string;
  let token: string;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let opened: OpenClusters | undefined;
  before(async () => {
    server = await sharedApiServer();
    other = server.client();
    namespace = await createNamespace(other, 'pod');
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await other.create(accounts, { metadata: { name: 'robot' } });
    const issued = (await other.create(`${accounts}/robot/token`, { spec: { expirationSeconds: 3600 } })) as {
      status: { token: string };
    };
    ({ token } = issued.status);
    await other.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
      metadata: { name: 'robot' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'robot' }],
    });
  });
  after(() => {
    other.close();
  });
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    opened?.clusters.dispose();
    await folder.remove();
  });

  async function mount(): Promise<void> {
    await folder.write('token', `${token}\n`);
    await folder.write('ca.crt', server.ca);
    await folder.write('namespace', namespace);
  }

  async function open(kubeconfigPaths: readonly string[] = []): Promise<OpenClusters> {
    const { hostname, port } = new URL(server.url);
    opened = await openClusters(kubeconfigPaths, {
      env: () => ({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }),
      homeDir: folder.path,
      serviceAccountFolder: folder.path,
    });
    return opened;
  }

  const refOf = (name: string) => ({ context: 'in-cluster', namespace, gvr: configMaps, name });

  it('is a context of its own: the service account, its namespace, and the rights that it has', async () => {
    await mount();
    const { clusters, connect } = await open();
    assert.deepEqual(
      clusters.view.contexts.map((entry) => ({ ...entry, clusterId: '' })),
      [
        {
          name: 'in-cluster',
          namespace,
          clusterId: '',
          server: server.url,
          userName: 'service account',
          isCurrent: true,
          isInsecure: false,
          canSignIn: false,
        },
      ],
    );
    const cluster = connect('in-cluster');
    const list = await cluster.list(refOf(''), { content: 'metadata' }, noAbort);
    assert.equal(list.kind, 'ok');
    const object = configMap('not-allowed');
    const write = await cluster.write({ kind: 'create', ref: refOf('not-allowed'), object }, noAbort);
    assert.ok(write.kind === 'forbidden');
    assert.match(write.message, new RegExp(`system:serviceaccount:${namespace}:robot`));
  });

  it('has its token read anew, since the kubelet rotates it', async () => {
    await mount();
    await folder.write('token', 'outdated');
    const { connect } = await open();
    const cluster = connect('in-cluster');
    const read = async (): Promise<string> =>
      (await cluster.list(refOf(''), { content: 'metadata' }, noAbort)).kind;
    assert.equal(await read(), 'unauthenticated');
    await writeFile(`${folder.path}/token`, token);
    assert.equal(await read(), 'ok');
  });

  it('gives way to a kubeconfig, and is none without a token', async () => {
    await mount();
    const text = buildKubeconfig({ x: { cluster: { server: server.url } } });
    const { clusters } = await open([await folder.write('config', text)]);
    assert.deepEqual(
      clusters.view.contexts.map(({ name }) => name),
      ['x'],
    );
    clusters.dispose();
    const { clusters: without } = await openClusters([], {
      env: () => ({ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' }),
      homeDir: folder.path,
      serviceAccountFolder: `${folder.path}/none`,
    });
    assert.deepEqual(without.view.contexts, []);
    without.dispose();
  });
});
