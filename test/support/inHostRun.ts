import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from './browser.ts';
import { inHostLineMark, type InHostResult, inHostResultName } from './inHostResult.ts';
import { startVsCodeServer } from './vscodeServer.ts';

/** What is run inside a real extension host. */
export interface InHostRunOptions {
  /** A CommonJS file with `run()`, as `extensionTestsPath` wants it; it writes an InHostResult. */
  readonly runner: string;
  /** The extension under test, built. */
  readonly extension: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Receives what the tests print. */
  readonly print: (line: string) => void;
  /** Longest run, in ms. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Runs tests inside a real VS Code; the extension is loaded as one in development. */
export async function runInHost(options: InHostRunOptions): Promise<InHostResult> {
  await using server = await startVsCodeServer({
    mode: 'inHost',
    env: options.env,
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  });
  const browser = await launchBrowser(server.bed.chromium);
  try {
    // Small, since nobody looks at it and drawing it is most of the work.
    const page = await browser.newPage({ viewport: { width: 800, height: 450 } });
    let end: (failure?: string) => void = () => undefined;
    const ended = new Promise<string | undefined>((resolve) => {
      end = resolve;
    });
    await page.exposeFunction('codeAutomationLog', (_kind: string, args: readonly unknown[]) => {
      const line = format(...args);
      if (line.startsWith(inHostLineMark)) options.print(line.slice(inHostLineMark.length));
    });
    await page.exposeFunction('codeAutomationExit', () => {
      end();
    });
    const timer = setTimeout(() => {
      end(`the tests did not end within ${String(options.deadlineMs / 1000)} s`);
    }, options.deadlineMs);
    const onAbort = (): void => {
      end('stopped');
    };
    options.signal?.addEventListener('abort', onAbort);
    page.on('crash', () => {
      end('the window crashed');
    });
    const remote = (path: string): string => `vscode-remote://127.0.0.1:${String(server.port)}${path}`;
    await page.goto(
      server.windowUrl([
        ['extensionDevelopmentPath', remote(options.extension)],
        ['extensionTestsPath', remote(options.runner)],
        // Each request is logged: a test looks whether a value of a Secret is among it.
        ['logLevel', 'kubemerge.kubemerge=trace'],
      ]),
    );
    const failure = await ended;
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    return await readResult(join(server.folder, inHostResultName), failure);
  } finally {
    await browser.close();
  }
}

async function readResult(path: string, failure: string | undefined): Promise<InHostResult> {
  if (failure !== undefined)
    return { passed: 0, failures: [{ title: 'in-host run', message: failure }], retried: [] };
  try {
    return JSON.parse(await readFile(path, 'utf8')) as InHostResult;
  } catch (error) {
    return {
      passed: 0,
      failures: [{ title: 'in-host run', message: `it left no result: ${String(error)}` }],
      retried: [],
    };
  }
}
