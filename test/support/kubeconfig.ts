import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';

/** What a kubeconfig with one cluster and a context for each user says. */
export interface KubeconfigContent {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Context and user name to bearer token; the first is the current context. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly clusterName?: string;
  /** Of every context. */
  readonly namespace?: string;
}

/** Prints a kubeconfig that needs no other file. */
export function printKubeconfig(content: KubeconfigContent): string {
  const cluster = content.clusterName ?? 'kubemerge-test';
  const names = Object.keys(content.tokens);
  const namespace = content.namespace === undefined ? {} : { namespace: content.namespace };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: {
          server: content.url,
          'certificate-authority-data': Buffer.from(content.ca).toString('base64'),
        },
      },
    ],
    users: names.map((name) => ({ name, user: { token: content.tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster, user: name, ...namespace } })),
    'current-context': names[0],
  });
}

/** Writes a file that holds credentials: whole or not at all, readable by its owner only. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${String(process.pid)}.tmp`;
  await writeFile(partial, text, { mode: 0o600 });
  await rename(partial, path);
}
