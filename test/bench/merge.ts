import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provisionKubectl } from '../../scripts/provision/kubectl.ts';
import { openClusters } from '../cluster/openClusters.ts';
import { startApiServer } from '../support/apiServer.ts';
import { ApiTypes } from '../support/lostUpdates/apiTypes.ts';
import { type Played, playScenario } from '../support/lostUpdates/playScenario.ts';
import { readScenarios } from '../support/lostUpdates/scenarios.ts';
import { setUpCluster } from '../support/lostUpdates/setUpCluster.ts';
import type { Tool } from '../support/lostUpdates/tool.ts';
import { conditionalPut } from '../support/lostUpdates/tools/conditionalPut.ts';
import { indexMerge } from '../support/lostUpdates/tools/indexMerge.ts';
import { kubectlApply } from '../support/lostUpdates/tools/kubectlApply.ts';
import { kubectlEdit } from '../support/lostUpdates/tools/kubectlEdit.ts';
import { kubemerge } from '../support/lostUpdates/tools/kubemerge.ts';
import { patchTools } from '../support/lostUpdates/tools/patches.ts';
import type { Verdict } from '../support/lostUpdates/verdict.ts';
import type { Figure } from './figure.ts';

/** How many scenarios are played at a time: mostly they wait for the server or for kubectl. */
const atATime = 3;

const verdicts: readonly Verdict[] = ['right', 'refused', 'lost', 'corrupted'];

/**
 * Two writers, one object, a real API server: what becomes of both changes with each tool. The right result
 * of each scenario is written by hand in test/data/lostUpdates.
 */
export async function run(): Promise<readonly Figure[]> {
  const binary = await provisionKubectl();
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-bench-'));
  await using server = await startApiServer();
  const client = server.client();
  const opened = await openClusters([server.kubeconfigPath]);
  try {
    await setUpCluster(client);
    const kubectl = { binary, kubeconfig: server.kubeconfigPath, folder };
    const tools = [
      kubectlEdit(kubectl),
      kubectlApply(kubectl, false),
      kubectlApply(kubectl, true),
      ...patchTools,
      conditionalPut,
      indexMerge,
      kubemerge(opened.connect('admin')),
    ];
    const scenarios = readScenarios();
    const types = new ApiTypes(client);
    const figures: Figure[] = [];
    console.log(printRow('', [...verdicts]));
    for (const tool of tools) {
      const played = await inParallel(scenarios, (scenario) =>
        playScenario(tool, { client, types, scenario }),
      );
      const counts = countVerdicts(played);
      console.log(
        printRow(
          tool.name,
          verdicts.map((verdict) => String(counts[verdict])),
        ),
      );
      const titled = played.map((one, index) => [scenarios[index]?.title ?? '', describe(one)] as const);
      figures.push(figureOf(tool, counts, scenarios.length, Object.fromEntries(titled)));
    }
    return figures;
  } finally {
    opened.clusters.dispose();
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function figureOf(
  { name }: Tool,
  counts: Readonly<Record<Verdict, number>>,
  all: number,
  scenarios: Readonly<Record<string, string>>,
): Figure {
  return {
    name,
    value: counts.right,
    unit: 'right',
    against: `${String(all)} scenarios of two writers`,
    details: { ...counts, scenarios },
  };
}

function countVerdicts(played: readonly Played[]): Readonly<Record<Verdict, number>> {
  const count = (wanted: Verdict): number => played.filter(({ verdict }) => verdict === wanted).length;
  return {
    right: count('right'),
    refused: count('refused'),
    lost: count('lost'),
    corrupted: count('corrupted'),
  };
}

/** The verdict, and what went wrong where something did. */
function describe({ verdict, details }: Played): string {
  return verdict === 'right' ? verdict : `${verdict}: ${details.slice(0, 300)}`;
}

function printRow(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join('')}`;
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const next = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, next));
  return results;
}
