import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClustersOptions, createClusters } from '../../src/cluster/clusters.ts';
import type { SecretStore } from '../../src/cluster/secretStore.ts';
import { systemClock } from '../../src/cluster/systemClock.ts';
import type { RequestLogEntry } from '../../src/cluster/transport.ts';
import type { Disposable } from '../../src/core/lifecycle.ts';
import type { ClusterPort, ClustersPort } from '../../src/sync/clusterPort.ts';
import type { SignInPort } from '../../src/sync/signInPort.ts';

/** A signal that nobody aborts. */
export const noAbort = new AbortController().signal;

export interface OpenClusters {
  readonly clusters: ClustersPort & SignInPort & Disposable;
  readonly requests: RequestLogEntry[];
  /** @throws Error where the kubeconfig has no such context */
  readonly connect: (context: string) => ClusterPort;
}

/** The cluster layer as the extension sets it up, on these kubeconfig files. */
export async function openClusters(
  kubeconfigPaths: readonly string[],
  options: Partial<ClustersOptions> = {},
): Promise<OpenClusters> {
  const requests: RequestLogEntry[] = [];
  const clusters = createClusters({
    env: () => ({ PATH: process.env.PATH }),
    platform: process.platform,
    homeDir: homedir(),
    kubeconfigPaths: () => kubeconfigPaths,
    clock: systemClock,
    readOnlyReason: () => undefined,
    secrets: memorySecrets(),
    protectedReason: () => undefined,
    onRequest: (entry) => requests.push(entry),
    ...options,
  });
  await clusters.reload();
  return {
    clusters,
    requests,
    connect: (context) => {
      const cluster = clusters.connect(context);
      if (cluster === undefined) throw new Error(`no context ${context}`);
      return cluster;
    },
  };
}

/** A secret store as VS Code's, in memory. */
export function memorySecrets(entries = new Map<string, string>()): SecretStore {
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    store: (key, value) => {
      entries.set(key, value);
      return Promise.resolve();
    },
  };
}

/** A folder of its own for one test's files; `remove` takes it away. */
export async function makeFolder(): Promise<{
  readonly path: string;
  readonly write: (name: string, text: string, mode?: number) => Promise<string>;
  readonly remove: () => Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'kubemerge-'));
  return {
    path,
    write: async (name, text, mode = 0o600) => {
      const file = join(path, name);
      await writeFile(file, text, { mode });
      return file;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
