import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { bundleTest } from '../../scripts/bundle/testBundle.ts';
import { nearestPackageType } from '../../scripts/bundle/packageType.ts';
import { repositoryRoot } from '../../scripts/repository.ts';
import {
  inHostFilesVariable,
  inHostGrepVariable,
  inHostPackagesVariable,
  type InHostResult,
} from './inHostResult.ts';
import { type InHostRunOptions, runInHost } from './inHostRun.ts';

/** What `runInHostSuite` runs beside the files. */
export interface InHostSuiteOptions extends Pick<InHostRunOptions, 'env' | 'settings' | 'print' | 'signal'> {
  /** The extension under test, built; this project where absent. */
  readonly extension?: string;
  readonly grep?: string;
  readonly deadlineMs?: number;
}

/**
 * Runs files inside one real VS Code: mocha files, or modules that export `run(): Promise<void>`.
 *
 * @param files TypeScript or JavaScript; CommonJS is loaded as it is, the rest is bundled to it
 */
export async function runInHostSuite(
  files: readonly string[],
  options: InHostSuiteOptions,
): Promise<InHostResult> {
  const outFolder = join(repositoryRoot, 'out');
  await mkdir(outFolder, { recursive: true });
  // Below the project, so that the packages of the bundles are found.
  const folder = await mkdtemp(join(outFolder, 'in-host-'));
  try {
    const loaded: string[] = [];
    for (const [index, file] of files.entries()) {
      if (await isCommonJs(file)) {
        loaded.push(file);
        continue;
      }
      const bundle = join(folder, `${String(index)}-${basename(file, extname(file))}.cjs`);
      await bundleTest(file, bundle);
      loaded.push(bundle);
    }
    const runner = join(folder, 'runner.cjs');
    await bundleTest(join(import.meta.dirname, 'inHostRunner.ts'), runner);
    return await runInHost({
      ...options,
      runner,
      extension: options.extension ?? repositoryRoot,
      deadlineMs: options.deadlineMs ?? 10 * 60_000,
      env: {
        ...options.env,
        [inHostFilesVariable]: JSON.stringify(loaded),
        [inHostGrepVariable]: options.grep ?? '',
        [inHostPackagesVariable]: join(repositoryRoot, 'node_modules'),
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isCommonJs(file: string): Promise<boolean> {
  const extension = extname(file);
  return extension === '.cjs' || (extension === '.js' && (await nearestPackageType(file)) !== 'module');
}
