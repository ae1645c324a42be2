import { readFileSync } from 'node:fs';
import { ApiClient } from './apiClient.ts';
import { type ApiServer, startApiServer } from './apiServer.ts';

/** The API server that a whole test run shares; tests keep apart by namespaces of their own. */
export type SharedApiServer = Pick<
  ApiServer,
  'url' | 'ca' | 'caPath' | 'kubeconfigPath' | 'tokens' | 'client'
>;

/** Names a file with a `SharedServerRecord`: the server that the test runner has started. */
export const sharedServerVariable = 'KUBEMERGE_TEST_SERVER';

/** What a test process needs to know of a server that another process runs. */
export type SharedServerRecord = Pick<ApiServer, 'url' | 'caPath' | 'kubeconfigPath' | 'tokens'>;

let started: Promise<SharedApiServer> | undefined;

/** @returns the test runner's server, or where there is none, one that ends with this process */
export function sharedApiServer(): Promise<SharedApiServer> {
  return (started ??= findOrStart());
}

/** Makes a new, empty namespace in the shared server. */
export async function createNamespace(client: ApiClient, prefix = 'test'): Promise<string> {
  const made = (await client.create('/api/v1/namespaces', { metadata: { generateName: `${prefix}-` } })) as {
    metadata: { name: string };
  };
  return made.metadata.name;
}

async function findOrStart(): Promise<SharedApiServer> {
  const path = process.env[sharedServerVariable];
  if (path === undefined || path === '') return startApiServer();
  const record = JSON.parse(readFileSync(path, 'utf8')) as SharedServerRecord;
  const ca = readFileSync(record.caPath, 'utf8');
  return {
    ...record,
    ca,
    client: (user = 'admin') => {
      const token = record.tokens[user];
      if (token === undefined) throw new Error(`the shared server has no user ${user}`);
      return new ApiClient({ url: record.url, ca, token });
    },
  };
}
