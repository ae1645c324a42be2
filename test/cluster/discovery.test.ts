import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Discovery } from '../../src/sync/clusterPort.ts';
import { type ApiServer, startApiServer } from '../support/apiServer.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { printKubeconfig } from '../support/kubeconfig.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

describe('discovery', () => {
  let server: ApiServer;
  let proxy: FaultProxy;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let opened: OpenClusters;
  before(async function () {
    this.timeout(60_000);
    server = await startApiServer();
    proxy = await FaultProxy.start({ target: server });
    folder = await makeFolder();
    const text = printKubeconfig({ url: proxy.url, ca: server.ca, tokens: server.tokens });
    opened = await openClusters([await folder.write('config', text)]);
  });
  after(async () => {
    opened.clusters.dispose();
    await proxy[Symbol.asyncDispose]();
    await server.stop();
    await folder.remove();
  });

  async function discover(refresh: boolean): Promise<Discovery> {
    const outcome = await opened.connect('admin').discover(noAbort, { refresh });
    assert.equal(outcome.kind, 'ok');
    return outcome.value;
  }

  it('knows the resources with their names, scope, verbs and subresources', async () => {
    const { types, failures } = await discover(false);
    assert.deepEqual(failures, []);
    const deployments = types.find(({ gvr }) => gvr.group === 'apps' && gvr.resource === 'deployments');
    assert.deepEqual(deployments && { ...deployments, verbs: [...deployments.verbs].sort() }, {
      gvk: { group: 'apps', version: 'v1', kind: 'Deployment' },
      gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
      isNamespaced: true,
      singularName: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: ['scale', 'status'],
      isPreferredVersion: true,
    });
    const nodes = types.find(({ gvr }) => gvr.group === '' && gvr.resource === 'nodes');
    assert.equal(nodes?.isNamespaced, false);
  });

  it('marks one version of each resource as preferred', async () => {
    const { types } = await discover(false);
    const preferred = types.filter(({ isPreferredVersion }) => isPreferredVersion);
    const keys = preferred.map(({ gvr }) => `${gvr.group}/${gvr.resource}`);
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(new Set(types.map(({ gvr }) => `${gvr.group}/${gvr.resource}`)), new Set(keys));
    const autoscalers = types.filter(({ gvr }) => gvr.resource === 'horizontalpodautoscalers');
    assert.deepEqual(
      autoscalers.map(({ gvr, isPreferredVersion }) => [gvr.version, isPreferredVersion]),
      [
        ['v2', true],
        ['v1', false],
      ],
    );
  });

  it('is read once, and again only when asked to', async () => {
    await discover(false);
    const before = proxy.requests.length;
    await discover(false);
    assert.equal(proxy.requests.length, before);
    await Promise.all([discover(true), discover(true), discover(true)]);
    assert.deepEqual(
      proxy.requests
        .slice(before)
        .map(({ path }) => path)
        .sort(),
      ['/api', '/apis'],
    );
  });

  it('E3: an aggregated API that does not answer is named, and hides no other', async () => {
    const admin = server.client();
    const before = (await discover(true)).types.length;
    await admin.create('/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.example.com' },
      spec: {
        group: 'metrics.example.com',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: 'nowhere', namespace: 'default' },
      },
    });
    let found = await discover(true);
    while (found.failures.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await discover(true);
    }
    assert.deepEqual(
      found.failures.map(({ group }) => group),
      ['metrics.example.com'],
    );
    assert.equal(found.types.length, before);
    const gvr = { group: 'metrics.example.com', version: 'v1beta1', resource: 'pods' };
    const list = await opened.connect('admin').list({ context: 'admin', gvr }, { content: 'full' }, noAbort);
    assert.equal(list.kind, 'serverError');
    admin.close();
  });

  it('E3: one of the two roots failing is named, both failing is a failure', async () => {
    const isRoot = ({ path }: { readonly path: string }): boolean => path === '/apis';
    const one = proxy.inject(isRoot, { kind: 'answer', status: 503 });
    const { types, failures } = await discover(true);
    assert.ok(types.some(({ gvr }) => gvr.resource === 'pods'));
    assert.equal(failures.length, 1);
    const both = proxy.inject(({ path }) => path === '/api', { kind: 'answer', status: 503 });
    const outcome = await opened.connect('admin').discover(noAbort, { refresh: true });
    assert.equal(outcome.kind, 'serverError');
    one.dispose();
    both.dispose();
  });

  it('a cancelled discovery ends alone: another caller still gets its answer', async () => {
    const cancel = new AbortController();
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const held = proxy.inject(({ path }) => path === '/api', { kind: 'hold', until }, 1);
    const cluster = opened.connect('admin');
    const first = cluster.discover(cancel.signal, { refresh: true });
    const second = cluster.discover(noAbort, { refresh: true });
    await held.first;
    cancel.abort();
    assert.deepEqual(await first, { kind: 'aborted' });
    release();
    assert.equal((await second).kind, 'ok');
  });

  it('reads the schema of a group and version once for each hash', async () => {
    const cluster = opened.connect('admin');
    const first = await cluster.openApi('apps/v1', noAbort);
    const second = await cluster.openApi('apps/v1', noAbort);
    assert.ok(first.kind === 'ok' && second.kind === 'ok');
    assert.equal(first.value, second.value);
    assert.equal(proxy.recorded('GET', '/openapi/v3/apis/apps/v1').length, 1);
    assert.equal((await cluster.openApi('v1', noAbort)).kind, 'ok');
    assert.equal((await cluster.openApi('nowhere.example.com/v1', noAbort)).kind, 'notFound');
  });

  it('keeps schemas in the cache that it is given, and reads them from there', async () => {
    const kept = new Map<string, string>();
    const openApiCache = {
      read: (key: string) => Promise.resolve(kept.get(key)),
      write: (key: string, text: string) => {
        kept.set(key, text);
        return Promise.resolve();
      },
    };
    const open = () => openClusters(opened.clusters.view.files, { openApiCache });
    const one = await open();
    const first = await one.connect('admin').openApi('batch/v1', noAbort);
    const two = await open();
    const second = await two.connect('admin').openApi('batch/v1', noAbort);
    assert.deepEqual(second, first);
    assert.equal(proxy.recorded('GET', '/openapi/v3/apis/batch/v1').length, 1);
    assert.equal(kept.size, 1);
    one.clusters.dispose();
    two.clusters.dispose();
  });
});

