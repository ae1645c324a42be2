import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';

/** One part of the test run. */
export interface Stage {
  readonly name: string;
  run(context: StageContext): Promise<StageResult>;
}

/** What a stage is given. */
export interface StageContext {
  readonly env: Readonly<Record<string, string>>;
  /** A regular expression: only tests whose titles match run. */
  readonly grep: string | undefined;
  /** Aborts when the whole run is stopped. */
  readonly signal: AbortSignal;
}

/** What a stage came to; a check that is no test suite counts as one. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** Tests that failed at first and were run again, with what they said. */
  readonly retried?: readonly string[];
  readonly output: string;
}

/** A command that passes by its exit status. */
export function checkStage(name: string, script: string, args: readonly string[]): Stage {
  return {
    name,
    run: async ({ env, signal }) => {
      const { code, output } = await runNode([join('node_modules', script), ...args], { env, signal });
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
    },
  };
}

/**
 * Mocha on the tests below a folder; a pending test, a focused test and no test at all are failures.
 *
 * @param options.retries how often a test that fails is run again, for what a real server's or window's timing can fail
 */
export function mochaStage(
  name: string,
  folder: string,
  options: { readonly timeoutMs?: number; readonly retries?: number } = {},
): Stage {
  return {
    name,
    run: async ({ env, grep, signal }) => {
      const temporary = await mkdtemp(join(tmpdir(), 'kubemerge-test-'));
      const counts = join(temporary, 'counts.json');
      try {
        const { code, output } = await runNode(
          [
            join('node_modules', 'mocha', 'bin', 'mocha.js'),
            ...['--reporter', join(repositoryRoot, 'scripts', 'testing', 'countingReporter.mjs')],
            ...['--forbid-only', '--forbid-pending', '--fail-zero'],
            ...(options.timeoutMs === undefined ? [] : ['--timeout', String(options.timeoutMs)]),
            ...(options.retries === undefined ? [] : ['--retries', String(options.retries)]),
            ...(grep === undefined ? [] : ['--grep', grep]),
            `${folder}/**/*.test.ts`,
          ],
          { env: { ...env, KUBEMERGE_TEST_COUNTS: counts }, signal },
        );
        const counted = await readFile(counts, 'utf8').then(
          (text) => JSON.parse(text) as { passed: number; failed: number; retried: string[] },
          () => ({ passed: 0, failed: 1, retried: [] }),
        );
        // Mocha also fails for what no test stands for, such as an unhandled rejection.
        const failed = code === 0 ? counted.failed : Math.max(1, counted.failed);
        return { passed: counted.passed, failed, retried: counted.retried, output };
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
  };
}

function runNode(
  args: readonly string[],
  { env, signal }: Pick<StageContext, 'env' | 'signal'>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: repositoryRoot,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let output = '';
    const append = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', append);
    child.stderr.setEncoding('utf8').on('data', append);
    child.on('error', (error) => {
      if (signal.aborted) resolve({ code: null, output });
      else reject(error);
    });
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}
