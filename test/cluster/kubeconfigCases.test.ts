import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigPollMs } from '../../src/cluster/kubeconfigStore.ts';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import { memberAt } from '../../src/core/json.ts';
import type { KubeconfigView } from '../../src/sync/clusterPort.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { AnnouncingClock } from './announcingClock.ts';
import { configMap, configMaps, committed, create, openFixture, read, update } from './clusterFixture.ts';
import { execApiVersion, makeExecScript } from './execScripts.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

describe('kubeconfig files that change', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let clock: AnnouncingClock;
  let config: string;
  let opened: OpenClusters | undefined;
  beforeEach(async () => {
    folder = await makeFolder();
    clock = new AnnouncingClock();
    config = join(folder.path, 'config');
  });
  afterEach(async () => {
    opened?.clusters.dispose();
    await folder.remove();
  });

  const text = (...names: readonly string[]): string =>
    buildKubeconfig(
      Object.fromEntries(names.map((name) => [name, { cluster: { server: `https://${name}` } }])),
    );

  async function open(options: Partial<ClustersOptions> = {}): Promise<OpenClusters['clusters']> {
    opened = await openClusters([config], { clock, ...options });
    return opened.clusters;
  }

  /** The next change, once the files are looked at again. */
  async function nextView(clusters: OpenClusters['clusters']): Promise<KubeconfigView> {
    const next = new Promise<KubeconfigView>((resolve) => {
      const subscription = clusters.onDidChange((view) => {
        subscription.dispose();
        resolve(view);
      });
    });
    await clock.advance(kubeconfigPollMs);
    return next;
  }

  const names = ({ contexts }: KubeconfigView): readonly string[] => contexts.map(({ name }) => name);

  it('D10: one that is created late is seen', async () => {
    const clusters = await open();
    assert.deepEqual(clusters.view, { files: [config], contexts: [], problems: [] });
    await writeFile(config, text('late'));
    assert.deepEqual(names(await nextView(clusters)), ['late']);
  });

  it('D10: one whose folder is created late is seen', async () => {
    config = join(folder.path, 'sub', 'config');
    const clusters = await open();
    await mkdir(join(folder.path, 'sub'));
    await writeFile(config, text('late'));
    assert.deepEqual(names(await nextView(clusters)), ['late']);
  });

  it('D10: one that is replaced by a rename is seen, and again after that', async () => {
    await writeFile(config, text('one'));
    const clusters = await open();
    for (const name of ['two', 'six']) {
      await writeFile(`${config}.new`, text(name));
      await rename(`${config}.new`, config);
      assert.deepEqual(names(await nextView(clusters)), [name]);
    }
  });

  it('D10: a symlink that is retargeted is seen, in the path of the file too', async () => {
    await mkdir(join(folder.path, 'v1'));
    await mkdir(join(folder.path, 'v2'));
    await writeFile(join(folder.path, 'v1', 'config'), text('one'));
    await writeFile(join(folder.path, 'v2', 'config'), text('two'));
    await symlink('v1', join(folder.path, 'current'));
    config = join(folder.path, 'current', 'config');
    const clusters = await open();
    assert.deepEqual(names(clusters.view), ['one']);
    await unlink(join(folder.path, 'current'));
    await symlink('v2', join(folder.path, 'current'));
    assert.deepEqual(names(await nextView(clusters)), ['two']);
  });

  it('D10: one that goes away takes its contexts with it', async () => {
    await writeFile(config, text('one'));
    const clusters = await open();
    await unlink(config);
    assert.deepEqual(names(await nextView(clusters)), []);
  });

  it('D10: a path that is a folder gives one error, and is left alone after that', async () => {
    await mkdir(config);
    const clusters = await open();
    assert.deepEqual(clusters.view.problems, [`${config} is a folder, not a kubeconfig`]);
    const views: KubeconfigView[] = [];
    clusters.onDidChange((view) => views.push(view));
    for (let round = 0; round < 5; round++) await clock.advance(kubeconfigPollMs);
    await clusters.reload();
    assert.deepEqual(views, []);
  });

  it('a reload sees what was just written, without waiting', async () => {
    const clusters = await open();
    await writeFile(config, text('now'));
    await clusters.reload();
    assert.deepEqual(names(clusters.view), ['now']);
  });

  it('nothing is looked at after it was disposed', async () => {
    const clusters = await open();
    clusters.dispose();
    assert.equal(clock.pendingTimers, 0);
  });
});

