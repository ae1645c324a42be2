import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TerminalProgram } from '../../src/sync/signInPort.ts';
import { type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { execApiVersion } from './execScripts.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

describe('a sign-in in a terminal', () => {
  let server: SharedApiServer;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const opened: OpenClusters[] = [];
  before(async () => {
    server = await sharedApiServer();
  });
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    for (const { clusters } of opened.splice(0)) clusters.dispose();
    await folder.remove();
  });

  /** A plugin that asks for a word before it gives its credential. */
  async function open(exec: Readonly<Record<string, unknown>> = {}) {
    const credential = {
      kind: 'ExecCredential',
      apiVersion: execApiVersion,
      status: { token: server.tokens.admin },
    };
    await folder.write(
      'ask.sh',
      `#!/bin/sh
case "$KUBERNETES_EXEC_INFO" in *'"interactive":true'*) ;; *) exit 4;; esac
printf 'Word for %s: ' "$1" >&2
read -r word
test "$word" = open || { echo 'wrong' >&2; exit 3; }
cat <<END
${JSON.stringify(credential)}
END
`,
      0o700,
    );
    const whole = {
      apiVersion: execApiVersion,
      command: './ask.sh',
      args: ['the gate'],
      interactiveMode: 'Always',
      ...exec,
    };
    const cluster = { server: server.url, 'certificate-authority-data': inline(server.ca) };
    const config = buildKubeconfig({ x: { cluster, user: { exec: whole } } });
    const one = await openClusters([await folder.write('config', config)]);
    opened.push(one);
    return one;
  }

  /** Runs the program as a terminal does, and types a line. */
  async function runWith({ command, args, env }: TerminalProgram, typed: string) {
    const child = spawn(command, args, { env: { ...process.env, ...env } });
    child.stdin.end(`${typed}\n`);
    const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    return { stdout, stderr };
  }

  const readFrom = (one: OpenClusters) =>
    one.connect('x').get({ context: 'x', gvr: namespaces, name: 'default' }, noAbort);

  async function begin(one: OpenClusters) {
    const begun = await one.clusters.beginSignIn('x');
    assert.ok(begun.kind === 'ok');
    return begun.value;
  }

  it('lets the plugin ask, keeps its credential off the screen, and has all that waited try again', async () => {
    const one = await open();
    const refused = await readFrom(one);
    assert.ok(refused.kind === 'unauthenticated');
    assert.match(refused.message, /asks for a terminal: run “KubeMerge: Sign In in a Terminal…”$/);
    let tries = 0;
    one.clusters.onDidChange(() => tries++);
    await using signIn = await begin(one);
    const { stdout, stderr } = await runWith(signIn.program, 'open');
    assert.deepEqual(await signIn.done, { kind: 'ok', value: undefined });
    assert.equal(stdout, '');
    assert.match(stderr, /^Word for the gate: \nSigned in\./);
    assert.equal(tries, 1);
    assert.equal((await readFrom(one)).kind, 'ok');
  });

  it('that fails is told; the next one may work', async () => {
    const one = await open({ installHint: 'Ask the doorman.' });
    {
      await using signIn = await begin(one);
      const { stderr } = await runWith(signIn.program, 'sesame');
      assert.match(stderr, /wrong\n\nNot signed in\./);
      const done = await signIn.done;
      assert.ok(done.kind === 'unauthenticated');
      assert.match(done.message, /ask\.sh failed \(exit code 3\)\. Ask the doorman\.$/);
    }
    assert.equal((await readFrom(one)).kind, 'unauthenticated');
    await using again = await begin(one);
    await runWith(again.program, 'open');
    assert.equal((await again.done).kind, 'ok');
  });

  it('D5: of a plugin that is not there names it', async () => {
    const one = await open({ command: './none.sh' });
    await using signIn = await begin(one);
    await runWith(signIn.program, '');
    const done = await signIn.done;
    assert.ok(done.kind === 'misconfigured');
    assert.match(done.message, /none\.sh does not exist/);
  });

  it('that is given up leaves nothing behind, and tells a late program so', async () => {
    const one = await open();
    const signIn = await begin(one);
    await signIn[Symbol.asyncDispose]();
    assert.deepEqual(await signIn.done, { kind: 'aborted' });
    const [program = ''] = signIn.program.args;
    assert.equal(existsSync(dirname(program)), false);
  });

  it('gives nothing to a program that does not know the word', async () => {
    const one = await open();
    await using signIn = await begin(one);
    const [path = ''] = Object.values(signIn.program.env).at(-1)?.split('\n') ?? [];
    const { connect } = await import('node:net');
    const socket = connect(path);
    socket.write('guess\n');
    assert.equal(await readAll(socket), '');
    await runWith(signIn.program, 'open');
    assert.equal((await signIn.done).kind, 'ok');
  });

  it('is refused where there is nothing to run', async () => {
    const never = await (await open({ interactiveMode: 'Never' })).clusters.beginSignIn('x');
    assert.ok(never.kind === 'misconfigured');
    assert.match(never.message, /never asks/);
    const unknown = await opened[0]?.clusters.beginSignIn('none');
    assert.ok(unknown?.kind === 'misconfigured');
  });
});
