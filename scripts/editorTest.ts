// npm run editor-test -- --entry FILE [--kubeconfig FILE] [--grep REGEXP]
// Runs FILE inside a real VS Code with the built extension: a mocha file, or a module that exports run().
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundleExtension } from '../esbuild.mjs';
import { startApiServer } from '../test/support/apiServer.ts';
import { demoNamespace, seedDemo } from '../test/support/demoSeed.ts';
import { runInHostSuite } from '../test/support/inHostSuite.ts';
import { progress } from './bootstrap/cache.mjs';
import { endOfScript } from './lifetime.ts';
import { userPath } from './repository.ts';

const end = endOfScript();
process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    progress('usage: npm run editor-test -- --entry FILE [--kubeconfig FILE] [--grep REGEXP]');
    return 2;
  }
  for (const path of [options.entry, options.kubeconfig]) {
    if (path === undefined || existsSync(path)) continue;
    progress(`${path} does not exist`);
    return 2;
  }
  await bundleExtension({ isProduction: false });
  if (options.kubeconfig !== undefined) return runEntry(options.entry, options.kubeconfig, options.grep);
  progress('starting an API server with the demo application');
  await using server = await startApiServer({ namespace: demoNamespace });
  const client = server.client();
  await seedDemo(client);
  client.close();
  return await runEntry(options.entry, server.kubeconfigPath, options.grep);
}

async function runEntry(entry: string, kubeconfig: string, grep?: string): Promise<number> {
  progress('starting VS Code');
  const { passed, failures } = await runInHostSuite([entry], {
    env: { KUBECONFIG: kubeconfig },
    print: (line) => console.log(line),
    signal: end,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const { title, message } of failures) console.error(`FAILED ${title}\n${message}`);
  console.log(`${String(passed)} passed, ${String(failures.length)} failed`);
  return failures.length === 0 && passed > 0 ? 0 : 1;
}

function readOptions(): { entry: string; kubeconfig?: string; grep?: string } | undefined {
  try {
    const { values } = parseArgs({
      options: { entry: { type: 'string' }, kubeconfig: { type: 'string' }, grep: { type: 'string' } },
    });
    const { entry, kubeconfig, grep } = values;
    if (entry === undefined) return undefined;
    return {
      entry: userPath(entry),
      ...(kubeconfig === undefined ? {} : { kubeconfig: userPath(kubeconfig) }),
      ...(grep === undefined ? {} : { grep }),
    };
  } catch {
    return undefined;
  }
}
