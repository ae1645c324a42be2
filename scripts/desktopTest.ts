// npm run desktop-test -- --entry FILE [--kubeconfig FILE] [--executable PATH]
// The same as `npm run editor-test`, in a desktop VS Code: the one named, else one that is downloaded. It needs a display.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { bundleExtension } from '../esbuild.mjs';
import { progress } from './bootstrap/cache.mjs';
import { withInHostRunner } from '../test/support/inHostSuite.ts';
import { editorFolderVariable } from '../test/support/inHostResult.ts';
import { repositoryRoot, userPath } from './repository.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      entry: { type: 'string' },
      kubeconfig: { type: 'string' },
      executable: { type: 'string' },
    },
  });
  if (values.entry === undefined) {
    progress('usage: npm run desktop-test -- --entry FILE [--kubeconfig FILE] [--executable PATH]');
    return 2;
  }
  await bundleExtension({ isProduction: false });
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-desktop-'));
  try {
    const kubeconfig = values.kubeconfig === undefined ? {} : { KUBECONFIG: userPath(values.kubeconfig) };
    return await withInHostRunner([userPath(values.entry)], { env: kubeconfig }, ({ runner, env }) =>
      runTests({
        extensionDevelopmentPath: repositoryRoot,
        extensionTestsPath: runner,
        extensionTestsEnv: { ...env, [editorFolderVariable]: folder },
        ...(values.executable === undefined ? {} : { vscodeExecutablePath: values.executable }),
      }),
    );
  } catch (error) {
    progress(
      `the desktop VS Code did not run the tests: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