describe('contexts of a kubeconfig', () => {
  let server: SharedApiServer;
  let proxy: FaultProxy;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const opened: OpenClusters[] = [];
  before(async () => {
    server = await sharedApiServer();
    proxy = await FaultProxy.start({ target: server });
  });
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    for (const { clusters } of opened.splice(0)) clusters.dispose();
    await folder.remove();
  });
  after(() => proxy[Symbol.asyncDispose]());

  async function open(
    paths: readonly string[],
    options: Partial<ClustersOptions> = {},
  ): Promise<OpenClusters> {
    const one = await openClusters(paths, options);
    opened.push(one);
    return one;
  }

  const reachable = () => ({ server: proxy.url, 'certificate-authority-data': inline(server.ca) });

  const readDefault = (one: OpenClusters, context: string, signal = noAbort) =>
    one.connect(context).get({ context, gvr: namespaces, name: 'default' }, signal);

  it('D1: a list of files with a missing one and a cluster in two connects to the first', async () => {
    const user = { token: server.tokens.admin };
    const a = await folder.write('a', buildKubeconfig({ shared: { cluster: reachable(), user } }));
    const wrong = buildKubeconfig({
      shared: { cluster: { server: 'https://127.0.0.1:1' } },
      b: { cluster: reachable(), user },
    });
    const b = await folder.write('b', wrong);
    const env = { KUBECONFIG: [a, join(folder.path, 'missing'), b].join(':'), PATH: process.env.PATH };
    const one = await open([], { env: () => env });
    assert.deepEqual(one.clusters.view.problems, []);
    assert.deepEqual(
      one.clusters.view.contexts.map(({ name, isCurrent }) => [name, isCurrent]),
      [
        ['shared', true],
        ['b', false],
      ],
    );
    assert.equal((await readDefault(one, 'shared')).kind, 'ok');
  });

  it('D3: an authority and a plugin named relative to the file work from any working directory', async () => {
    const script = await makeExecScript(folder);
    await script.answer({ token: server.tokens.admin });
    await folder.write('ca.pem', server.ca);
    const user = { exec: { apiVersion: execApiVersion, command: './helper.cjs', interactiveMode: 'Never' } };
    const cluster = { server: proxy.url, 'certificate-authority': 'ca.pem' };
    const one = await open([await folder.write('config', buildKubeconfig({ x: { cluster, user } }))]);
    assert.equal((await readDefault(one, 'x')).kind, 'ok');
  });

  it('D11: of 200 contexts none is contacted and no plugin runs until one is used', async () => {
    const script = await makeExecScript(folder);
    await script.answer({ token: server.tokens.admin });
    const user = { exec: { apiVersion: execApiVersion, command: script.command, interactiveMode: 'Never' } };
    const parts = Array.from(
      { length: 200 },
      (_, index) => [`c${String(index)}`, { cluster: reachable(), user }] as const,
    );
    const before = proxy.requests.length;
    const one = await open([await folder.write('config', buildKubeconfig(Object.fromEntries(parts)))]);
    for (const { name } of one.clusters.view.contexts) one.connect(name);
    assert.equal(one.clusters.view.contexts.length, 200);
    assert.equal(proxy.requests.length, before);
    assert.equal(proxy.connectionCount, 0);
    assert.deepEqual(await script.runs(), []);
    assert.equal((await readDefault(one, 'c7')).kind, 'ok');
    assert.equal((await script.runs()).length, 1);
  });

  it('D11: a cluster that is dead times out alone, and can be cancelled', async () => {
    const clock = new AnnouncingClock();
    const { createServer } = await import('node:net');
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const user = { token: server.tokens.admin };
    const text = buildKubeconfig({
      dead: { cluster: { server: `https://127.0.0.1:${String(port)}` }, user },
      good: { cluster: reachable(), user },
    });
    const one = await open([await folder.write('config', text)], { clock });
    const dialled = clock.whenScheduled(15_000);
    const waiting = readDefault(one, 'dead');
    await dialled;
    const cancel = new AbortController();
    const second = clock.whenScheduled(15_000);
    const cancelled = readDefault(one, 'dead', cancel.signal);
    await second;
    cancel.abort();
    assert.deepEqual(await cancelled, { kind: 'aborted' });
    assert.equal((await readDefault(one, 'good')).kind, 'ok');
    await clock.advance(15_000);
    const outcome = await waiting;
    assert.ok(outcome.kind === 'unreachable');
    assert.match(outcome.message, /no connection to https:\S+ within 15 s/);
    silent.close();
  });

  it('a context with a problem says it for every request, and sends nothing', async () => {
    const text = buildKubeconfig({
      x: { cluster: { server: 'https://x', 'certificate-authority': 'none.pem' } },
    });
    const one = await open([await folder.write('config', text)]);
    const outcome = await readDefault(one, 'x');
    assert.ok(outcome.kind === 'misconfigured');
    assert.match(outcome.message, /certificate authority of cluster "x" cannot be read/);
    const ref = { context: 'x', namespace: 'default', gvr: configMaps, name: 'x' };
    const write = await one.connect('x').write({ kind: 'create', ref, object: configMap('x') }, noAbort);
    assert.ok(write.kind === 'readOnly');
    assert.equal(one.clusters.connect('unknown'), undefined);
  });

  it('H6: an open object stays on its cluster when the current context changes', async () => {
    await using fixture = await openFixture();
    const user = { token: server.tokens.admin };
    const both = (current: string): string =>
      buildKubeconfig({
        prod: {
          cluster: { server: fixture.proxy.url, 'certificate-authority-data': inline(server.ca) },
          user,
        },
        dev: { cluster: reachable(), user },
      }).replace('current-context: prod', `current-context: ${current}`);
    const path = await folder.write('config', both('prod'));
    const one = await open([path]);
    const prod = one.connect('prod');
    const ref = { ...fixture.ref('kept'), context: 'prod' };
    const basis = await create(prod, ref, configMap('kept'));
    await writeFile(path, both('dev'));
    await one.clusters.reload();
    assert.equal(one.clusters.view.contexts.find(({ isCurrent }) => isCurrent)?.name, 'dev');
    const sentToDev = proxy.recorded('PUT').length;
    committed(await update(prod, ref, basis));
    assert.equal(fixture.proxy.recorded('PUT', 'kept').length, 1);
    assert.equal(proxy.recorded('PUT').length, sentToDev);
  });

  it('H6: when the context names another server, nothing is sent to either', async () => {
    await using fixture = await openFixture();
    const user = { token: server.tokens.admin };
    const to = (url: string): string =>
      buildKubeconfig({
        prod: { cluster: { server: url, 'certificate-authority-data': inline(server.ca) }, user },
      });
    const path = await folder.write('config', to(fixture.proxy.url));
    const one = await open([path]);
    const prod = one.connect('prod');
    const ref = { ...fixture.ref('moved'), context: 'prod' };
    const basis = await create(prod, ref, configMap('moved'));
    await writeFile(path, to(proxy.url));
    await one.clusters.reload();
    const before = [proxy.requests.length, fixture.proxy.requests.length];
    const outcome = await update(prod, ref, basis);
    assert.ok(outcome.kind === 'readOnly');
    assert.match(outcome.message, /"prod" now leads to another server .* nothing is sent/);
    assert.equal((await prod.get(ref, noAbort)).kind, 'misconfigured');
    assert.deepEqual([proxy.requests.length, fixture.proxy.requests.length], before);
    const anew = one.connect('prod');
    assert.notEqual(anew.context.clusterId, prod.context.clusterId);
    assert.equal((await anew.get(ref, noAbort)).kind, 'ok');
    await writeFile(path, to(fixture.proxy.url));
    await one.clusters.reload();
    committed(await update(prod, ref, basis));
  });

  it('D10: new credentials of a context are taken over, and one that is gone goes on as it was', async () => {
    const to = (token: string): string => buildKubeconfig({ x: { cluster: reachable(), user: { token } } });
    const path = await folder.write('config', to('outdated'));
    const one = await open([path]);
    assert.equal((await readDefault(one, 'x')).kind, 'unauthenticated');
    const cluster = one.connect('x');
    await writeFile(path, to(server.tokens.admin ?? ''));
    await one.clusters.reload();
    const ref = { context: 'x', gvr: namespaces, name: 'default' };
    assert.equal((await cluster.get(ref, noAbort)).kind, 'ok');
    await unlink(path);
    await one.clusters.reload();
    assert.equal(one.clusters.connect('x'), undefined);
    assert.equal((await cluster.get(ref, noAbort)).kind, 'ok');
  });

  it('D12: the file is the same, byte for byte, after all of this', async () => {
    const odd = `# mine\r\n${buildKubeconfig({ x: { cluster: reachable(), user: { token: server.tokens.admin } } })}\n\n`;
    const path = await folder.write('config', odd);
    const one = await open([path]);
    const cluster = one.connect('x');
    const ref = { context: 'x', namespace: 'default', gvr: configMaps, name: 'd12' };
    await cluster.discover(noAbort);
    const basis = await create(cluster, ref, configMap('d12'));
    const remove = { kind: 'delete', ref, precondition: basis, propagationPolicy: 'Background' } as const;
    await cluster.write(remove, noAbort);
    await one.clusters.reload();
    assert.equal(await readFile(path, 'utf8'), odd);
  });

  it('a server below a path is reached there', async () => {
    const cluster = { ...reachable(), server: `${proxy.url}/k8s/clusters/c-1/` };
    const text = buildKubeconfig({ x: { cluster, user: { token: server.tokens.admin } } });
    const one = await open([await folder.write('config', text)]);
    await readDefault(one, 'x');
    assert.equal(proxy.recorded('GET', '/k8s/clusters/c-1/api/v1/namespaces/default').length, 1);
  });

  it('no secret of the kubeconfig is in what is logged', async () => {
    const text = buildKubeconfig({ x: { cluster: reachable(), user: { token: server.tokens.admin } } });
    const one = await open([await folder.write('config', text)]);
    await readDefault(one, 'x');
    assert.equal(one.requests.length, 1);
    assert.ok(!JSON.stringify(one.requests).includes(server.tokens.admin ?? '?'));
    assert.equal(memberAt(JSON.parse(JSON.stringify(one.requests[0])), 'status'), 200);
    assert.ok((await read(one.connect('x'), { context: 'x', gvr: namespaces, name: 'default' })).uid);
  });
});
