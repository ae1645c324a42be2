import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { bundleTests } from '../../scripts/bundle/testBundle.ts';
import { nearestPackageType } from '../../scripts/bundle/packageType.ts';
import { repositoryRoot } from '../../scripts/repository.ts';
import {
  inHostFilesVariable,
  inHostGrepVariable,
  inHostPackagesVariable,
  inHostRetriesVariable,
  type InHostResult,
} from './inHostResult.ts';
import { type InHostRunOptions, runInHost } from './inHostRun.ts';

/** What `runInHostSuite` runs beside the files. */
export interface InHostSuiteOptions extends Pick<InHostRunOptions, 'env' | 'settings' | 'print' | 'signal'> {
  /** The extension under test, built; this project where absent. */
  readonly extension?: string;
  readonly grep?: string;
  /** How often a test that fails is run again; never where absent. */
  readonly retries?: number;
  readonly deadlineMs?: number;
}

/**
 * Runs files inside one real VS Code: mocha files, or modules that export `run(): Promise<void>`.
 *
 * @param files TypeScript or JavaScript; CommonJS is loaded as it is, the rest is bundled to it
 */
export function runInHostSuite(files: readonly string[], options: InHostSuiteOptions): Promise<InHostResult> {
  return withInHostRunner(files, options, ({ runner, env }) =>
    runInHost({
      ...options,
      runner,
      env,
      extension: options.extension ?? repositoryRoot,
      deadlineMs: options.deadlineMs ?? 25 * 60_000,
    }),
  );
}

/** What an extension host needs to run test files: VS Code's `extensionTestsPath` and the environment. */
export interface InHostRunner {
  readonly runner: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Prepares files for an extension host, for as long as `use` takes. */
export async function withInHostRunner<T>(
  files: readonly string[],
  options: Pick<InHostSuiteOptions, 'env' | 'grep' | 'retries'>,
  use: (prepared: InHostRunner) => Promise<T>,
): Promise<T> {
  const outFolder = join(repositoryRoot, 'out');
  await mkdir(outFolder, { recursive: true });
  // Below the project, so that the packages of the bundles are found.
  const folder = await mkdtemp(join(outFolder, 'in-host-'));
  try {
    const entries: Record<string, string> = { runner: join(import.meta.dirname, 'inHostRunner.ts') };
    const loaded: string[] = [];
    for (const [index, file] of files.entries()) {
      if (await isCommonJs(file)) {
        loaded.push(file);
        continue;
      }
      const name = `${String(index)}-${basename(file, extname(file))}`;
      entries[name] = file;
      loaded.push(join(folder, `${name}.cjs`));
    }
    await bundleTests(entries, folder);
    const runner = join(folder, 'runner.cjs');
    const env = {
      ...options.env,
      [inHostFilesVariable]: JSON.stringify(loaded),
      [inHostGrepVariable]: options.grep ?? '',
      [inHostRetriesVariable]: String(options.retries ?? 0),
      [inHostPackagesVariable]: join(repositoryRoot, 'node_modules'),
    };
    return await use({ runner, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isCommonJs(file: string): Promise<boolean> {
  const extension = extname(file);
  return extension === '.cjs' || (extension === '.js' && (await nearestPackageType(file)) !== 'module');
}