describe('discovery of a server that answers group by group', () => {
  const answers: Record<string, unknown> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/api/v1': {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [
        { name: 'pods', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'], shortNames: ['po'] },
        { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      ],
    },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'apps',
          versions: [{ version: 'v1beta1' }, { version: 'v1' }],
          preferredVersion: { version: 'v1' },
        },
        { name: 'dead.example.com', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
      ],
    },
    '/apis/apps/v1': { kind: 'APIResourceList', resources: [scaled('deployments', 'Deployment')] },
    '/apis/apps/v1beta1': {
      kind: 'APIResourceList',
      resources: [scaled('deployments', 'Deployment'), scaled('relics', 'Relic')],
    },
  };
  let server: Server;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let opened: OpenClusters;
  before(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ''];
      response.writeHead(answer === undefined ? 503 : 200, { 'content-type': 'application/json' });
      response.end(answer === undefined ? '' : JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    folder = await makeFolder();
    const url = `http://127.0.0.1:${String(port)}`;
    const text = printKubeconfig({ url, ca: '', tokens: { admin: 't' } });
    opened = await openClusters([await folder.write('config', text)]);
  });
  after(async () => {
    opened.clusters.dispose();
    server.closeAllConnections();
    server.close();
    await folder.remove();
  });

  it("reads each group, names the dead one, and prefers the server's version where it serves the resource", async () => {
    const outcome = await opened.connect('admin').discover(noAbort);
    assert.equal(outcome.kind, 'ok');
    const { types, failures } = outcome.value;
    assert.deepEqual(failures, [
      { group: 'dead.example.com', message: 'the server answered 503 without saying why' },
    ]);
    assert.deepEqual(
      types.map(({ gvr, isPreferredVersion }) => [gvr.resource, gvr.version, isPreferredVersion]),
      [
        ['pods', 'v1', true],
        ['deployments', 'v1', true],
        ['deployments', 'v1beta1', false],
        ['relics', 'v1beta1', true],
      ],
    );
    const [pods] = types;
    assert.deepEqual(pods?.subresources, ['status']);
    assert.equal(pods.singularName, 'pod');
  });
});

function scaled(name: string, kind: string): object {
  return { name, singularName: kind.toLowerCase(), namespaced: true, kind, verbs: ['get', 'list'] };
}
