// npm run demo [-- --headless]
// The main job in one command: a real API server with a small shop in it, and VS Code with KubeMerge on it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleExtension } from '../esbuild.mjs';
import type { ApiServer } from '../test/support/apiServer.ts';
import { startApiServer } from '../test/support/apiServer.ts';
import { demoNamespace, seedDemo } from '../test/support/demoSeed.ts';
import { startVsCodeServer } from '../test/support/vscodeServer.ts';
import { progress } from './bootstrap/cache.mjs';
import { playStory } from './demo/story.ts';
import { aborted, endOfScript } from './lifetime.ts';
import { provisionEditor } from './provision/editor.ts';
import { repositoryRoot } from './repository.ts';

const end = endOfScript();
process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { headless: { type: 'boolean', default: false } } });
  await provisionEditor();
  await bundleExtension({ isProduction: false });
  progress('starting an API server with the demo application');
  await using server = await startApiServer({ namespace: demoNamespace });
  const client = server.client();
  await seedDemo(client);
  try {
    if (!values.headless) return await serve(server);
    await playStory(server, client, join(repositoryRoot, 'out', 'demo'), end);
    return end.aborted ? 1 : 0;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    client.close();
  }
}

async function serve(server: ApiServer): Promise<number> {
  progress('starting VS Code');
  await using editor = await startVsCodeServer({
    mode: 'ui',
    extensions: [repositoryRoot],
    env: { KUBECONFIG: server.kubeconfigPath },
  });
  const url = editor.windowUrl([]);
  console.log(`
VS Code:  ${url}

Open the KubeMerge view, expand admin, shop, Workloads, Deployments, and open web.
Be the other person in a second terminal:

  export KUBECONFIG=${server.kubeconfigPath}
  kubectl -n shop label deploy web tier=edge --overwrite    # another field than yours: merges at your save
  kubectl -n shop scale deploy web --replicas=7             # the field that you edit: a conflict

Ctrl+C ends everything.
`);
  showInBrowser(url);
  await aborted(end);
  return 0;
}

/** Opens the user's browser where there is one; the address is printed in any case. */
function showInBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };
  const opener = openers[process.platform];
  if (opener === undefined) return;
  const browser = spawn(opener, [url], { stdio: 'ignore', detached: true });
  browser.on('error', () => undefined);
  browser.unref();
}
