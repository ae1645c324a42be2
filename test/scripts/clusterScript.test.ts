import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { provisionKubectl } from '../../scripts/provision/kubectl.ts';
import { repositoryRoot } from '../../scripts/repository.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

describe('npm run cluster', function () {
  this.timeout(120_000);
  let folder = '';
  /** The clusters' temporary files go here, so that what is left behind shows. */
  let temporary = '';
  const started: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubemerge-script-'));
    temporary = mkdtempSync(join(folder, 'tmp-'));
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param launcher a command that starts npm in turn */
  async function startCluster(
    kubeconfig: string,
    args: readonly string[] = [],
    launcher: readonly string[] = [],
  ) {
    const command = [...launcher, 'npm', 'run', 'cluster', '--', '--kubeconfig', kubeconfig, ...args];
    const child = spawn(command[0] ?? '', command.slice(1), {
      cwd: repositoryRoot,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const [, url, path] = /^ready (https:\/\/127\.0\.0\.1:\d+) (.+)$/.exec(line) ?? [];
      if (url !== undefined && path !== undefined) return { child, url, kubeconfig: path };
    }
    throw new Error('the cluster did not start');
  }

  /** npm keeps a cache of its own there. */
  function leftBehind(): readonly string[] {
    return readdirSync(temporary).filter((name) => name.startsWith('kubemerge-'));
  }

  async function kubectl(kubeconfig: string, ...args: readonly string[]): Promise<string> {
    const home = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig };
    return (await run(await provisionKubectl(), args, { env: home })).stdout;
  }

  it('runs two beside each other that kubectl can use, and ends them on a signal without a trace', async () => {
    const [one, other] = await Promise.all([
      startCluster(join(folder, 'one'), ['--seed', 'demo']),
      startCluster(join(folder, 'other')),
    ]);
    assert.notEqual(one.url, other.url);
    const version = JSON.parse(await kubectl(one.kubeconfig, 'version', '-o', 'json')) as {
      serverVersion: { gitVersion: string };
    };
    assert.match(version.serverVersion.gitVersion, /^v1\.\d+\.\d+/);
    assert.match(await kubectl(one.kubeconfig, 'get', 'deployments', '-o', 'name'), /deployment\.apps\/web/);
    assert.match(
      await kubectl(one.kubeconfig, '--context', 'viewer', 'get', 'discounts', '-o', 'name'),
      /winter-sale/,
    );
    await assert.rejects(kubectl(one.kubeconfig, '--context', 'viewer', 'get', 'secrets'), /Forbidden/);
    await assert.rejects(
      kubectl(one.kubeconfig, '--context', 'viewer', 'delete', 'deployment', 'web'),
      /Forbidden/,
    );
    assert.doesNotMatch(await kubectl(other.kubeconfig, 'get', 'namespaces', '-o', 'name'), /shop/);

    const exits = Promise.all([once(one.child, 'exit'), once(other.child, 'exit')]);
    one.child.kill('SIGINT');
    other.child.kill('SIGTERM');
    assert.deepEqual(await exits, [
      [0, null],
      [0, null],
    ]);
    assert.deepEqual(leftBehind(), []);
    assert.ok(!existsSync(one.kubeconfig) && !existsSync(other.kubeconfig));
  });

  it('ends when the process that started it is killed', async () => {
    const launcher = [
      process.execPath,
      '--eval',
      `const [command, ...args] = process.argv.slice(1); require('node:child_process').spawn(command, args, { stdio: 'inherit' });`,
    ];
    const { child, url, kubeconfig } = await startCluster(join(folder, 'kubeconfig'), [], launcher);
    child.kill('SIGKILL');
    await until(() => leftBehind().length === 0 && !existsSync(kubeconfig));
    await assert.rejects(fetch(url), /fetch failed/);
  });

  it('does not overwrite a kubeconfig that it did not write', async () => {
    const path = join(folder, 'mine');
    writeFileSync(path, 'apiVersion: v1\n');
    await assert.rejects(startCluster(path), /did not start/);
  });
});
