import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { type CachePart, isProvisioned, partFolder, progress, provision } from '../bootstrap/cache.mjs';
import { runCommand } from '../bootstrap/command.mjs';
import { findInPath } from './debianPackages.ts';
import { repositoryRoot } from '../repository.ts';

/** Binaries that make an API server. */
export type ApiServerBinaries =
  /** etcd and kube-apiserver in one process: test/apiserver. */
  | { readonly kind: 'combined'; readonly binary: string }
  | { readonly kind: 'separate'; readonly etcd: string; readonly kubeApiserver: string };

/**
 * Finds or makes the API server's binaries: `KUBEBUILDER_ASSETS`, then the cache, then the envtest archive,
 * then a Go build of test/apiserver.
 *
 * @throws {Error} none of these can be had; the message says why for each
 */
export async function provisionApiServer(): Promise<ApiServerBinaries> {
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (assets !== undefined && assets !== '') return separateIn(assets, 'KUBEBUILDER_ASSETS');

  const built = goBuild();
  if (isProvisioned(built)) return combinedIn(partFolder(built));
  const downloaded = envtestArchive();
  if (isProvisioned(downloaded)) return separateIn(partFolder(downloaded), 'the cache');

  try {
    return separateIn(await provision(downloaded), 'the envtest archive');
  } catch (error) {
    progress(`apiserver: the envtest archive cannot be had (${messageOf(error)}); trying a Go build`);
  }
  if (findInPath('go') === undefined) {
    throw new Error(
      'An API server is needed: install Go, or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver.',
    );
  }
  return combinedIn(await provision(built));
}

function separateIn(folder: string, origin: string): ApiServerBinaries {
  const etcd = join(folder, 'etcd');
  const kubeApiserver = join(folder, 'kube-apiserver');
  for (const binary of [etcd, kubeApiserver]) {
    if (!existsSync(binary)) throw new Error(`${binary} is missing (folder from ${origin})`);
  }
  return { kind: 'separate', etcd, kubeApiserver };
}

function combinedIn(folder: string): ApiServerBinaries {
  return { kind: 'combined', binary: join(folder, 'apiserver') };
}

function goBuild(): CachePart {
  const source = join(repositoryRoot, 'test', 'apiserver');
  const files = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(source, name), 'utf8'));
  const version = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(files[1] ?? '');
  if (version === null) throw new Error('test/apiserver/go.mod names no version of k8s.io/kubernetes');
  const [, full, major, minor] = version;
  const stamp = 'k8s.io/component-base/version';
  // Without the version kubectl refuses the server.
  const linkerFlags = `-s -w -X ${stamp}.gitVersion=${full} -X ${stamp}.gitMajor=${major} -X ${stamp}.gitMinor=${minor}`;
  return {
    name: 'apiserver',
    version: createHash('sha256').update(files.join('\0')).update(linkerFlags).digest('hex').slice(0, 12),
    proof: 'apiserver',
    reason: `Go builds Kubernetes ${full} with etcd for the tests; about 4 minutes where nothing is built yet`,
    make: async (folder) => {
      await runCommand(
        'go',
        ['build', '-trimpath', `-ldflags=${linkerFlags}`, '-o', join(folder, 'apiserver'), '.'],
        { cwd: source, env: { ...process.env, CGO_ENABLED: '0' }, title: 'go build test/apiserver' },
      );
    },
  };
}

const envtestVersion = 'v1.36.2';
const envtestIndex =
  'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/main/envtest-releases.yaml';

function envtestArchive(): CachePart {
  const cpu = arch() === 'x64' ? 'amd64' : arch();
  const file = `envtest-${envtestVersion}-${platform()}-${cpu}.tar.gz`;
  return {
    name: 'envtest',
    version: envtestVersion,
    proof: 'kube-apiserver',
    reason: 'downloading etcd and kube-apiserver for the tests',
    make: async (folder) => {
      const index = await (await download(envtestIndex)).text();
      const listed = index.slice(index.indexOf(`${file}:`) + file.length);
      const [, hash, url] = /^:\s+hash: ([0-9a-f]{128})\s+selfLink: (https:\/\/\S+)/.exec(listed) ?? [];
      if (hash === undefined || url === undefined) throw new Error(`its index does not list ${file}`);
      const bytes = Buffer.from(await (await download(url)).arrayBuffer());
      if (createHash('sha512').update(bytes).digest('hex') !== hash) throw new Error(`${file} is corrupt`);
      const archive = join(folder, file);
      await writeFile(archive, bytes);
      await runCommand('tar', ['-xzf', archive, '--strip-components=2', '-C', folder], { title: 'tar' });
      for (const binary of ['etcd', 'kube-apiserver']) await chmod(join(folder, binary), 0o755);
    },
  };
}

/** Gives up on a connection after 5 s, so that a machine without a way out goes on soon. */
async function download(url: string): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => {
    patience.abort(new Error('no answer within 5 s'));
  }, 5_000);
  try {
    const reply = await fetch(url, { signal: patience.signal });
    if (!reply.ok) throw new Error(`${url} answered ${String(reply.status)}`);
    return reply;
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
