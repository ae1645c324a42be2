import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { otherWindowMs, type TokenRotation } from '../../src/cluster/oidcTokens.ts';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import { memberAt } from '../../src/core/json.ts';
import { systemClock } from '../../src/cluster/systemClock.ts';
import { toDisposable } from '../../src/core/lifecycle.ts';
import type { Clock } from '../../src/sync/clock.ts';
import { until } from '../support/until.ts';
import { inline } from './kubeconfigBuilder.ts';
import { memorySecrets, type OpenClusters } from './openClusters.ts';
import { nameOf, reasonOf, type SignInServer, startSignInServer, whoAmI } from './signInServer.ts';

describe('the auth-provider oidc', () => {
  let signIn: SignInServer;
  let entries: Map<string, string>;
  let rotations: TokenRotation[];
  let startToken: string;
  before(async function () {
    this.timeout(60_000);
    signIn = await startSignInServer();
  });
  beforeEach(() => {
    const { issuer } = signIn;
    issuer.tokenRequests.length = 0;
    issuer.isRotating = false;
    issuer.clientProofs = undefined;
    issuer.failure = undefined;
    entries = new Map();
    rotations = [];
    startToken = issuer.refreshToken;
  });
  afterEach(() => {
    signIn.closeAll();
  });
  after(() => signIn[Symbol.asyncDispose]());

  const open = (
    config: Readonly<Record<string, string | undefined>> = {},
    options: Partial<ClustersOptions> = {},
  ): Promise<OpenClusters> => {
    const whole = {
      'idp-issuer-url': signIn.issuer.url,
      'client-id': signIn.issuer.clientId,
      'idp-certificate-authority': 'clients.pem',
      'refresh-token': startToken,
      ...config,
    };
    return signIn.open({ 'auth-provider': { name: 'oidc', config: whole } }, undefined, {
      secrets: memorySecrets(entries),
      onTokenRotated: (rotation) => rotations.push(rotation),
      ...options,
    });
  };

  it('an ID token that has not run out is sent as it is', async () => {
    const info = await whoAmI(await open({ 'id-token': signIn.issuer.issue(600) }));
    assert.equal(nameOf(info), 'oidc:frieda');
    assert.deepEqual(memberAt(info, 'groups'), ['system:masters', 'on-call', 'system:authenticated']);
    assert.equal(signIn.issuer.tokenRequests.length, 0);
  });

  it('one that has run out is refreshed once for all who want it, and kept for the next start', async () => {
    const config = { 'id-token': signIn.issuer.issue(-5) };
    const one = await open(config);
    const infos = await Promise.all(Array.from({ length: 10 }, () => whoAmI(one)));
    assert.deepEqual(new Set(infos.map(nameOf)), new Set(['oidc:frieda']));
    assert.equal(signIn.issuer.tokenRequests.length, 1);
    assert.equal(nameOf(await whoAmI(await open(config))), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 1);
    assert.deepEqual(rotations, []);
  });

  it('one that ends within ten seconds is replaced before it is used', async () => {
    assert.equal(nameOf(await whoAmI(await open({ 'id-token': signIn.issuer.issue(5) }))), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 1);
  });

  it('D12: a replaced refresh token is told once, kept as a secret, and never written to the kubeconfig', async () => {
    signIn.issuer.isRotating = true;
    const one = await open();
    const [file = ''] = one.clusters.view.files;
    const before = await readFile(file);
    assert.equal(nameOf(await whoAmI(one)), 'oidc:frieda');
    assert.deepEqual(rotations, [{ userName: 'x', issuer: signIn.issuer.url, isKept: true }]);
    assert.deepEqual(await readFile(file), before);
    assert.notEqual(signIn.issuer.refreshToken, startToken);

    // After a restart, with the kept ID token run out, the new refresh token is the one that is used.
    for (const key of entries.keys()) {
      const kept = JSON.parse(entries.get(key) ?? '') as object;
      entries.set(key, JSON.stringify({ ...kept, idToken: signIn.issuer.issue(-5) }));
    }
    assert.equal(nameOf(await whoAmI(await open())), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 2);
  });

  it('a refresh token that another window has replaced meanwhile is taken over', async () => {
    signIn.issuer.isRotating = true;
    let clock: Clock = systemClock;
    let goOn = (): void => undefined;
    const refused = new Promise<void>((resolve) => {
      const schedule: Clock['schedule'] = (delayMs, callback) => {
        if (delayMs !== otherWindowMs) return systemClock.schedule(delayMs, callback);
        goOn = callback;
        resolve();
        return toDisposable(() => undefined);
      };
      clock = { ...systemClock, schedule };
    });
    // The other window's token comes first; what it keeps comes after ours was refused.
    let keep = (): void => undefined;
    const slow = new Promise<void>((resolve) => (keep = resolve));
    const shared = memorySecrets(entries);
    const store = (key: string, value: string): Promise<void> => slow.then(() => shared.store(key, value));
    const other = await open({}, { secrets: { ...shared, store } });
    const mine = await open({}, { clock });
    const info = whoAmI(other);
    await until(() => signIn.issuer.refreshToken !== startToken);
    const own = whoAmI(mine);
    await refused;
    keep();
    assert.equal(nameOf(await info), 'oidc:frieda');
    goOn();
    assert.equal(nameOf(await own), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 2);
    assert.equal(rotations.length, 1);
  });

  it('without a secret store, a replaced refresh token serves until the end, and the loss is told', async () => {
    signIn.issuer.isRotating = true;
    const broken = {
      get: () => Promise.reject(new Error('locked')),
      store: () => Promise.reject(new Error('locked')),
    };
    const one = await open({}, { secrets: broken });
    assert.equal(nameOf(await whoAmI(one)), 'oidc:frieda');
    assert.deepEqual(
      rotations.map(({ isKept }) => isKept),
      [false],
    );
    assert.equal(nameOf(await whoAmI(one)), 'oidc:frieda');
  });

  it('a new sign-in in the kubeconfig goes before what was kept', async () => {
    assert.equal(nameOf(await whoAmI(await open())), 'oidc:frieda');
    const info = await whoAmI(
      await open({ 'refresh-token': 'another', 'id-token': signIn.issuer.issue(600) }),
    );
    assert.equal(nameOf(info), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 1);
  });

  it('B10: a token that the server refuses is refreshed once', async () => {
    const forged = `${signIn.issuer.issue(600).split('.').slice(0, 2).join('.')}.c2lnbmF0dXJl`;
    const one = await open({ 'id-token': forged });
    assert.equal(nameOf(await whoAmI(one)), 'oidc:frieda');
    assert.equal(signIn.issuer.tokenRequests.length, 1);
    assert.deepEqual(
      one.requests.map(({ context, status }) => [context, status]),
      [
        ['x', 401],
        ['identity provider', 200],
        ['identity provider', 200],
        ['x', 201],
      ],
    );
  });

  it('a client secret goes into the header, or into the form where the provider takes only that', async () => {
    const secret = { 'client-secret': 'se cret' };
    await whoAmI(await open(secret));
    entries.clear();
    signIn.issuer.clientProofs = ['client_secret_post'];
    await whoAmI(await open(secret));
    const [byHeader, byForm] = signIn.issuer.tokenRequests;
    const pair = Buffer.from(byHeader?.authorization?.replace('Basic ', '') ?? '', 'base64').toString('utf8');
    assert.equal(pair, 'kubernetes:se%20cret');
    assert.equal(byHeader?.form.has('client_secret'), false);
    assert.deepEqual([byForm?.authorization, byForm?.form.get('client_secret')], [undefined, 'se cret']);
  });

  it('the authority of the issuer may be given as data', async () => {
    const data = inline(signIn.authority.certificate);
    const config = { 'idp-certificate-authority': undefined, 'idp-certificate-authority-data': data };
    assert.equal(nameOf(await whoAmI(await open(config))), 'oidc:frieda');
    const distrusted = await whoAmI(
      await open({ 'idp-certificate-authority': undefined }, { secrets: memorySecrets() }),
    );
    assert.equal(memberAt(distrusted, 'failed'), 'notSent');
    assert.match(reasonOf(distrusted), /^no new ID token: the certificate of https:\S+ is not signed/);
  });

  const failures: readonly [string, Readonly<Record<string, string | undefined>>, string, RegExp][] = [
    [
      'a refresh token that is refused',
      { 'refresh-token': 'old' },
      'unauthenticated',
      /\(invalid_grant: Token is not active\): user "x" has to sign in anew/,
    ],
    [
      'no refresh token',
      { 'refresh-token': undefined },
      'unauthenticated',
      /user "x" has no ID token that works, and no refresh-token: sign in anew/,
    ],
    ['no issuer', { 'idp-issuer-url': undefined }, 'unauthenticated', /has no idp-issuer-url$/],
    [
      'an issuer without TLS',
      { 'idp-issuer-url': 'http://127.0.0.1:1' },
      'unauthenticated',
      /is not an https URL$/,
    ],
    [
      'an authority that is not there',
      { 'idp-certificate-authority': 'none.pem' },
      'unauthenticated',
      /cannot be read \(\/.*\/none\.pem\)$/,
    ],
    [
      'an issuer that is not there',
      { 'idp-issuer-url': 'https://127.0.0.1:1' },
      'notSent',
      /nothing answers at https:\/\/127\.0\.0\.1:1/,
    ],
  ];
  for (const [what, config, kind, message] of failures) {
    it(`${what} is told, and nothing is sent to the cluster`, async () => {
      const one = await open(config);
      const info = await whoAmI(one);
      assert.equal(memberAt(info, 'failed'), kind);
      assert.match(reasonOf(info), message);
      assert.ok(one.requests.every(({ context }) => context === 'identity provider'));
    });
  }

  it('a provider that answers nonsense or fails is told without its answer', async () => {
    for (const [status, body, kind] of [
      [200, '<html>secret-token</html>', 'unauthenticated'],
      [200, '{"access_token":"secret-token"}', 'unauthenticated'],
      [503, 'secret-token', 'notSent'],
    ] as const) {
      signIn.issuer.failure = { status, body };
      const info = await whoAmI(await open());
      assert.equal(memberAt(info, 'failed'), kind, body);
      assert.doesNotMatch(JSON.stringify(info), /secret-token/);
    }
  });

  it('neither a token nor a secret is in what is logged', async () => {
    signIn.issuer.isRotating = true;
    const one = await open({ 'client-secret': 'hush' });
    await whoAmI(one);
    const logged = JSON.stringify([one.requests, rotations]);
    for (const secret of [startToken, signIn.issuer.refreshToken, 'hush', 'eyJ'])
      assert.ok(!logged.includes(secret));
    assert.equal(one.requests.length, 3);
  });
});
