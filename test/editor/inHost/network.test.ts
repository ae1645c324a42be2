import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { makeAuthority } from '../../cluster/certificates.ts';
import { buildKubeconfig, inline } from '../../cluster/kubeconfigBuilder.ts';
import { makeFolder } from '../../cluster/openClusters.ts';
import { startHttpRelay, startSocksRelay } from '../../cluster/relays.ts';
import { FaultProxy } from '../../support/faultProxy.ts';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap } from './testObjects.ts';

/** A name that only the test's own proxies know the way to. */
const host = 'api.kubemerge.test';

// The host of extensions replaces Node's network modules, and treats this machine's usual address unlike others.
describe('the network of the editor’s own host', () => {
  const stack = new AsyncDisposableStack();
  let fixture: LiveFixture;
  /** At an address that the host does not take for this machine. */
  let direct: FaultProxy;
  let behind: FaultProxy;
  let relays: Readonly<Record<'http' | 'socks5' | 'env', Awaited<ReturnType<typeof startHttpRelay>>>>;
  before(async () => {
    fixture = stack.use(await openLiveFixture());
    const target = fixture.server;
    const authority = await makeAuthority();
    const carol = await authority.issue({ commonName: 'carol' });
    const issued = await authority.issue({ commonName: 'api', hosts: [host], addresses: ['127.0.0.2'] });
    const clientAuthority = authority.certificate;
    direct = stack.use(
      await FaultProxy.start({ target, identity: issued, address: '127.0.0.2', clientAuthority }),
    );
    behind = stack.use(await FaultProxy.start({ target, identity: issued, clientAuthority }));
    relays = {
      http: stack.use(await startHttpRelay()),
      socks5: stack.use(await startSocksRelay()),
      env: stack.use(await startHttpRelay()),
    };
    const user = {
      token: target.tokens.admin,
      'client-certificate-data': inline(carol.certificate),
      'client-key-data': inline(carol.key),
    };
    const trusted = { 'certificate-authority-data': inline(authority.certificate) };
    const far = { ...trusted, server: `https://${host}:${new URL(behind.url).port}` };
    const contexts = {
      direct: { cluster: { ...trusted, server: direct.url }, user },
      http: { cluster: { ...far, 'proxy-url': `http://127.0.0.1:${String(relays.http.port)}` }, user },
      socks5: { cluster: { ...far, 'proxy-url': `socks5://127.0.0.1:${String(relays.socks5.port)}` }, user },
      env: { cluster: far, user },
    };
    const folder = await makeFolder();
    stack.defer(() => folder.remove());
    await configure('kubeconfig', [await folder.write('config', buildKubeconfig(contexts))]);
    // The kubeconfig and the environment say which proxy is used, not the editor's own setting.
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', 'http://127.0.0.1:1', vscode.ConfigurationTarget.Global);
    stack.defer(() => http.update('proxy', undefined, vscode.ConfigurationTarget.Global));
  });
  after(() => stack.disposeAsync());
  afterEach(closeAll);

  /** A read, a watch that tells of a change, and a write. */
  async function useAll(context: string): Promise<OpenObject> {
    const settings = await fixture.open(await fixture.create(configMap({ mode: 'a', size: '1' })), context);
    await settings.replace('mode: a', 'mode: mine');
    await settings.patch({ data: { size: '2' } });
    await settings.until('stale', ({ phase }) => phase === 'stale');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine', size: '2' });
    return settings;
  }

  it('carries the client certificate of the kubeconfig with every request, and keeps connections', async () => {
    const settings = await useAll('direct');
    assert.ok(direct.requests.length >= 4);
    assert.deepEqual(new Set(direct.requests.map(({ clientName }) => clientName)), new Set(['carol']));
    const from = direct.requests.length;
    for (let round = 0; round < 5; round++) {
      await vscode.commands.executeCommand('kubemerge.reload', settings.uri);
    }
    const read = direct.requests
      .slice(from)
      .filter(({ method, path }) => method === 'GET' && path.endsWith(`/${settings.ref.name}`));
    assert.ok(read.length >= 5, `${String(read.length)} reads`);
    assert.equal(new Set(read.map(({ clientPort }) => clientPort)).size, 1);
  });

  for (const kind of ['http', 'socks5'] as const) {
    it(`D7: goes through the kubeconfig’s proxy (${kind}), with the certificate checked against the API host`, async () => {
      const from = behind.requests.length;
      await useAll(kind);
      const { asked } = relays[kind];
      assert.ok(asked.length >= 2 && asked.every((one) => one.startsWith(`${host}:`)), asked.join());
      assert.ok(behind.requests.slice(from).every(({ serverName }) => serverName === host));
      assert.ok(behind.requests.slice(from).every(({ clientName }) => clientName === 'carol'));
    });
  }

  it('D8: goes through HTTPS_PROXY of the environment', async () => {
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${String(relays.env.port)}`;
    try {
      await useAll('env');
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
    const { asked } = relays.env;
    assert.ok(asked.length >= 2 && asked.every((one) => one.startsWith(`${host}:`)), asked.join());
  });
});
