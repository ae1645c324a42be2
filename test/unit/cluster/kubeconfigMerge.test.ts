import assert from 'node:assert/strict';
import { mergeKubeconfigs } from '../../../src/cluster/kubeconfigMerge.ts';
import type { Material, ResolvedContext } from '../../../src/cluster/kubeconfigModel.ts';
import { parseKubeconfig } from '../../../src/cluster/kubeconfigParser.ts';

/** Merges files given as path -> text; certificate authorities are read from `authorities`. */
function load(
  files: Readonly<Record<string, string>>,
  authorities: Readonly<Record<string, string>> = {},
  platform: NodeJS.Platform = 'linux',
  isWsl = false,
) {
  const readMaterial = (material: Material): Buffer => {
    if (material.kind === 'inline') return Buffer.from(material.base64, 'base64');
    const text = authorities[material.path];
    if (text === undefined) throw new Error('missing');
    return Buffer.from(text);
  };
  const parsed = Object.entries(files).map(([path, text]) =>
    parseKubeconfig(text, path, { platform, isWsl }),
  );
  const { contexts, problems } = mergeKubeconfigs(parsed, readMaterial);
  const context = (name: string): ResolvedContext => {
    const found = contexts.find(({ entry }) => entry.name === name);
    if (found === undefined) throw new Error(`no context ${name}`);
    return found;
  };
  return { contexts, problems, context };
}

const cluster = (name: string, more = ''): string =>
  `- name: ${name}\n  cluster: { server: "https://${name}:6443"${more} }\n`;
const context = (name: string, of: string, more = ''): string =>
  `- name: ${name}\n  context: { cluster: ${of}${more} }\n`;

