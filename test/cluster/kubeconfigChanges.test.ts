import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Outcome } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { until } from '../support/until.ts';
import { type Authority, makeAuthority } from './certificates.ts';
import { committed, configMap, configMaps, create, update } from './clusterFixture.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';
import { type Relay, startHttpRelay } from './relays.ts';
import { isOpened, recordWatch } from './watchRecorder.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The host that the front's certificate names; it is reached by its address. */
const host = 'api.kubemerge.test';

describe('an entry of the kubeconfig that changes while an object of it is open', () => {
  let server: SharedApiServer;
  let authority: Authority;
  let front: FaultProxy;
  let namespace: string;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let path: string;
  let opened: OpenClusters;
  const stack = new AsyncDisposableStack();
  before(async () => {
    server = await sharedApiServer();
    authority = await makeAuthority();
    const identity = await authority.issue({ commonName: 'api', hosts: [host], addresses: ['127.0.0.1'] });
    front = stack.use(await FaultProxy.start({ target: server, identity }));
    const client = server.client();
    namespace = await createNamespace(client, 'changing');
    client.close();
  });
  beforeEach(async () => {
    folder = await makeFolder();
    path = `${folder.path}/config`;
  });
  afterEach(async () => {
    opened.clusters.dispose();
    await folder.remove();
  });
  after(() => stack.disposeAsync());

  const trusted = (): Fields => ({
    server: front.url,
    'certificate-authority-data': inline(authority.certificate),
  });

  async function write(cluster: Fields, user: Fields = { token: server.tokens.admin }): Promise<void> {
    await writeFile(path, buildKubeconfig({ x: { cluster, user } }));
  }

  async function open(cluster: Fields): Promise<ClusterPort> {
    await write(cluster);
    opened = await openClusters([path]);
    return opened.connect('x');
  }

  const refOf = (name: string) => ({ context: 'x', namespace, gvr: configMaps, name });
  const readNamespace = (cluster: ClusterPort): Promise<Outcome<JsonObject>> =>
    cluster.get(
      { context: 'x', gvr: { group: '', version: 'v1', resource: 'namespaces' }, name: namespace },
      noAbort,
    );

  async function refuses(held: ClusterPort, name: string, act: () => Promise<void>, words: RegExp) {
    const basis = await create(held, refOf(name), configMap(name));
    await act();
    const sent = front.requests.length;
    const save = await update(held, refOf(name), basis);
    assert.ok(save.kind === 'readOnly', save.kind);
    assert.match(save.message, words);
    assert.equal((await readNamespace(held)).kind, 'misconfigured');
    assert.equal(front.requests.length, sent);
    return basis;
  }

  it('H6: another server: the open object is refused, what is opened anew goes there', async () => {
    await using other = await FaultProxy.start({ target: server });
    const held = await open(trusted());
    const watch = recordWatch(held, { context: 'x', namespace, gvr: configMaps });
    await watch.until(isOpened);
    await refuses(
      held,
      'moved',
      async () => {
        await write({ server: other.url, 'certificate-authority-data': inline(server.ca) });
        await opened.clusters.reload();
      },
      /"x" now leads to another server \(https:\S+\) than this was opened from \(https:\S+\)/,
    );
    watch.stop();
    assert.equal(other.requests.length, 0);
    assert.equal((await readNamespace(opened.connect('x'))).kind, 'ok');
    assert.equal(other.requests.length, 1);
  });

  it('H6: another authority: the open object is refused, what is opened anew is checked by it', async () => {
    const held = await open(trusted());
    const both = `${authority.certificate}\n${(await makeAuthority()).certificate}\n`;
    const basis = await refuses(
      held,
      'other-ca',
      async () => {
        await write({ server: front.url, 'certificate-authority-data': inline(both) });
        await opened.clusters.reload();
      },
      /"x" now trusts other authorities for https:\S+ than when this was opened/,
    );
    assert.equal((await readNamespace(opened.connect('x'))).kind, 'ok');
    await write({
      server: front.url,
      'certificate-authority-data': inline((await makeAuthority()).certificate),
    });
    await opened.clusters.reload();
    assert.equal((await readNamespace(opened.connect('x'))).kind, 'unreachable');
    await write(trusted());
    await opened.clusters.reload();
    committed(await update(held, refOf('other-ca'), basis));
  });

  it('H6: a certificate that is no longer checked by the authority is another cluster, too', async () => {
    const held = await open(trusted());
    await refuses(
      held,
      'unchecked',
      async () => {
        await write({ ...trusted(), 'insecure-skip-tls-verify': true });
        await opened.clusters.reload();
      },
      /"x" now trusts other authorities/,
    );
    const anew = opened.connect('x');
    assert.equal(anew.context.isInsecure, true);
    assert.equal((await readNamespace(anew)).kind, 'ok');
  });

  it('a proxy-url: the open object and its watch go on through the new proxy, and the old way is closed', async () => {
    await using first = await startHttpRelay();
    await using second = await startHttpRelay();
    const through = (relay: Relay): Fields => ({
      ...trusted(),
      'proxy-url': `http://127.0.0.1:${String(relay.port)}`,
    });
    const held = await open(through(first));
    const ref = refOf('by-proxy');
    const basis = await create(held, ref, configMap('by-proxy'));
    const watch = recordWatch(held, ref);
    await watch.until(isOpened);
    await write(through(second));
    await opened.clusters.reload();
    assert.deepEqual(await watch.end, { kind: 'ended' });
    const asked = first.asked.length;
    committed(await update(held, ref, basis));
    const next = recordWatch(held, ref);
    await next.until(isOpened);
    next.stop();
    assert.equal(first.asked.length, asked);
    const askedOfSecond = second.asked.length;
    assert.ok(askedOfSecond >= 1);
    assert.equal(opened.connect('x'), held);
    await until(() => first.openCount === 0);
    await write(trusted());
    await opened.clusters.reload();
    assert.equal((await readNamespace(held)).kind, 'ok');
    assert.equal(second.asked.length, askedOfSecond);
  });

  it('a request under way when the proxy-url changes comes to its end in the old way', async () => {
    await using first = await startHttpRelay();
    const held = await open({ ...trusted(), 'proxy-url': `http://127.0.0.1:${String(first.port)}` });
    const ref = refOf('under-way');
    const basis = await create(held, ref, configMap('under-way'));
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    using answer = front.inject(({ method }) => method === 'PUT', { kind: 'holdAnswer', until: gate }, 1);
    const save = update(held, ref, basis);
    await answer.first;
    await write(trusted());
    await opened.clusters.reload();
    release();
    committed(await save);
    await until(() => first.openCount === 0);
  });

  it('a tls-server-name: the open object and its watch go on under the new name', async () => {
    const held = await open(trusted());
    const ref = refOf('named');
    const basis = await create(held, ref, configMap('named'));
    const watch = recordWatch(held, ref);
    await watch.until(isOpened);
    await write({ ...trusted(), 'tls-server-name': host });
    await opened.clusters.reload();
    assert.deepEqual(await watch.end, { kind: 'ended' });
    committed(await update(held, ref, basis));
    assert.equal(front.requests.at(-1)?.serverName, host);
    await write({ ...trusted(), 'tls-server-name': 'other.kubemerge.test' });
    await opened.clusters.reload();
    const failed = await readNamespace(held);
    assert.ok(failed.kind === 'unreachable');
    assert.match(failed.message, /names another host/);
  });

  it('insecure-skip-tls-verify without an authority: taken away, nothing goes on over what nobody checks', async () => {
    const held = await open({ server: front.url, 'insecure-skip-tls-verify': true });
    const watch = recordWatch(held, { context: 'x', namespace, gvr: configMaps });
    await watch.until(isOpened);
    const sent = front.requests.length;
    await write({ server: front.url });
    await opened.clusters.reload();
    assert.deepEqual(await watch.end, { kind: 'ended' });
    const failed = await readNamespace(held);
    assert.ok(failed.kind === 'unreachable');
    assert.match(failed.message, /certificate/);
    assert.equal(front.requests.length, sent);
    assert.equal(held.context.isInsecure, false);
  });

  it('a user: the next request shows the new one, and whoever waited for it hears of it', async () => {
    const held = await open(trusted());
    await write(trusted(), { token: 'outdated' });
    await opened.clusters.reload();
    assert.equal((await readNamespace(held)).kind, 'unauthenticated');
    let told = 0;
    opened.clusters.onDidChange(() => told++);
    await write(trusted(), { token: server.tokens.viewer });
    await opened.clusters.reload();
    assert.equal(told, 1);
    assert.equal((await readNamespace(held)).kind, 'ok');
    assert.equal(front.requests.at(-1)?.headers.authorization, `Bearer ${server.tokens.viewer ?? ''}`);
    const save = await held.write(
      { kind: 'create', ref: refOf('not-allowed'), object: configMap('not-allowed') },
      noAbort,
    );
    assert.equal(save.kind, 'forbidden');
    await opened.clusters.reload();
    assert.equal(told, 1);
  });

  it('a token file that is renewed: whoever waited for it hears of it within one look', async () => {
    const token = await folder.write('token', 'outdated');
    await write(trusted(), { tokenFile: 'token' });
    opened = await openClusters([path]);
    const held = opened.connect('x');
    assert.equal((await readNamespace(held)).kind, 'unauthenticated');
    const told = new Promise<void>((resolve) => {
      opened.clusters.onDidChange(() => {
        resolve();
      });
    });
    await writeFile(token, server.tokens.admin ?? '');
    await told;
    assert.equal((await readNamespace(held)).kind, 'ok');
  });
});
