import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { environmentForNestedNpm } from '../../scripts/bootstrap/command.mjs';

const run = promisify(execFile);
const part = 'probe-1';

describe('provisioning into the cache', function () {
  this.timeout(60_000);
  let cache = '';
  const below = (...names: readonly string[]): string => join(cache, 'kubemerge', ...names);

  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'kubemerge-cache-'));
  });
  afterEach(() => {
    rmSync(cache, { recursive: true, force: true });
  });

  /** Provisions a part in a process of its own; its `make` appends a line to makes.txt. */
  async function provision(make = ''): Promise<{ folder: string; progress: string }> {
    const library = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap', 'cache.mjs');
    const source = `
      import { provision } from ${JSON.stringify(library)};
      import { appendFileSync, writeFileSync } from 'node:fs';
      const folder = await provision({
        name: 'probe', version: '1', proof: 'proof.txt', reason: 'a test wants it',
        make: async (folder) => {
          appendFileSync(${JSON.stringify(join(cache, 'makes.txt'))}, 'made\\n');
          ${make}
          writeFileSync(folder + '/proof.txt', '');
        },
      });
      console.log(folder);`;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', source], {
      env: { ...process.env, XDG_CACHE_HOME: cache },
    });
    return { folder: stdout.trim(), progress: stderr };
  }

  function makes(): number {
    return readFileSync(join(cache, 'makes.txt'), 'utf8').trim().split('\n').length;
  }

  it('makes a part once and says why', async () => {
    const first = await provision();
    assert.equal(first.folder, below(part));
    assert.match(first.progress, /a test wants it/);
    const second = await provision();
    assert.deepEqual(second, { folder: first.folder, progress: '' });
    assert.equal(makes(), 1);
  });

  it('makes it once for two processes that want it at the same time', async () => {
    const slowly = 'await new Promise((done) => setTimeout(done, 300));';
    const [one, other] = await Promise.all([provision(slowly), provision(slowly)]);
    assert.equal(one.folder, other.folder);
    assert.equal(makes(), 1);
  });

  it('starts again after an attempt that was interrupted', async () => {
    await assert.rejects(provision('process.kill(process.pid, "SIGKILL");'));
    const { folder, progress } = await provision();
    assert.match(progress, /interrupted/);
    assert.deepEqual(
      readdirSync(below()).filter((name) => name.startsWith('probe')),
      [part],
    );
    assert.ok(readdirSync(folder).includes('proof.txt'));
  });

  it('leaves nothing of an attempt that failed', async () => {
    await assert.rejects(provision('throw new Error("no network");'), /no network/);
    assert.deepEqual(readdirSync(below()), []);
  });

  it('makes a part anew whose stamp or content is missing', async () => {
    mkdirSync(below(part), { recursive: true });
    writeFileSync(below(part, 'proof.txt'), '');
    assert.match((await provision()).progress, /damaged/);
    rmSync(below(part, 'proof.txt'));
    assert.match((await provision()).progress, /damaged/);
    assert.equal(makes(), 2);
  });
});

describe('an npm that provisioning runs', () => {
  it('does not take the Node of the npm that started it for its own', () => {
    const env = environmentForNestedNpm({
      npm_config_user_agent: 'npm/11.0.0 node/v20.0.0 linux x64',
      npm_node_execpath: '/usr/bin/node',
      npm_package_name: 'kubemerge',
      npm_config_registry: 'kept',
      HOME: 'kept',
    });
    assert.deepEqual(
      Object.entries(env).filter(([key]) => key !== 'npm_config_nodedir'),
      [
        ['npm_config_registry', 'kept'],
        ['HOME', 'kept'],
      ],
    );
  });
});
