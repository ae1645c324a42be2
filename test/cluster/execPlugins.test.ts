import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import type { PluginOutput } from '../../src/cluster/execPlugin.ts';
import type { Outcome } from '../../src/core/errors.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { AnnouncingClock } from './announcingClock.ts';
import { execApiVersion, type ExecScript, makeExecScript } from './execScripts.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, openClusters } from './openClusters.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

describe('credential plugins', () => {
  let server: SharedApiServer;
  let proxy: FaultProxy;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let script: ExecScript;
  const disposals: (() => void)[] = [];
  before(async () => {
    server = await sharedApiServer();
    proxy = await FaultProxy.start({ target: server });
  });
  beforeEach(async () => {
    folder = await makeFolder();
    script = await makeExecScript(folder);
    await script.answer({ token: server.tokens.admin });
  });
  afterEach(async () => {
    for (const dispose of disposals.splice(0)) dispose();
    await folder.remove();
  });
  after(() => proxy[Symbol.asyncDispose]());

  async function open(
    exec: Readonly<Record<string, unknown>> = {},
    options: Partial<ClustersOptions> = {},
  ): Promise<ClusterPort> {
    const user = {
      exec: { apiVersion: execApiVersion, command: script.command, interactiveMode: 'Never', ...exec },
    };
    const cluster = { server: proxy.url, 'certificate-authority-data': inline(server.ca) };
    const path = await folder.write('config', buildKubeconfig({ plugin: { cluster, user } }));
    const { clusters, connect } = await openClusters([path], options);
    disposals.push(() => {
      clusters.dispose();
    });
    return connect('plugin');
  }

  const readFrom = (cluster: ClusterPort, signal = noAbort): Promise<Outcome<unknown>> =>
    cluster.get({ context: 'plugin', gvr: namespaces, name: 'default' }, signal);

  it('D4: 20 requests at once and 20 after them share one run', async () => {
    const cluster = await open();
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => readFrom(cluster)));
    for (let count = 0; count < 20; count++) atOnce.push(await readFrom(cluster));
    assert.deepEqual(new Set(atOnce.map(({ kind }) => kind)), new Set(['ok']));
    assert.equal((await script.runs()).length, 1);
  });

  it('D4, B10: a 401 brings one more run, for all requests that met it', async () => {
    await script.answer({ token: 'outdated' });
    const cluster = await open();
    assert.equal((await readFrom(cluster)).kind, 'unauthenticated');
    assert.equal((await script.runs()).length, 2);
    await script.answer({ token: server.tokens.admin });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => readFrom(cluster)));
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['ok']));
    assert.equal((await script.runs()).length, 3);
  });

  it('D4: a credential is replaced ten seconds before it expires, not earlier', async () => {
    const clock = new AnnouncingClock();
    await script.answer({
      token: server.tokens.admin,
      expirationTimestamp: new Date(clock.now() + 60_000).toISOString(),
    });
    const cluster = await open({}, { clock });
    await readFrom(cluster);
    await clock.advance(49_999);
    await readFrom(cluster);
    assert.equal((await script.runs()).length, 1);
    await clock.advance(1);
    await readFrom(cluster);
    assert.equal((await script.runs()).length, 2);
  });

  it('D4: one that expires in five seconds serves meanwhile, and another run follows when that has passed', async () => {
    const clock = new AnnouncingClock();
    const expire = (): Promise<void> =>
      script.answer({
        token: server.tokens.admin,
        expirationTimestamp: new Date(clock.now() + 5_000).toISOString(),
      });
    await expire();
    const cluster = await open({}, { clock });
    for (let count = 0; count < 20; count++) assert.equal((await readFrom(cluster)).kind, 'ok');
    assert.equal((await script.runs()).length, 1);
    await clock.advance(5_000);
    await expire();
    await Promise.all(Array.from({ length: 5 }, () => readFrom(cluster)));
    await readFrom(cluster);
    assert.equal((await script.runs()).length, 2);
  });

  it('D11: no plugin runs before its cluster is asked something', async () => {
    await open();
    assert.deepEqual(await script.runs(), []);
  });

  it('D3: a relative command and its arguments, environment and empty input reach the plugin', async () => {
    const cluster = await open({
      command: './helper.cjs',
      args: ['--for', 'test one'],
      env: [{ name: 'MARKER', value: 'set' }],
    });
    assert.equal((await readFrom(cluster)).kind, 'ok');
    const [run] = await script.runs();
    assert.deepEqual(run?.args, ['--for', 'test one']);
    assert.equal(run.marker, 'set');
    assert.equal(run.input, '');
    assert.deepEqual(run.info, {
      kind: 'ExecCredential',
      apiVersion: execApiVersion,
      spec: { interactive: false },
    });
  });

  it('a plugin that asks for it is told of its cluster', async () => {
    const cluster = await open({ provideClusterInfo: true });
    assert.equal((await readFrom(cluster)).kind, 'ok');
    const [run] = await script.runs();
    assert.deepEqual(run?.info.spec, {
      interactive: false,
      cluster: { server: proxy.url, 'certificate-authority-data': inline(server.ca) },
    });
  });

  it('all that it may be told of its cluster: its extension too, as the kubeconfig has it', async () => {
    const user = {
      exec: {
        ...{ apiVersion: execApiVersion, command: script.command, interactiveMode: 'IfAvailable' },
        provideClusterInfo: true,
      },
    };
    const cluster = {
      ...{ server: 'https://127.0.0.1:1', 'tls-server-name': 'inner.test', 'insecure-skip-tls-verify': true },
      ...{ 'proxy-url': 'http://127.0.0.1:1', 'disable-compression': true },
      extensions: [
        { name: 'other', extension: { hidden: true } },
        { name: 'client.authentication.k8s.io/exec', extension: { audience: '06', size: 6 } },
      ],
    };
    const path = await folder.write('all', buildKubeconfig({ plugin: { cluster, user } }));
    const { clusters, connect } = await openClusters([path]);
    await readFrom(connect('plugin'));
    clusters.dispose();
    const [run] = await script.runs();
    const { extensions: _, ...told } = cluster;
    assert.deepEqual(run?.info.spec, {
      interactive: false,
      cluster: { ...told, config: { audience: '06', size: 6 } },
    });
  });

  it('what a plugin says is told as it says it, such as a device code while it waits for the person', async () => {
    await folder.write(
      'device.sh',
      `#!/bin/sh
echo 'Enter ABCD-1234 at https://login.example.com/device' >&2
until test -e "${folder.path}/entered"; do sleep 0.02; done
cat "${folder.path}/helper.answer.json"
`,
      0o700,
    );
    const credential = { kind: 'ExecCredential', apiVersion: execApiVersion };
    const status = { token: server.tokens.admin };
    await folder.write('helper.answer.json', JSON.stringify({ ...credential, status }));
    let tell = (_text: string): void => undefined;
    const told = new Promise<string>((resolve) => (tell = resolve));
    const onPluginOutput = ({ text }: PluginOutput): void => {
      tell(text);
    };
    const reading = readFrom(await open({ command: './device.sh' }, { onPluginOutput }));
    assert.equal(await told, 'Enter ABCD-1234 at https://login.example.com/device');
    await folder.write('entered', '');
    assert.equal((await reading).kind, 'ok');
  });

  it('v1beta1 is answered in v1beta1', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    await script.print(
      JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token: server.tokens.admin } }),
    );
    assert.equal((await readFrom(await open({ apiVersion }))).kind, 'ok');
    const mixed = await readFrom(await open({ apiVersion: execApiVersion }));
    assert.equal(mixed.kind, 'misconfigured');
    const old = await readFrom(await open({ apiVersion: 'client.authentication.k8s.io/v1alpha1' }));
    assert.equal(old.kind, 'misconfigured');
  });

  it('D5: a command that is not there is named, with the PATH and the hint, and works once it is there', async () => {
    let path = '/nowhere:/else';
    const cluster = await open(
      { command: 'helper.cjs', installHint: 'Get it from the shop.' },
      { env: () => ({ PATH: path }) },
    );
    assert.deepEqual(await readFrom(cluster), {
      kind: 'misconfigured',
      message: 'the credential plugin helper.cjs is not on PATH (/nowhere:/else). Get it from the shop.',
    });
    path = `${dirname(script.command)}:${process.env.PATH ?? ''}`;
    assert.equal((await readFrom(cluster)).kind, 'ok');
  });

  it('D5: a write without credentials says so, and nothing is sent', async () => {
    const cluster = await open({ command: './missing' });
    const before = proxy.requests.length;
    const ref = {
      context: 'plugin',
      namespace: 'default',
      name: 'x',
      gvr: { ...namespaces, resource: 'configmaps' },
    };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const outcome = await cluster.write({ kind: 'create', ref, object }, noAbort);
    assert.equal(outcome.kind, 'unauthenticated');
    assert.match(outcome.message, /\/missing does not exist$/);
    assert.equal(proxy.requests.length, before);
  });

  it('a plugin that fails is told with what it said, and without what looks like a secret', async () => {
    const said = 'You are signed out.\nRun: corp login --token=abcdefghijklmnopqrstuvwxyz0123456789\n';
    await script.answer({}, { stderr: said, exitCode: 3 });
    const outputs: PluginOutput[] = [];
    const cluster = await open(
      { installHint: 'See the wiki.' },
      { onPluginOutput: (output) => outputs.push(output) },
    );
    const outcome = await readFrom(cluster);
    assert.ok(outcome.kind === 'unauthenticated');
    assert.match(
      outcome.message,
      /failed \(exit code 3\): You are signed out\. Run: corp login --token=…\. See the wiki\.$/,
    );
    assert.deepEqual(
      outputs.map(({ text }) => text),
      ['You are signed out.', 'Run: corp login --token=…'],
    );
    await script.answer({ token: server.tokens.admin });
    assert.equal((await readFrom(cluster)).kind, 'ok');
  });

  for (const [what, text] of [
    ['prints no JSON', 'hello secret-token'],
    ['prints another kind', '{"kind":"Secret","token":"secret-token"}'],
    ['gives nothing', JSON.stringify({ kind: 'ExecCredential', apiVersion: execApiVersion, status: {} })],
    [
      'gives a certificate without its key',
      JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: execApiVersion,
        status: { clientCertificateData: 'secret-token' },
      }),
    ],
  ] as const) {
    it(`a plugin that ${what} is told, without its output`, async () => {
      await script.print(text);
      const outcome = await readFrom(await open());
      assert.ok(outcome.kind === 'misconfigured' || outcome.kind === 'unauthenticated');
      assert.match(outcome.message, /^the credential plugin .*helper\.cjs /);
      assert.doesNotMatch(outcome.message, /secret-token/);
    });
  }

  it('a plugin that needs a terminal is not run', async () => {
    const outcome = await readFrom(await open({ interactiveMode: 'Always' }));
    assert.ok(outcome.kind === 'unauthenticated');
    assert.match(outcome.message, /asks for a terminal/);
    assert.deepEqual(await script.runs(), []);
  });

  it('a plugin that takes too long is given up; one that nobody waits for is ended', async () => {
    const clock = new AnnouncingClock();
    await folder.write('slow.sh', `#!/bin/sh\necho $$ > "${folder.path}/pid"\nexec sleep 600\n`, 0o700);
    const cluster = await open({ command: './slow.sh' }, { clock });
    const started = clock.whenScheduled(60_000);
    const outcome = readFrom(cluster);
    await started;
    await clock.advance(60_000);
    const result = await outcome;
    assert.ok(result.kind === 'unauthenticated');
    assert.match(result.message, /within 60 s/);

    const cancel = new AbortController();
    const again = clock.whenScheduled(60_000);
    const cancelled = readFrom(cluster, cancel.signal);
    await again;
    cancel.abort();
    assert.deepEqual(await cancelled, { kind: 'aborted' });
    const pid = Number(await readFile(`${folder.path}/pid`, 'utf8').catch(() => '0'));
    while (pid > 0 && isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('a token that no header may hold is told, not sent', async () => {
    await script.answer({ token: 'line\nbreak' });
    const outcome = await readFrom(await open());
    assert.ok(outcome.kind === 'misconfigured');
    assert.match(outcome.message, /no header may hold/);
    assert.doesNotMatch(outcome.message, /break/);
  });

  it('two contexts with the same plugin share its answer', async () => {
    const exec = { apiVersion: execApiVersion, command: script.command, interactiveMode: 'Never' };
    const cluster = { server: proxy.url, 'certificate-authority-data': inline(server.ca) };
    const text = buildKubeconfig({ one: { cluster, user: { exec } }, two: { cluster, user: { exec } } });
    const { clusters, connect } = await openClusters([await folder.write('two', text)]);
    for (const context of ['one', 'two']) {
      const outcome = await connect(context).get({ context, gvr: namespaces, name: 'default' }, noAbort);
      assert.equal(outcome.kind, 'ok');
    }
    assert.equal((await script.runs()).length, 1);
    clusters.dispose();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