describe('kubeconfig files', () => {
  it('are read as one: contexts, namespaces, users and the current context', () => {
    const { contexts, problems } = load({
      '/k/config': `current-context: b
clusters:
${cluster('one')}
users:
- name: me
  user: { token: abc }
contexts:
${context('a', 'one', ', user: me, namespace: shop')}
${context('b', 'one', ', user: me')}
`,
    });
    assert.deepEqual(problems, []);
    const [first, second] = contexts;
    assert.deepEqual(first?.entry, {
      name: 'a',
      namespace: 'shop',
      clusterId: first?.entry.clusterId,
      server: 'https://one:6443',
      userName: 'me',
      isCurrent: false,
      isInsecure: false,
      canSignIn: false,
    });
    assert.match(first.entry.clusterId, /^[0-9a-f]{12}$/);
    assert.equal(second?.entry.namespace, 'default');
    assert.equal(second.entry.isCurrent, true);
    assert.equal(second.user.token, 'abc');
  });

  it('say which users can be asked in a terminal: those with a plugin that is not told never to ask', () => {
    const user = (mode: string): string =>
      `- name: ${mode}\n  user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: log-in, interactiveMode: ${mode} } }\n`;
    const modes = ['Always', 'IfAvailable', 'Never'];
    const { context: find } = load({
      '/k/config': `clusters:\n${cluster('one')}users:\n${modes.map(user).join('')}contexts:\n${modes
        .map((mode) => context(mode, 'one', `, user: ${mode}`))
        .join('')}`,
    });
    assert.deepEqual(
      modes.map((mode) => find(mode).entry.canSignIn),
      [true, true, false],
    );
  });

  it('D1: the first definition of a name wins whole, and so does the first current context', () => {
    const { context: find } = load({
      '/a': `current-context: x\nclusters:\n${cluster('one')}users:\n- name: me\n  user: { token: first }\n`,
      '/b': `current-context: y
clusters:
- name: one
  cluster: { server: "https://other", tls-server-name: other }
users:
- name: me
  user: { token: second, as: someone }
contexts:
${context('x', 'one', ', user: me')}
${context('y', 'one', ', user: me')}
`,
    });
    assert.equal(find('x').entry.server, 'https://one:6443');
    assert.equal(find('x').cluster?.tlsServerName, undefined);
    assert.equal(find('x').user.token, 'first');
    assert.equal(find('x').user.impersonation.user, undefined);
    assert.deepEqual([find('x').entry.isCurrent, find('y').entry.isCurrent], [true, false]);
  });

  it("D3: relative paths and commands resolve from their own file's folder", () => {
    const text = `
clusters:
- name: one
  cluster: { server: "https://one", certificate-authority: ca.pem }
users:
- name: me
  user:
    client-certificate: certs/me.crt
    client-key: /abs/me.key
    tokenFile: ../token
    exec: { apiVersion: client.authentication.k8s.io/v1, command: ./helper.sh }
- name: bare
  user:
    exec: { apiVersion: client.authentication.k8s.io/v1, command: helper }
contexts:
${context('x', 'one', ', user: me')}
${context('bare', 'one', ', user: bare')}
`;
    const { context: find } = load({ '/home/a/.kube/config': text }, { '/home/a/.kube/ca.pem': 'PEM' });
    const { user, cluster: found, entry } = find('x');
    assert.equal(entry.problem, undefined);
    assert.equal(found?.ca?.toString(), 'PEM');
    assert.deepEqual(user.clientCertificate, { kind: 'file', path: '/home/a/.kube/certs/me.crt' });
    assert.deepEqual(user.clientKey, { kind: 'file', path: '/abs/me.key' });
    assert.equal(user.tokenFile, '/home/a/token');
    assert.equal(user.exec?.command, '/home/a/.kube/helper.sh');
    assert.equal(find('bare').user.exec?.command, 'helper');
    const windows = load(
      { 'C:\\Users\\a\\.kube\\config': text },
      { 'C:\\Users\\a\\.kube\\ca.pem': 'PEM' },
      'win32',
    );
    assert.equal(windows.context('x').user.exec?.command, 'C:\\Users\\a\\.kube\\helper.sh');
  });

  it('a bad entry is told at its context and hides no other', () => {
    const { contexts, context: find } = load({
      '/a': `
clusters:
${cluster('good')}
- name: no-server
  cluster: {}
- name: bad-url
  cluster: { server: "ftp://x" }
- name: no-ca
  cluster: { server: "https://x", certificate-authority: missing.pem }
- name: not-a-mapping
  cluster: 5
users:
- name: no-command
  user: { exec: { apiVersion: v1 } }
contexts:
${context('good', 'good')}
${context('1', 'no-server')}
${context('2', 'bad-url')}
${context('3', 'no-ca')}
${context('4', 'missing')}
${context('5', 'good', ', user: missing')}
${context('6', 'good', ', user: no-command')}
${context('8', 'not-a-mapping')}
- name: "7"
`,
    });
    const problems = Object.fromEntries(contexts.map(({ entry }) => [entry.name, entry.problem]));
    assert.deepEqual(problems, {
      good: undefined,
      '1': 'cluster "no-server" has no server',
      '2': 'the server of cluster "bad-url" is not an http or https URL',
      '3': 'the certificate authority of cluster "no-ca" cannot be read (/missing.pem)',
      '4': 'cluster "missing" is in no kubeconfig file',
      '5': 'user "missing" is in no kubeconfig file',
      '6': 'the exec plugin of user "no-command" has no command',
      '7': 'context "7" names no cluster',
      '8': 'cluster "not-a-mapping" in /a is not a mapping',
    });
    assert.equal(find('4').cluster, undefined);
  });

  it('a file that is no kubeconfig is told, with its line and nothing of its text', () => {
    const token = 'very-secret-token';
    const { problems, contexts } = load({
      '/broken': `users:\n- name: me\n  user: {token: ${token}\n`,
      '/list': '- 1',
      '/empty': '',
      '/comment': '# nothing yet\n',
      '/odd': 'contexts: 5\nusers:\n- 7\n',
      '/good': `clusters:\n${cluster('one')}contexts:\n${context('x', 'one')}`,
    });
    assert.equal(contexts.length, 1);
    assert.equal(problems.length, 4);
    assert.match(problems[0] ?? '', /^\/broken is not valid YAML \(line \d+: [A-Z_]+\)$/);
    assert.ok(problems.every((problem) => !problem.includes(token)));
    assert.deepEqual(problems.slice(1), [
      '/list does not hold a kubeconfig',
      'entry 1 of users in /odd has no name',
      'contexts in /odd is not a list',
    ]);
  });

  it('scalars are taken as they are written, quoted or not, and null is nothing', () => {
    const text = `\uFEFF
clusters:
${cluster('one')}
users:
- name: 007
  user: { token: 0123, username: "yes", password: '1e3' }
- name: nothing
  user: { token: null, username: ~, password: }
contexts:
${context('x', 'one', ', user: 007')}
${context('y', 'one', ', user: nothing, namespace: null')}
`;
    const { context: find } = load({ '/a': text });
    const { user } = find('x');
    assert.deepEqual([user.token, user.username, user.password], ['0123', 'yes', '1e3']);
    const none = find('y').user;
    assert.deepEqual([none.token, none.username, none.password], [undefined, undefined, undefined]);
    assert.equal(find('y').entry.namespace, 'default');
  });

  it('JSON is read too, and so are anchors', () => {
    const json = JSON.stringify({
      clusters: [{ name: 'one', cluster: { server: 'https://one', 'insecure-skip-tls-verify': true } }],
      contexts: [{ name: 'j', context: { cluster: 'one' } }],
    });
    const anchored = `
users:
- name: a
  user: &u { token: shared }
- name: b
  user: *u
contexts:
${context('k', 'one', ', user: b')}
`;
    const { context: find } = load({ '/json': json, '/yaml': anchored });
    assert.equal(find('j').entry.isInsecure, true);
    assert.equal(find('k').user.token, 'shared');
  });

  it('D9: a server without a checked certificate, or without TLS, is flagged', () => {
    const { context: find } = load({
      '/a': `
clusters:
${cluster('skip', ', insecure-skip-tls-verify: true, certificate-authority: missing.pem')}
- name: plain
  cluster: { server: "http://127.0.0.1:8001/" }
contexts:
${context('skip', 'skip')}
${context('plain', 'plain')}
`,
    });
    assert.deepEqual(
      [find('skip'), find('plain')].map(({ entry }) => [entry.isInsecure, entry.problem]),
      [
        [true, undefined],
        [true, undefined],
      ],
    );
    assert.equal(find('plain').entry.server, 'http://127.0.0.1:8001');
  });

  it("a cluster's id is that of its server and authority, wherever the authority stands", () => {
    const inline = Buffer.from('PEM').toString('base64');
    const { context: find } = load(
      {
        '/a': `
clusters:
- name: data
  cluster: { server: "https://one", certificate-authority-data: ${inline} }
- name: file
  cluster: { server: "https://one/", certificate-authority: ca.pem }
- name: other-ca
  cluster: { server: "https://one", certificate-authority-data: ${Buffer.from('X').toString('base64')} }
- name: other-server
  cluster: { server: "https://two", certificate-authority-data: ${inline} }
contexts:
${context('data', 'data')}
${context('file', 'file')}
${context('other-ca', 'other-ca')}
${context('other-server', 'other-server')}
`,
      },
      { '/ca.pem': 'PEM' },
    );
    const ids = ['data', 'file', 'other-ca', 'other-server'].map((name) => find(name).entry.clusterId);
    assert.equal(ids[0], ids[1]);
    assert.equal(new Set(ids).size, 3);
  });

  it('users say who they act as, and how their plugin is run', () => {
    const { context: find } = load({
      '/a': `
clusters:
- name: one
  cluster:
    server: https://one
    extensions:
    - name: other
      extension: { x: 1 }
    - name: client.authentication.k8s.io/exec
      extension: { audience: "06", size: 6 }
users:
- name: me
  user:
    as: boss
    as-uid: u-1
    as-groups: [one, two]
    as-user-extra: { Reason: [a, b] }
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: helper
      args: [--x, 1]
      env: [{ name: A, value: 1 }, { name: B }]
      installHint: |
        get it there
      provideClusterInfo: true
      interactiveMode: Never
contexts:
${context('x', 'one', ', user: me')}
`,
    });
    const { user, cluster: found } = find('x');
    assert.deepEqual(user.impersonation, {
      user: 'boss',
      uid: 'u-1',
      groups: ['one', 'two'],
      extra: { Reason: ['a', 'b'] },
    });
    assert.deepEqual(user.exec, {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'helper',
      args: ['--x', '1'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '' },
      ],
      installHint: 'get it there',
      provideClusterInfo: true,
      interactiveMode: 'Never',
    });
    assert.deepEqual(found?.execExtension, { audience: '06', size: 6 });
  });

  const shared = `clusters:
${cluster('one', ', certificate-authority: "C:\\\\Users\\\\a\\\\ca.crt"')}
users:
- name: me
  user: { tokenFile: "d:/token", client-certificate: 'me.crt', exec: { apiVersion: v1, command: 'C:\\bin\\login.exe' } }
contexts:
${context('x', 'one', ', user: me')}`;

  it('shared with Windows are read in WSL: paths with a drive letter lead below /mnt', () => {
    const authorities = { '/mnt/c/Users/a/ca.crt': 'CA' };
    const { user, cluster: found } = load({ '/k/config': shared }, authorities, 'linux', true).context('x');
    assert.equal(found?.ca?.toString(), 'CA');
    assert.equal(user.tokenFile, '/mnt/d/token');
    assert.equal(user.exec?.command, '/mnt/c/bin/login.exe');
    assert.deepEqual(user.clientCertificate, { kind: 'file', path: '/k/me.crt' });
  });

  it('on Windows keep their drive letters, and resolve other paths from their folder', () => {
    const authorities = { 'C:\\Users\\a\\ca.crt': 'CA' };
    const { user, cluster: found } = load({ 'C:\\k\\config': shared }, authorities, 'win32').context('x');
    assert.equal(found?.ca?.toString(), 'CA');
    assert.equal(user.tokenFile, 'd:/token');
    assert.equal(user.exec?.command, 'C:\\bin\\login.exe');
    assert.deepEqual(user.clientCertificate, { kind: 'file', path: 'C:\\k\\me.crt' });
  });

  it('that act as someone without a name have a problem of their own', () => {
    const { context: find } = load({
      '/k/config': `clusters:
${cluster('one')}
users:
- name: half
  user: { as-groups: [devs] }
- name: whole
  user: { as: boss, as-groups: [devs] }
contexts:
${context('bad', 'one', ', user: half')}${context('good', 'one', ', user: whole')}`,
    });
    assert.match(find('bad').entry.problem ?? '', /user "half" acts with .* that "as" does not name/);
    assert.equal(find('good').entry.problem, undefined);
  });
});
