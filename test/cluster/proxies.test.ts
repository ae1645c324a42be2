import assert from 'node:assert/strict';
import * as tls from 'node:tls';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { type Authority, makeAuthority } from './certificates.ts';
import { committed, configMap, configMaps, create, read, update, withLabel } from './clusterFixture.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';
import { type Relay, startHttpRelay, startSocksRelay } from './relays.ts';
import { isChange, isOpened, recordWatch } from './watchRecorder.ts';

/** A name that only the test's own proxies know the way to. */
const host = 'api.kubemerge.test';

describe('connections through a proxy', () => {
  let server: SharedApiServer;
  let front: FaultProxy;
  let authority: Authority;
  let namespace: string;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let port: string;
  const opened: OpenClusters[] = [];
  const relays: Relay[] = [];
  before(async () => {
    server = await sharedApiServer();
    authority = await makeAuthority();
    const identity = await authority.issue({ commonName: 'api', hosts: [host] });
    front = await FaultProxy.start({ target: server, identity });
    port = new URL(front.url).port;
    const client = server.client();
    namespace = await createNamespace(client, 'proxied');
    client.close();
  });
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    for (const { clusters } of opened.splice(0)) clusters.dispose();
    for (const relay of relays.splice(0)) await relay[Symbol.asyncDispose]();
    await folder.remove();
  });
  after(() => front[Symbol.asyncDispose]());

  function relayed(relay: Relay): Relay {
    relays.push(relay);
    return relay;
  }

  async function open(cluster: Readonly<Record<string, unknown>>, options: Partial<ClustersOptions> = {}) {
    const whole = {
      server: `https://${host}:${port}`,
      'certificate-authority-data': inline(authority.certificate),
      ...cluster,
    };
    const text = buildKubeconfig({ x: { cluster: whole, user: { token: server.tokens.admin } } });
    const one = await openClusters([await folder.write('config', text)], options);
    opened.push(one);
    return one.connect('x');
  }

  const refOf = (name: string) => ({ context: 'x', namespace, gvr: configMaps, name });

  /** A create, a GET, a PUT and a watch. */
  async function useAll(cluster: Awaited<ReturnType<typeof open>>, name: string): Promise<void> {
    const ref = refOf(name);
    await create(cluster, ref, configMap(name));
    const basis = await read(cluster, ref);
    const watch = recordWatch(cluster, ref, { name, resourceVersion: basis.resourceVersion });
    await watch.until(isOpened);
    committed(await update(cluster, ref, basis, withLabel(basis.object, 'seen', 'yes')));
    await watch.until(isChange('modified', name));
    watch.stop();
  }

  it("D7: an http proxy-url carries GET, PUT and watch, and the certificate is the API host's", async () => {
    const relay = relayed(await startHttpRelay());
    const cluster = await open({ 'proxy-url': `http://127.0.0.1:${String(relay.port)}` });
    await useAll(cluster, 'by-http');
    assert.ok(relay.asked.length >= 1 && relay.asked.every((asked) => asked === `${host}:${port}`));
    assert.ok(front.recorded('PUT', 'by-http').every(({ serverName }) => serverName === host));
  });

  it('D7: a socks5 proxy-url carries GET, PUT and watch, and resolves the name itself', async () => {
    const relay = relayed(await startSocksRelay());
    const cluster = await open({ 'proxy-url': `socks5://127.0.0.1:${String(relay.port)}` });
    await useAll(cluster, 'by-socks');
    assert.ok(relay.asked.length >= 1 && relay.asked.every((asked) => asked === `${host}:${port}`));
  });

  for (const [kind, start] of [
    ['http', startHttpRelay],
    ['socks5', startSocksRelay],
  ] as const) {
    it(`D7: a server that is named by its address is checked by it, through ${kind} too`, async () => {
      const relay = relayed(await start());
      const proxyUrl = `${kind}://127.0.0.1:${String(relay.port)}`;
      const byAddress = await authority.issue({ commonName: 'api', addresses: ['192.0.2.7'] });
      await using there = await FaultProxy.start({ target: server, identity: byAddress });
      const at = (address: string): string => `https://${address}:${new URL(there.url).port}`;
      const cluster = await open({ server: at('192.0.2.7'), 'proxy-url': proxyUrl });
      await useAll(cluster, `by-address-${kind}`);
      assert.ok(relay.asked.every((asked) => `https://${asked}` === at('192.0.2.7')));
      const other = await open({ server: at('192.0.2.8'), 'proxy-url': proxyUrl });
      const sent = there.requests.length;
      const outcome = await other.get(refOf('x'), noAbort);
      assert.ok(outcome.kind === 'unreachable');
      assert.match(outcome.message, /names another host/);
      assert.equal(there.requests.length, sent);
    });
  }

  it('D7: an https proxy-url is spoken to in TLS', async () => {
    const identity = await authority.issue({ commonName: 'proxy', addresses: ['127.0.0.1'] });
    const relay = relayed(await startHttpRelay({ identity }));
    const cluster = await open({ 'proxy-url': `https://127.0.0.1:${String(relay.port)}` });
    const ref = refOf('by-https');
    const distrusted = await cluster.get(ref, noAbort);
    assert.equal(distrusted.kind, 'unreachable');
    using _ = trustingToo(authority.certificate);
    await useAll(cluster, 'by-https');
  });

  it('D7: through a proxy too, a certificate of another host is refused before anything is sent', async () => {
    const relay = relayed(await startHttpRelay());
    const proxyUrl = `http://127.0.0.1:${String(relay.port)}`;
    const cluster = await open({ server: `https://other.test:${port}`, 'proxy-url': proxyUrl });
    const before = front.requests.length;
    const outcome = await cluster.write(
      { kind: 'create', ref: refOf('other-host'), object: configMap('other-host') },
      noAbort,
    );
    assert.equal(outcome.kind, 'notSent');
    assert.match(outcome.message, /names another host/);
    assert.equal(front.requests.length, before);
  });

  it('a proxy that wants a log-in gets it from its URL; without one, nothing was sent and it is named', async () => {
    const relay = relayed(await startHttpRelay({ credentials: 'me:s3 cret' }));
    const at = `127.0.0.1:${String(relay.port)}`;
    await useAll(await open({ 'proxy-url': `http://me:s3%20cret@${at}` }), 'by-log-in');
    const outcome = await (
      await open({ 'proxy-url': `http://me:wrong@${at}` })
    ).write({ kind: 'create', ref: refOf('no-log-in'), object: configMap('no-log-in') }, noAbort);
    assert.deepEqual(outcome, {
      kind: 'notSent',
      message: `the proxy http://${at} refused the connection (407)`,
    });
  });

  it('a proxy that is not there: nothing was sent, and it is named', async () => {
    const relay = await startHttpRelay();
    await relay[Symbol.asyncDispose]();
    const cluster = await open({ 'proxy-url': `http://127.0.0.1:${String(relay.port)}` });
    const outcome = await cluster.get(refOf('x'), noAbort);
    assert.ok(outcome.kind === 'unreachable');
    assert.match(outcome.message, new RegExp(`through the proxy http://127.0.0.1:${String(relay.port)}`));
  });

  it('a proxy scheme that is not supported is told', async () => {
    const outcome = await (await open({ 'proxy-url': 'gopher://x' })).get(refOf('x'), noAbort);
    assert.ok(outcome.kind === 'misconfigured');
    assert.match(outcome.message, /gopher:\/\/, which is not supported/);
  });

  it('D8: HTTPS_PROXY carries requests and watches, and NO_PROXY keeps a host off it', async () => {
    const relay = relayed(await startHttpRelay());
    const env: Record<string, string> = { HTTPS_PROXY: `http://127.0.0.1:${String(relay.port)}` };
    await useAll(await open({}, { env: () => env }), 'by-env');
    assert.ok(relay.asked.every((asked) => asked === `${host}:${port}`));
    const asked = relay.asked.length;
    const exempt = await open({}, { env: () => ({ ...env, NO_PROXY: '.kubemerge.test' }) });
    const outcome = await exempt.get(refOf('by-env'), noAbort);
    assert.ok(outcome.kind === 'unreachable', 'only the proxy knows the way');
    assert.equal(relay.asked.length, asked);
  });

  it('a plain http server is reached through an http proxy', async () => {
    const plain = await FaultProxy.start({ target: server, isPlain: true });
    const relay = relayed(await startHttpRelay());
    const url = `http://${host}:${new URL(plain.url).port}`;
    const cluster = await open({ server: url, 'proxy-url': `http://127.0.0.1:${String(relay.port)}` });
    await useAll(cluster, 'plain-by-http');
    assert.ok(relay.asked.length >= 4);
    await plain[Symbol.asyncDispose]();
  });
});

/** Adds an authority to those that this process trusts by default. */
function trustingToo(certificate: string): Disposable {
  const { getCACertificates, setDefaultCACertificates } = tls as unknown as {
    readonly getCACertificates: (kind: string) => string[];
    readonly setDefaultCACertificates: (certificates: readonly string[]) => void;
  };
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  return {
    [Symbol.dispose]: () => {
      setDefaultCACertificates(before);
    },
  };
}
