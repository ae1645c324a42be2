// npm run cluster -- --kubeconfig FILE [--seed demo] [--compaction 3s]
// Runs a real API server in the foreground until SIGINT, SIGTERM or the end of the process that started it.
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startApiServer } from '../test/support/apiServer.ts';
import { demoNamespace, seedDemo } from '../test/support/demoSeed.ts';
import { printKubeconfig, writePrivateFile } from '../test/support/kubeconfig.ts';
import { progress } from './bootstrap/cache.mjs';
import { aborted, endOfScript } from './lifetime.ts';
import { userPath } from './repository.ts';

const usage = 'usage: npm run cluster -- --kubeconfig FILE [--seed demo] [--compaction 3s]';
/** First line of the files that this script may overwrite and removes at its end. */
const marker = '# Written by `npm run cluster`; removed when it ends.\n';

const end = endOfScript();
process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    progress(usage);
    return 2;
  }
  const { kubeconfig, seed, compaction } = options;
  const existing = await readFile(kubeconfig, 'utf8').catch(() => '');
  if (existing !== '' && !existing.startsWith(marker)) {
    progress(`${kubeconfig} exists and was not written by this script; name another file`);
    return 2;
  }

  progress('starting the API server');
  const namespace = seed === undefined ? {} : { namespace: demoNamespace };
  await using server = await startApiServer({
    ...namespace,
    ...(compaction === undefined ? {} : { compaction }),
  });
  if (seed !== undefined) {
    const client = server.client();
    await seedDemo(client);
    client.close();
  }
  const { admin = '', viewer = '' } = server.tokens;
  const text = marker + printKubeconfig({ ...server, tokens: { admin, viewer }, ...namespace });
  if (end.aborted) return 0;
  await writePrivateFile(kubeconfig, text);
  console.log(`ready ${server.url} ${kubeconfig}`);

  const failure = await Promise.race([aborted(end).then(() => undefined), failureOf(server)]);
  await server.stop();
  if ((await readFile(kubeconfig, 'utf8').catch(() => '')) === text) await rm(kubeconfig);
  if (failure === undefined) return 0;
  progress(`the API server ended by itself: ${failure}`);
  return 1;
}

function readOptions(): { kubeconfig: string; seed?: string; compaction?: string } | undefined {
  try {
    const { values } = parseArgs({
      options: { kubeconfig: { type: 'string' }, seed: { type: 'string' }, compaction: { type: 'string' } },
    });
    const { kubeconfig, seed, compaction } = values;
    if (kubeconfig === undefined || (seed !== undefined && seed !== 'demo')) return undefined;
    return {
      kubeconfig: userPath(kubeconfig),
      ...(seed === undefined ? {} : { seed }),
      ...(compaction === undefined ? {} : { compaction }),
    };
  } catch {
    return undefined;
  }
}

async function failureOf(server: { readonly failure: string | undefined }): Promise<string> {
  for (;;) {
    if (end.aborted) return 'stopped';
    if (server.failure !== undefined) return server.failure;
    await pause(300);
  }
}
