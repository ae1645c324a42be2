import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleExtension } from '../../esbuild.mjs';
import { makeFolder } from '../cluster/openClusters.ts';
import { startApiServer } from '../support/apiServer.ts';
import { runInHostSuite } from '../support/inHostSuite.ts';
import { type SharedServerRecord, sharedServerVariable } from '../support/sharedApiServer.ts';
import { type Figure, median } from './figure.ts';
import { type StaleMarkTask, staleMarkVariable } from './host/staleMarkTask.ts';

const rounds = 100;

/**
 * How long after a bare watch's line the extension says that the object is stale. Both watch the same object on the
 * same server, inside one extension host; the mark is timed where the extension tells of it, before anything is drawn.
 */
export async function run(): Promise<readonly Figure[]> {
  await using server = await startApiServer();
  const folder = await makeFolder();
  try {
    const client = server.client();
    const collection = '/api/v1/namespaces/default/configmaps';
    await client.create(collection, { metadata: { name: 'watched' }, data: { round: '0', mine: 'a' } });
    client.close();
    const { url, caPath, kubeconfigPath, tokens } = server;
    const record: SharedServerRecord = { url, caPath, kubeconfigPath, tokens };
    const result = join(folder.path, 'delays.json');
    const place = { namespace: 'default', group: '', version: 'v1', resource: 'configmaps' };
    const task: StaleMarkTask = {
      ref: { context: 'admin', ...place, name: 'watched' },
      path: `${collection}/watched`,
      rounds,
      result,
    };
    await bundleExtension({ isProduction: false });
    const { failures } = await runInHostSuite([join(import.meta.dirname, 'host', 'staleMark.ts')], {
      env: {
        KUBECONFIG: kubeconfigPath,
        [sharedServerVariable]: await folder.write('server.json', JSON.stringify(record)),
        [staleMarkVariable]: JSON.stringify(task),
      },
      print: (line) => {
        console.log(line);
      },
    });
    const [failure] = failures;
    if (failure !== undefined) throw new Error(`${failure.title}: ${failure.message}`);
    const delays = JSON.parse(await readFile(result, 'utf8')) as readonly number[];
    return [
      {
        name: 'stale mark behind the line of a bare watch, median, in the extension host',
        value: median(delays),
        unit: 'ms',
        goal: 5,
      },
    ];
  } finally {
    await folder.remove();
  }
}
