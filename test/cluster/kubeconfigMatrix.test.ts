import assert from 'node:assert/strict';
import { unlink } from 'node:fs/promises';
import { memberAt } from '../../src/core/json.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { type Authority, type IssuedCertificate, makeAuthority } from './certificates.ts';
import { configMap, configMaps, create, update } from './clusterFixture.ts';
import { execApiVersion, makeExecScript } from './execScripts.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { noAbort, openClusters } from './openClusters.ts';
import { nameOf, type SignInServer, startSignInServer, whoAmI } from './signInServer.ts';
import { isOpened, recordWatch } from './watchRecorder.ts';

describe('the kubeconfig matrix: ways to sign in and to connect', () => {
  let signIn: SignInServer;
  let server: SignInServer['server'];
  let authority: Authority;
  let folder: SignInServer['folder'];
  let clientCertificate: IssuedCertificate;
  let open: SignInServer['open'];
  before(async function () {
    this.timeout(60_000);
    signIn = await startSignInServer();
    ({ server, authority, folder, open, carol: clientCertificate } = signIn);
  });
  afterEach(() => {
    signIn.closeAll();
  });
  after(() => signIn[Symbol.asyncDispose]());

  const toServer = () => signIn.cluster;

  it('a token', async () => {
    assert.equal(nameOf(await whoAmI(await open({ token: server.tokens.admin }))), 'admin');
  });

  it('a token file, read again for each request', async () => {
    await folder.write('token', `${server.tokens.admin ?? ''}\n`);
    const one = await open({ tokenFile: 'token' });
    assert.equal(nameOf(await whoAmI(one)), 'admin');
    await folder.write('token', server.tokens.viewer ?? '');
    assert.equal(nameOf(await whoAmI(one)), 'viewer');
    await unlink(`${folder.path}/token`);
    assert.equal(memberAt(await whoAmI(one), 'failed'), 'unauthenticated');
  });

  it('a client certificate given as data, with its groups', async () => {
    const { certificate, key } = clientCertificate;
    const info = await whoAmI(
      await open({ 'client-certificate-data': inline(certificate), 'client-key-data': inline(key) }),
    );
    assert.equal(nameOf(info), 'carol');
    assert.deepEqual(memberAt(info, 'groups'), ['system:masters', 'devs', 'system:authenticated']);
  });

  it('a client certificate given as files, rotated while connected', async () => {
    await folder.write('me.crt', clientCertificate.certificate);
    await folder.write('me.key', clientCertificate.key);
    const one = await open({ 'client-certificate': 'me.crt', 'client-key': 'me.key' });
    assert.equal(nameOf(await whoAmI(one)), 'carol');
    const next = await authority.issue({ commonName: 'dave' });
    await folder.write('me.crt', next.certificate);
    await folder.write('me.key', next.key);
    assert.equal(nameOf(await whoAmI(one)), 'dave');
    await unlink(`${folder.path}/me.key`);
    const ref = { context: 'x', gvr: configMaps, name: 'x' };
    const outcome = await one.connect('x').get(ref, noAbort);
    assert.deepEqual(outcome, {
      kind: 'misconfigured',
      message: 'the client certificate or key of user "x" cannot be read',
    });
  });

  it("a plugin's client certificate", async () => {
    const script = await makeExecScript(folder);
    const { certificate, key } = clientCertificate;
    await script.answer({ clientCertificateData: certificate, clientKeyData: key });
    const exec = { apiVersion: execApiVersion, command: script.command, interactiveMode: 'Never' };
    assert.equal(nameOf(await whoAmI(await open({ exec }))), 'carol');
  });

  it('a user and a password are sent as such', async () => {
    await using proxy = await FaultProxy.start({ target: server });
    const one = await open({ username: 'eve', password: 'pä:ss' }, { ...toServer(), server: proxy.url });
    await one.connect('x').get({ context: 'x', gvr: configMaps, name: 'x' }, noAbort);
    const [request] = proxy.requests;
    const sent = Buffer.from(request?.headers.authorization?.replace('Basic ', '') ?? '', 'base64');
    assert.equal(sent.toString('utf8'), 'eve:pä:ss');
  });

  it('a context without a user is anonymous, on a checked connection', async () => {
    const one = await open(undefined);
    const ref = { context: 'x', namespace: 'default', gvr: configMaps, name: 'x' };
    const outcome = await one.connect('x').get(ref, noAbort);
    assert.ok(outcome.kind === 'forbidden');
    assert.match(outcome.message, /"system:anonymous"/);
    const other = await makeAuthority();
    const distrusting = { server: server.url, 'certificate-authority-data': inline(other.certificate) };
    assert.equal(memberAt(await whoAmI(await open(undefined, distrusting)), 'failed'), 'notSent');
  });

  it('acting as someone else, with uid, groups and extras', async () => {
    const info = await whoAmI(
      await open({
        token: server.tokens.admin,
        as: 'boss',
        'as-uid': 'u-1',
        'as-groups': ['one', 'two'],
        'as-user-extra': { 'Example.com/Reason': ['a', 'b'] },
      }),
    );
    assert.deepEqual(info, {
      username: 'boss',
      uid: 'u-1',
      groups: ['one', 'two', 'system:authenticated'],
      extra: { 'example.com/reason': ['a', 'b'] },
    });
  });

  it('a token wins over a plugin, and a token file over a token', async () => {
    const exec = { apiVersion: execApiVersion, command: './missing', interactiveMode: 'Never' };
    assert.equal(nameOf(await whoAmI(await open({ token: server.tokens.admin, exec }))), 'admin');
    await folder.write('token', server.tokens.viewer ?? '');
    const both = await open({ token: server.tokens.admin, tokenFile: 'token' });
    assert.equal(nameOf(await whoAmI(both)), 'viewer');
  });

  it('a refused token says so, and is not tried again', async () => {
    await using proxy = await FaultProxy.start({ target: server });
    const one = await open({ token: 'outdated' }, { ...toServer(), server: proxy.url });
    assert.equal(memberAt(await whoAmI(one), 'failed'), 'unauthenticated');
    assert.equal(proxy.requests.length, 1);
  });

  it('B10: a token that was replaced in the kubeconfig serves a request that met a 401, at once', async () => {
    const one = await open({ token: 'outdated' });
    const cluster = toServer();
    const user = { token: server.tokens.admin };
    await folder.write('config', buildKubeconfig({ x: { cluster, user } }));
    assert.equal(nameOf(await whoAmI(one)), 'admin');
    assert.deepEqual(
      one.requests.map(({ status }) => status),
      [401, 201],
    );
  });

  it('H6: a token that is meant for another cluster never goes to this one after a 401', async () => {
    const one = await open({ token: 'outdated' });
    const cluster = { ...toServer(), server: 'https://127.0.0.1:1' };
    const user = { token: server.tokens.admin };
    await folder.write('config', buildKubeconfig({ x: { cluster, user } }));
    assert.equal(memberAt(await whoAmI(one), 'failed'), 'unauthenticated');
    assert.equal(one.requests.length, 1);
  });

  it('an ID token of a local issuer, with its groups', async () => {
    const config = { 'idp-issuer-url': signIn.issuer.url, 'client-id': signIn.issuer.clientId };
    const provider = { name: 'oidc', config: { ...config, 'id-token': signIn.issuer.issue(600) } };
    const info = await whoAmI(await open({ 'auth-provider': provider }));
    assert.equal(nameOf(info), 'oidc:frieda');
    assert.deepEqual(memberAt(info, 'groups'), ['system:masters', 'on-call', 'system:authenticated']);
  });

  it('one bad entry of each kind hides none of the good ones', async () => {
    const user = { token: server.tokens.admin };
    const text = buildKubeconfig({
      good: { cluster: toServer(), user },
      noServer: { cluster: {}, user },
      noAuthority: { cluster: { server: server.url, 'certificate-authority': 'none.pem' }, user },
      noCommand: { cluster: toServer(), user: { exec: { apiVersion: execApiVersion } } },
      noName: { cluster: toServer(), user: { 'as-groups': ['devs'] } },
    });
    const one = await openClusters([await folder.write('several', text)]);
    const problems = one.clusters.view.contexts.map(({ name, problem }) => [name, problem !== undefined]);
    assert.deepEqual(problems, [
      ['good', false],
      ['noServer', true],
      ['noAuthority', true],
      ['noCommand', true],
      ['noName', true],
    ]);
    assert.equal(nameOf(await whoAmI(one, 'good')), 'admin');
    assert.equal(one.connect('good').context.namespace, 'default');
    one.clusters.dispose();
  });

  it('B10: a token file that was renewed meanwhile serves a request that met a 401', async () => {
    await using proxy = await FaultProxy.start({ target: server });
    await folder.write('token', 'outdated');
    const one = await open({ tokenFile: 'token' }, { ...toServer(), server: proxy.url });
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const held = proxy.inject(() => true, { kind: 'holdAnswer', until }, 1);
    const answer = whoAmI(one);
    await held.first;
    await folder.write('token', server.tokens.admin ?? '');
    release();
    assert.equal(nameOf(await answer), 'admin');
    assert.equal(proxy.requests.length, 2);
  });

  for (const [name, advice] of [
    ['gcp', /install gke-gcloud-auth-plugin, then run `gcloud container clusters get-credentials CLUSTER`$/],
    ['azure', /install kubelogin, then run `kubelogin convert-kubeconfig`$/],
    ['openstack', /use a credential plugin \(`exec` in the kubeconfig\) in its place$/],
  ] as const) {
    it(`the auth-provider ${name}, which kubectl has dropped, is named with what took its place`, async () => {
      const one = await open({ 'auth-provider': { name, config: { 'access-token': 'hidden' } } });
      const outcome = await one.connect('x').get({ context: 'x', gvr: configMaps, name: 'x' }, noAbort);
      assert.ok(outcome.kind === 'misconfigured');
      assert.match(outcome.message, new RegExp(`^user "x" signs in by the auth-provider "${name}"`));
      assert.match(outcome.message, advice);
      assert.ok(!outcome.message.includes('hidden'));
    });
  }

  const refused: readonly (readonly [
    what: string,
    user: () => Promise<Record<string, unknown>>,
    words: RegExp,
  ])[] = [
    [
      'a token',
      () => Promise.resolve({ token: 'hidden' }),
      /^the server refuses the token of user "x" in the kubeconfig: it may have expired; sign in again with the tool that wrote the kubeconfig$/,
    ],
    [
      'a token file',
      async () => ({ tokenFile: await folder.write('old-token', 'hidden') }),
      /^the server refuses the token in \/\S+\/old-token: it may have expired$/,
    ],
    [
      'a plugin',
      async () => {
        const script = await makeExecScript(folder);
        await script.answer({ token: 'hidden' });
        return {
          exec: { apiVersion: execApiVersion, command: script.command, interactiveMode: 'IfAvailable' },
        };
      },
      /^the server refuses what the credential plugin \S+ gave for user "x": run “KubeMerge: Sign In in a Terminal…”$/,
    ],
  ];
  for (const [what, user, words] of refused) {
    it(`${what} that the server refuses is named, with what to do, in reads, watches and writes`, async () => {
      const cluster = (await open(await user())).connect('x');
      const ref = { context: 'x', namespace: 'default', gvr: configMaps, name: 'x' };
      const write = { kind: 'create', ref, object: configMap('x') } as const;
      const watch = { content: 'full', resourceVersion: undefined, timeoutSeconds: 5 } as const;
      for (const outcome of [
        await cluster.get(ref, noAbort),
        await cluster.watch(ref, watch, () => undefined, noAbort),
        await cluster.write(write, noAbort),
      ]) {
        assert.ok(outcome.kind === 'unauthenticated', outcome.kind);
        assert.match(outcome.message, words);
        assert.ok(!outcome.message.includes('hidden'));
      }
    });
  }

  it('D9: without a checked certificate it connects, and is flagged', async () => {
    const one = await open(
      { token: server.tokens.admin },
      { server: server.url, 'insecure-skip-tls-verify': true },
    );
    assert.equal(one.connect('x').context.isInsecure, true);
    assert.equal(nameOf(await whoAmI(one)), 'admin');
  });

  it('D9: a plain http server works, and is flagged', async () => {
    await using proxy = await FaultProxy.start({ target: server, isPlain: true });
    const one = await open({ token: server.tokens.admin }, { server: proxy.url });
    assert.equal(one.connect('x').context.isInsecure, true);
    assert.equal(nameOf(await whoAmI(one)), 'admin');
  });

  it('D9: tls-server-name is what is asked for and checked, for every verb', async () => {
    const identity = await authority.issue({ commonName: 'api', hosts: ['inner.kubemerge.test'] });
    await using proxy = await FaultProxy.start({ target: server, identity });
    const cluster = {
      server: proxy.url,
      'certificate-authority-data': inline(authority.certificate),
      'tls-server-name': 'inner.kubemerge.test',
    };
    const one = await open({ token: server.tokens.admin }, cluster);
    const connection = one.connect('x');
    const ref = { context: 'x', namespace: 'default', gvr: configMaps, name: 'named' };
    const basis = await create(connection, ref, configMap('named'));
    const watch = recordWatch(connection, ref);
    await watch.until(isOpened);
    await update(connection, ref, basis);
    await connection.get(ref, noAbort);
    watch.stop();
    const verbs = new Set(proxy.requests.map(({ method }) => method));
    assert.deepEqual(verbs, new Set(['POST', 'GET', 'PUT']));
    assert.ok(proxy.requests.every(({ serverName }) => serverName === 'inner.kubemerge.test'));
    const unnamed = await open({ token: server.tokens.admin }, { ...cluster, 'tls-server-name': undefined });
    assert.equal(memberAt(await whoAmI(unnamed), 'failed'), 'notSent');
  });

  it('a server certificate that has expired is told', async () => {
    const notAfter = new Date(Date.now() - 1000);
    const identity = await authority.issue({ commonName: 'api', addresses: ['127.0.0.1'], notAfter });
    await using proxy = await FaultProxy.start({ target: server, identity });
    const cluster = { server: proxy.url, 'certificate-authority-data': inline(authority.certificate) };
    const one = await open({ token: server.tokens.admin }, cluster);
    const outcome = await one.connect('x').get({ context: 'x', gvr: configMaps, name: 'x' }, noAbort);
    assert.deepEqual(outcome, {
      kind: 'unreachable',
      message: `the certificate of ${proxy.url} has expired (CERT_HAS_EXPIRED)`,
    });
  });
});
