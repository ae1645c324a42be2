// The entry that VS Code calls inside its extension host; bundled to CommonJS before that.
import { writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import {
  editorFolderVariable,
  inHostFilesVariable,
  inHostGrepVariable,
  inHostLineMark,
  inHostRetriesVariable,
  inHostPackagesVariable,
  type InHostResult,
  inHostResultName,
} from './inHostResult.ts';

/** Runs mocha files, and modules that export `run()`; nothing run is a failure. */
export async function run(): Promise<void> {
  const folder = process.env[editorFolderVariable] ?? '';
  process.setSourceMapsEnabled(true);
  markPrintedLines();
  findPackages();
  const result = await runFiles().catch((error: unknown) => ({
    passed: 0,
    failures: [failureOf('loading', error)],
    retried: [],
  }));
  writeFileSync(join(folder, inHostResultName), JSON.stringify(result));
  if (result.failures.length > 0) throw new Error(`${String(result.failures.length)} failed`);
}

async function runFiles(): Promise<InHostResult> {
  const files = JSON.parse(process.env[inHostFilesVariable] ?? '[]') as string[];
  const grep = process.env[inHostGrepVariable];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    color: false,
    reporter: 'spec',
    retries: Number(process.env[inHostRetriesVariable] ?? 0),
    ...(grep === undefined || grep === '' ? {} : { grep: new RegExp(grep) }),
  });
  const load = createRequire(__filename);
  const runs: { file: string; run: () => unknown }[] = [];
  for (const file of files) {
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
    const loaded = load(file) as { run?: unknown; default?: { run?: unknown } } | undefined;
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
    const exported = loaded?.run ?? loaded?.default?.run;
    if (typeof exported === 'function') runs.push({ file, run: exported as () => unknown });
  }

  let passed = 0;
  const failures: InHostResult['failures'][number][] = [];
  const retried: string[] = [];
  for (const { file, run: runModule } of runs) {
    try {
      await runModule();
      passed += 1;
    } catch (error) {
      console.error(error);
      failures.push(failureOf(file, error));
    }
  }
  if (mocha.suite.total() > 0) {
    await new Promise<void>((resolve) => {
      mocha
        .run(() => {
          resolve();
        })
        .on('pass', () => (passed += 1))
        .on('retry', (test: Mocha.Test, error: Error) =>
          retried.push(`${test.fullTitle()}: ${error.message.split('\n', 1)[0] ?? ''}`),
        )
        .on('fail', (test, error) => failures.push(failureOf(test.fullTitle(), error)));
    });
  }
  if (passed === 0 && failures.length === 0) {
    failures.push(failureOf('in-host tests', new Error(`no test was run in ${files.join(', ')}`)));
  }
  return { passed, failures, retried };
}

/** Lets test files that lie elsewhere use this project's packages; the editor drops NODE_PATH at its start. */
function findPackages(): void {
  process.env.NODE_PATH = process.env[inHostPackagesVariable];
  (Module as { _initPaths?: () => void })._initPaths?.();
}

function markPrintedLines(): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const print = console[method].bind(console);
    // Assigning does nothing: the extension host has made accessors of these.
    Object.defineProperty(console, method, {
      value: (...values: unknown[]) => {
        print(`${inHostLineMark}${format(...values)}`);
      },
    });
  }
  // mocha took its own copy when it was loaded.
  Mocha.reporters.Base.consoleLog = console.log;
}

function failureOf(title: string, error: unknown): InHostResult['failures'][number] {
  return { title, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
