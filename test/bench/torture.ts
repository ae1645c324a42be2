import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleExtension } from '../../esbuild.mjs';
import { repositoryRoot } from '../../scripts/repository.ts';
import { startApiServer } from '../support/apiServer.ts';
import { FaultProxy, type RecordedRequest } from '../support/faultProxy.ts';
import { runInHostSuite } from '../support/inHostSuite.ts';
import { printKubeconfig, writePrivateFile } from '../support/kubeconfig.ts';
import { bindUser } from '../support/rbac.ts';
import { createNamespace } from '../support/sharedApiServer.ts';
import type { Figure, ScenarioOptions } from './figure.ts';
import { audit, type Evidence, type Finding, type SentPut } from './torture/audit.ts';
import { makeChance } from './torture/chance.ts';
import { contestedObjects } from './torture/fields.ts';
import { layFaults } from './torture/faults.ts';
import type { UserEntry, WriterEntry } from './torture/journal.ts';
import { planVariable, type TorturePlan } from './torture/plan.ts';
import { WatchHistory } from './torture/watchHistory.ts';
import { runWriter } from './torture/writers.ts';

const contexts = ['alice', 'bob'];
const writerCount = 4;

/**
 * Writers change fields of the same objects through the API while scripted users edit and save them in a real
 * VS Code, with faults in between. Then the server's own history is read against what each of them said.
 *
 * @throws Error where anything was lost, or a PUT went out without its precondition; out/torture/ has the evidence
 */
export async function run({
  seconds = 120,
  seed = Date.now() % 1_000_000,
}: ScenarioOptions): Promise<readonly Figure[]> {
  await bundleExtension({ isProduction: false });
  await using server = await startApiServer({ users: contexts });
  await using proxy = await FaultProxy.start({ target: server });
  const client = server.client();
  for (const user of contexts) await bindUser(client, user, 'cluster-admin');
  const namespace = await createNamespace(client, 'torture');
  const objects = contestedObjects(namespace);
  for (const { collection, body } of objects) await client.create(collection, body);
  await using history = await WatchHistory.start(server, objects);

  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-torture-'));
  const journalPath = join(folder, 'users.jsonl');
  const kubeconfig = join(folder, 'config');
  const tokens = Object.fromEntries(contexts.map((name) => [name, server.tokens[name] ?? '']));
  await writePrivateFile(kubeconfig, printKubeconfig({ url: proxy.url, ca: server.ca, tokens, namespace }));
  await writeFile(journalPath, '');
  const plan: TorturePlan = { namespace, contexts, seconds, seed, journalPath };

  const arrivals = new Map<RecordedRequest, number>();
  proxy.inject(
    (request) => {
      arrivals.set(request, Date.now());
      return false;
    },
    { kind: 'cutBefore' },
  );
  const end = new AbortController();
  const writers: WriterEntry[] = [];
  const others = Array.from({ length: writerCount }, (_item, index) =>
    runWriter({
      actor: index + 1,
      client,
      objects,
      chance: makeChance(seed + index),
      signal: end.signal,
      entries: writers,
    }),
  );
  const faults = layFaults(proxy, makeChance(seed + 100), end.signal);
  try {
    const result = await runInHostSuite([join(import.meta.dirname, 'torture', 'users.ts')], {
      env: { KUBECONFIG: kubeconfig, [planVariable]: JSON.stringify(plan) },
      print: (line) => {
        console.log(`  ${line}`);
      },
      deadlineMs: (seconds + 180) * 1000,
    });
    end.abort();
    await Promise.all(others);
    const faultCount = await faults;
    // A write whose client is gone may still be under way.
    await pause(2000);
    await history.settle();
    const users = (await readFile(journalPath, 'utf8'))
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');
    const evidence: Evidence = {
      versions: history.versions,
      writers,
      users: users.map((line) => JSON.parse(line) as UserEntry),
      puts: proxy.recorded('PUT').map((request) => toPut(request, tokens, arrivals.get(request) ?? 0)),
    };
    const findings = audit(evidence);
    await keepEvidence(evidence, findings, seed);
    if (result.failures.length > 0) throw new Error(result.failures.map(({ message }) => message).join('\n'));
    const figures = summarize(evidence, findings, faultCount);
    if (findings.length > 0) {
      const list = findings.slice(0, 20).map(({ kind, message }) => `${kind}: ${message}`);
      throw new Error(`seed ${seed}: ${findings.length} findings, all in out/torture/\n${list.join('\n')}`);
    }
    return figures;
  } finally {
    end.abort();
    await Promise.allSettled([...others, faults]);
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function toPut(request: RecordedRequest, tokens: Readonly<Record<string, string>>, atMs: number): SentPut {
  const { metadata = {} } = JSON.parse(request.body) as {
    readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string };
  };
  const user = contexts.find((name) => request.headers.authorization === `Bearer ${tokens[name] ?? ''}`);
  return {
    user: user ?? 'nobody',
    object: request.path.split('?')[0] ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    uid: metadata.uid ?? '',
    isDryRun: new URLSearchParams(request.path.split('?')[1]).get('dryRun') === 'All',
    status: request.status,
    atMs,
  };
}

function summarize(
  { versions, puts, writers, users }: Evidence,
  findings: readonly Finding[],
  faults: number,
): readonly Figure[] {
  const ended = users.filter((entry) => entry.kind === 'saveEnded');
  const count = (name: string, value: number): Figure => ({ name, value, unit: 'count' });
  return [
    count('versions in the history', versions.length),
    count('changes by the writers', writers.length),
    count('saves', ended.filter(({ result }) => result === 'committed').length),
    count(
      'saves that merged',
      ended.filter(({ result, message }) => result === 'committed' && message.includes('Merged in')).length,
    ),
    count('conflicts told', ended.filter(({ result }) => result === 'conflict').length),
    count('saves not known to have landed', ended.filter(({ result }) => result === 'unknown').length),
    count('choices over the other side', users.filter(({ kind }) => kind === 'keptMine').length),
    count('merge editors accepted', users.filter(({ kind }) => kind === 'mergeAccepted').length),
    count('saves taken back', users.filter(({ kind }) => kind === 'undoneSave').length),
    count(
      'dry runs shown',
      users.filter((entry) => entry.kind === 'dryRun' && entry.result === 'previewed').length,
    ),
    count('PUTs', puts.filter(({ isDryRun }) => !isDryRun).length),
    count('faults', faults),
    { ...count('lost', findings.length), goal: 0 },
  ];
}

async function keepEvidence(evidence: Evidence, findings: readonly Finding[], seed: number): Promise<void> {
  const folder = join(repositoryRoot, 'out', 'torture');
  await mkdir(folder, { recursive: true });
  const versions = evidence.versions.map(({ fields, ...rest }) => ({
    ...rest,
    fields: Object.fromEntries(fields),
  }));
  const text = JSON.stringify({ seed, findings, ...evidence, versions }, null, 1);
  await writeFile(join(folder, 'evidence.json'), text);
}
