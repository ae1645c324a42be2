import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { provisionKubectl } from '../../scripts/provision/kubectl.ts';
import { expandKind, type ExpandedKind } from '../support/expandedTree.ts';
import { type ApiServer, startApiServer } from '../support/apiServer.ts';
import { type Figure, median } from './figure.ts';

const objectCount = 10_000;
const rounds = 5;

/** The tree on 10,000 ConfigMaps of one namespace, against kubectl and against a plain request. */
export async function run(): Promise<readonly Figure[]> {
  const server = await startApiServer();
  try {
    await fill(server);
    const kubectl = await provisionKubectl();
    const names = (): Promise<unknown> =>
      promisify(execFile)(
        kubectl,
        ['--kubeconfig', server.kubeconfigPath, 'get', 'configmaps', '-n', 'big', '-o', 'name'],
        { maxBuffer: 64 * 1024 * 1024 },
      );
    const times: Record<'first' | 'all' | 'kubectl' | 'raw', number[]> = {
      first: [],
      all: [],
      kubectl: [],
      raw: [],
    };
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      times.kubectl.push(await time(names));
      times.raw.push(await time(() => fetchRaw(server)));
      using kind = await expandKind(server.kubeconfigPath, 'big', 'Config', 'ConfigMap');
      times.first.push(kind.firstMs);
      times.all.push(kind.allMs);
      bytes = kind.bytes;
    }
    const first = median(times.first);
    const all = median(times.all);
    const ratio = (name: string, value: number, against: string, goal?: number): Figure => ({
      name,
      value,
      unit: 'ratio',
      against,
      ...(goal === undefined ? {} : { goal }),
    });
    const kubectlWords = 'kubectl get configmaps -o name, whole';
    return [
      ratio('first rows of 10,000 ConfigMaps', first / median(times.kubectl), kubectlWords, 1 / 20),
      ratio('all 10,000 ConfigMaps', all / median(times.kubectl), kubectlWords, 1 / 5),
      ratio('all 10,000 ConfigMaps', all / median(times.raw), 'one plain https request for the same Table'),
      { name: 'first rows of 10,000 ConfigMaps', value: first, unit: 'ms' },
      { name: 'all 10,000 ConfigMaps', value: all, unit: 'ms' },
      { name: 'kubectl get configmaps -o name', value: median(times.kubectl), unit: 'ms' },
      { name: 'answers with all rows, decompressed', value: bytes / 1024, unit: 'KB' },
      await heapFigure(server),
    ];
  } finally {
    await server.stop();
  }
}

async function fill(server: ApiServer): Promise<void> {
  const client = server.client();
  await client.create('/api/v1/namespaces', { metadata: { name: 'big' } });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objectCount) {
      const name = `config-${String(next++).padStart(5, '0')}`;
      await client.create('/api/v1/namespaces/big/configmaps', {
        metadata: { name, labels: { app: 'shop' } },
        data: { 'app.conf': 'a = b\n'.repeat(60) },
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  client.close();
}

function fetchRaw(server: ApiServer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL('/api/v1/namespaces/big/configmaps', server.url),
      {
        ca: server.ca,
        headers: {
          authorization: `Bearer ${server.tokens.admin ?? ''}`,
          accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
        },
      },
      (response) => {
        response.resume();
        response.once('end', resolve);
        response.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}

/** What one expanded row costs in the extension host, above the tree without it. */
async function heapFigure(server: ApiServer): Promise<Figure> {
  const kinds: ExpandedKind[] = [];
  const before = usedHeap();
  const trees = 3;
  for (let index = 0; index < trees; index++) {
    kinds.push(await expandKind(server.kubeconfigPath, 'big', 'Config', 'ConfigMap'));
  }
  const bytes = (usedHeap() - before) / (trees * objectCount);
  for (const kind of kinds) kind[Symbol.dispose]();
  return { name: 'heap of a tree object', value: bytes / 1024, unit: 'KB', goal: 1 };
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
