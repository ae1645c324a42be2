import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleExtension } from '../../esbuild.mjs';
import { repositoryRoot } from '../../scripts/repository.ts';
import { loadBundles } from '../support/bundleLoader.ts';
import { runInHostSuite } from '../support/inHostSuite.ts';
import { printKubeconfig, writePrivateFile } from '../support/kubeconfig.ts';
import { resultVariable } from './activation/resultVariable.ts';
import { type Figure, median, timePair } from './figure.ts';

const rounds = 15;
const windows = 3;
const contexts = 200;

/** As one imports the client without a second thought; it is used, so that the bundler keeps it. */
const plainEntry = `
import * as client from '@kubernetes/client-node';
export * from './src/extension.ts';
export const used = Object.keys(client);
`;

/**
 * What activation costs: loading the bundle in fresh processes, beside the same source bundled as one file with the
 * whole Kubernetes client; and all of `activate` in a real extension host, with a kubeconfig of many contexts.
 */
export async function run(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-activation-'));
  try {
    const { files } = await bundleExtension({ isProduction: true, outFolder: folder });
    const eager = files.filter(({ path, isLazy }) => path.endsWith('.cjs') && !isLazy);
    const eagerKb = eager.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
    const plainKb = await bundlePlainly(join(folder, 'plain.cjs'));
    const [ours, plain]: [number[], number[]] = [[], []];
    await timePair(
      rounds,
      () => ours.push(loadBundles(process.execPath, folder, ['extension.cjs']).loadMs),
      () => plain.push(loadBundles(process.execPath, folder, ['plain.cjs']).loadMs),
    );
    const against = 'one plain bundle with the whole Kubernetes client';
    const [oursMs, plainMs] = [median(ours), median(plain)];
    return [
      { name: 'size loaded at activation', value: eagerKb / plainKb, unit: 'ratio', against },
      {
        name: 'time to load it',
        value: oursMs / plainMs,
        unit: 'ratio',
        against,
        details: { oursMs, plainMs },
      },
      { name: 'the plain bundle', value: plainKb, unit: 'KB' },
      { name: 'loaded at activation', value: eagerKb, unit: 'KB', goal: 300 },
      { name: 'loading it in a fresh process', value: oursMs, unit: 'ms' },
      {
        name: `activation in a real extension host, ${contexts} contexts, loading included`,
        value: await timeActivation(folder),
        unit: 'ms',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the size of the bundle in KB */
async function bundlePlainly(outfile: string): Promise<number> {
  const { metafile } = await build({
    stdin: { contents: plainEntry, resolveDir: repositoryRoot },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
}

/** The median over fresh windows, in ms. */
async function timeActivation(folder: string): Promise<number> {
  const kubeconfig = join(folder, 'config');
  const tokens = Object.fromEntries(
    Array.from({ length: contexts }, (_item, index) => [`context-${index}`, `token-${index}`]),
  );
  await writePrivateFile(
    kubeconfig,
    printKubeconfig({ url: 'https://127.0.0.1:1', ca: '', tokens, namespace: 'default' }),
  );
  await bundleExtension({ isProduction: true });
  const times: number[] = [];
  const result = join(folder, 'activation.txt');
  for (let window = 0; window < windows; window++) {
    const { failures } = await runInHostSuite(
      [join(import.meta.dirname, 'activation', 'timeActivation.ts')],
      {
        env: { KUBECONFIG: kubeconfig, [resultVariable]: result },
        print: () => undefined,
      },
    );
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
    times.push(Number(await readFile(result, 'utf8')));
  }
  return median(times);
}
