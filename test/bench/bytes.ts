import { execFile } from 'node:child_process';
import { createServer, connect, type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { provisionKubectl } from '../../scripts/provision/kubectl.ts';
import type { ClusterPort, ListContent } from '../../src/sync/clusterPort.ts';
import { configMaps, openFixture } from '../cluster/clusterFixture.ts';
import { makeFolder, noAbort, openClusters } from '../cluster/openClusters.ts';
import type { Figure, ScenarioOptions } from './figure.ts';
import { type Chance, makeChance } from './torture/chance.ts';

const objects = 1_000;
const keys = Array.from({ length: 40 }, (_item, index) => `setting.number.${index}`);

/** Bytes that a list takes on the wire, encrypted, handshake included: ours against `kubectl get -o json`. */
export async function run({ seed = 1 }: ScenarioOptions): Promise<readonly Figure[]> {
  const chance = makeChance(seed);
  await using fixture = await openFixture();
  const { server, namespace, other } = fixture;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (let index = 0; index < objects; index++) {
    const data = { 'app.conf': settingsFile(chance) };
    await other.create(path, { metadata: { name: `settings-${index}`, labels: { app: 'shop' } }, data });
  }
  await using wire = await countingRelay(new URL(server.url));
  const folder = await makeFolder();
  try {
    const text = await readFile(server.kubeconfigPath, 'utf8');
    const kubeconfig = await folder.write('config', text.replaceAll(server.url, wire.url));
    const kubectl = await provisionKubectl();
    const env = { ...process.env, HOME: folder.path, KUBECONFIG: kubeconfig };
    const args = ['get', 'configmaps', '--namespace', namespace, '-o', 'json'];
    // Its first run asks for what the server serves; that is kept, and not counted.
    await promisify(execFile)(kubectl, args, { env, maxBuffer: 1 << 28 });
    wire.take();
    await promisify(execFile)(kubectl, args, { env, maxBuffer: 1 << 28 });
    const kubectlBytes = wire.take();

    const figures: Figure[] = [];
    for (const content of ['rows', 'full'] as const) {
      const { connect: open, clusters } = await openClusters([kubeconfig]);
      await listAll(open('admin'), namespace, content);
      clusters.dispose();
      figures.push({
        name: `bytes on the wire, ${objects} ConfigMaps of 1 KB as ${content === 'rows' ? 'rows of the tree' : 'whole objects'}`,
        value: wire.take() / kubectlBytes,
        unit: 'ratio',
        against: `kubectl get -o json (${Math.round(kubectlBytes / 1024)} KB)`,
        ...(content === 'rows' ? { goal: 1 } : {}),
      });
    }
    return figures;
  } finally {
    await folder.remove();
  }
}

/** About 1 KB, half of it keys that all files share and half values that none does. */
function settingsFile(chance: Chance): string {
  return keys.map((key) => `${key} = ${chance.between(0, 1).toString(36).slice(2)}\n`).join('');
}

async function listAll(cluster: ClusterPort, namespace: string, content: ListContent): Promise<void> {
  let continueToken: string | undefined;
  do {
    const page = await cluster.list(
      { context: 'admin', namespace, gvr: configMaps },
      { content, limit: 500, ...(continueToken === undefined ? {} : { continueToken }) },
      noAbort,
    );
    if (page.kind !== 'ok') throw new Error(`no list: ${page.kind}`);
    continueToken = page.value.continueToken;
  } while (continueToken !== undefined);
}

/** Hands bytes on to the server and counts them, both ways. */
async function countingRelay(
  target: URL,
): Promise<AsyncDisposable & { readonly url: string; take(): number }> {
  let bytes = 0;
  const relay = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${String(port)}`,
    take: () => {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        relay.close(() => {
          resolve();
        });
      }),
  };
}
