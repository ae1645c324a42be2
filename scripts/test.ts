// npm test [-- STAGE… [--grep REGEXP]]: checks and tests; all of them where none is named.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleExtension } from '../esbuild.mjs';
import { startApiServer } from '../test/support/apiServer.ts';
import { seedDemo } from '../test/support/demoSeed.ts';
import { type SharedServerRecord, sharedServerVariable } from '../test/support/sharedApiServer.ts';
import { progress } from './bootstrap/cache.mjs';
import { provisionOldestHostNode } from './bootstrap/node.mjs';
import { endOfScript } from './lifetime.ts';
import { provisionEditor } from './provision/editor.ts';
import { provisionKubectl } from './provision/kubectl.ts';
import { inHostStage } from './testing/inHostStage.ts';
import { checkStage, mochaStage, type Stage, type StageResult } from './testing/stage.ts';

// Two lanes go side by side, each with one stage that drives an editor and mostly waits for it.
const lanes: readonly (readonly Stage[])[] = [
  [
    inHostStage,
    checkStage('types', 'typescript/bin/tsc', ['--noEmit', '-p', '.']),
    checkStage('lint', 'eslint/bin/eslint.js', ['.']),
    checkStage('format', 'prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
    checkStage('unused', 'knip/bin/knip.js', []),
    mochaStage('unit', 'test/unit'),
  ],
  [
    mochaStage('ui', 'test/editor/ui', { timeoutMs: 90_000, retries: 1 }),
    mochaStage('cluster', 'test/cluster', { retries: 1 }),
    mochaStage('scripts', 'test/scripts'),
  ],
];
const groups: Readonly<Record<string, readonly string[]>> = {
  checks: ['types', 'lint', 'format', 'unused'],
  editor: ['in-host', 'ui'],
};
const needingServer = ['cluster', 'in-host', 'ui'];
const needingEditor = ['in-host', 'ui'];

const end = endOfScript();
process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = readWanted();
  if (wanted === undefined) return 2;
  const { names, grep } = wanted;
  const startedAt = Date.now();

  if (needingEditor.some((name) => names.includes(name))) await provisionEditor();
  if (names.includes('cluster')) await provisionKubectl();
  if (names.includes('scripts')) await provisionOldestHostNode();
  if ([...needingEditor, 'scripts'].some((name) => names.includes(name)))
    await bundleExtension({ isProduction: false });

  const results = needingServer.some((name) => names.includes(name))
    ? await withSharedServer((env) => runLanes(names, env, grep))
    : await runLanes(names, {}, grep);

  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  progress(`all stages: ${seconds(startedAt)} s`);
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  return failed === 0 && passed > 0 && !end.aborted ? 0 : 1;
}

function readWanted(): { names: readonly string[]; grep: string | undefined } | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  const known = lanes.flat().map((stage) => stage.name);
  const names = positionals.flatMap((name) => groups[name] ?? [name]);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    progress(
      `no such stage: ${unknown.join(', ')}; there are ${[...known, ...Object.keys(groups)].join(', ')}`,
    );
    return undefined;
  }
  return { names: names.length === 0 ? known : names, grep: values.grep };
}

async function withSharedServer<T>(run: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  await using server = await startApiServer();
  const client = server.client();
  await seedDemo(client);
  client.close();
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-test-'));
  try {
    const { url, caPath, kubeconfigPath, tokens } = server;
    const path = join(folder, 'server.json');
    const record: SharedServerRecord = { url, caPath, kubeconfigPath, tokens };
    await writeFile(path, JSON.stringify(record), { mode: 0o600 });
    return await run({ [sharedServerVariable]: path, KUBECONFIG: kubeconfigPath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runLanes(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
  grep: string | undefined,
): Promise<readonly StageResult[]> {
  const runLane = async (lane: readonly Stage[]): Promise<StageResult[]> => {
    const results: StageResult[] = [];
    for (const stage of lane) {
      if (names.includes(stage.name) && !end.aborted) results.push(await runStage(stage, env, grep));
    }
    return results;
  };
  return (await Promise.all(lanes.map(runLane))).flat();
}

async function runStage(
  stage: Stage,
  env: Readonly<Record<string, string>>,
  grep: string | undefined,
): Promise<StageResult> {
  const startedAt = Date.now();
  progress(`${stage.name}: started`);
  const result = await stage.run({ env, grep, signal: end }).catch((error: unknown): StageResult => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  for (const test of result.retried ?? []) console.log(`run a second time: ${test}`);
  if (result.failed > 0) console.log(`\n===== ${stage.name} =====\n${result.output.trim()}\n`);
  console.log(
    `${stage.name}: ${String(result.passed)} passed, ${String(result.failed)} failed (${seconds(startedAt)} s)`,
  );
  return result;
}

function seconds(startedAt: number): string {
  return ((Date.now() - startedAt) / 1000).toFixed(0);
}
