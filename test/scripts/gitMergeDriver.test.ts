import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/repository.ts';

const deployment = (image: string, replicas: number, sidecar = ''): string => `# the shop's front
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${String(replicas)}
  template:
    spec:
      containers:
${sidecar}      - name: app # ours
        image: ${image}
`;
const sidecar = '      - image: proxy:1\n        name: proxy\n';

describe('npm run merge as a git merge driver, set up as the README says', function () {
  this.timeout(60_000);
  let repository: string;

  function git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com'];
    return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', stdio: 'pipe' });
  }

  function commit(text: string, message: string): void {
    writeFileSync(join(repository, 'web.yaml'), text);
    git('add', '.');
    git('commit', '--quiet', '--message', message);
  }

  /** Merges branch `other` into `main`. @returns git's exit status and the file's text */
  function merge(): { readonly status: number | null; readonly text: string; readonly said: string } {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, 'merge', '--no-edit', 'other'], {
      cwd: repository,
      encoding: 'utf8',
    });
    return { status, text: readFileSync(join(repository, 'web.yaml'), 'utf8'), said: stdout + stderr };
  }

  /** Two branches that grew from one text. */
  function diverge(base: string | undefined, mine: string, live: string): void {
    git('add', '.gitattributes');
    git('commit', '--quiet', '--message', 'the driver');
    if (base !== undefined) commit(base, 'base');
    git('checkout', '--quiet', '-b', 'other');
    commit(live, 'live');
    git('checkout', '--quiet', 'main');
    commit(mine, 'mine');
  }

  beforeEach(() => {
    // A space in the path, as in many a home folder.
    repository = mkdtempSync(join(tmpdir(), 'kubemerge git '));
    git('init', '--quiet', '--initial-branch=main');
    const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
    const setup = /As a git merge driver[^`]*```sh\n(?<commands>[^`]*)```/.exec(readme)?.groups?.['commands'];
    assert.ok(setup, 'the README has no setup of the driver');
    const commands = setup.replace('/path/to/kubemerge', repositoryRoot);
    execFileSync('sh', ['-ec', commands], { cwd: repository, stdio: 'pipe' });
  });
  afterEach(() => {
    rmSync(repository, { recursive: true, force: true });
  });

  it('A14: merges by field and by list key what git alone would call a conflict', () => {
    diverge(deployment('web:1', 3), deployment('web:2', 3), deployment('web:1', 5, sidecar));
    const { status, text, said } = merge();
    assert.equal(status, 0, said);
    assert.equal(text, deployment('web:2', 5, sidecar));
    assert.equal(git('status', '--porcelain'), '');
  });

  it('A2: leaves a real conflict unmerged, with markers around it and all else merged', () => {
    diverge(deployment('web:1', 3), deployment('web:2', 3), deployment('web:9', 5));
    const { status, text, said } = merge();
    assert.equal(status, 1, said);
    assert.match(
      text,
      /<<<<<<< mine\n +image: web:2\n\|\|\|\|\|\|\| base\n +image: web:1\n=======\n +image: web:9\n>>>>>>> live\n/,
    );
    assert.match(text, /replicas: 5/);
    assert.equal(git('status', '--porcelain'), 'UU web.yaml\n');
  });

  it('merges a file that both branches added', () => {
    diverge(undefined, deployment('web:1', 3), deployment('web:1', 3, sidecar));
    const { status, text, said } = merge();
    assert.equal(status, 0, said);
    assert.equal(text, deployment('web:1', 3, sidecar));
  });

  it('leaves a file that is no single object as mine, unmerged, and says why', () => {
    const two = (image: string): string => `${deployment(image, 3)}---\n${deployment(image, 1)}`;
    diverge(two('web:1'), two('web:2'), two('web:9'));
    const { status, text, said } = merge();
    assert.equal(status, 1);
    assert.equal(text, two('web:2'));
    assert.match(said, /one object only/);
    assert.equal(git('status', '--porcelain'), 'UU web.yaml\n');
  });
});
