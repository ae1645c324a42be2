// node scripts/run.mjs generateBuiltinTypes: writes src/core/merge/builtinTypes.json anew, from a running API server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../src/core/json.ts';
import { startApiServer } from '../test/support/apiServer.ts';
import { printBuiltinTypes, readBuiltinTypes } from './builtinTypes.ts';
import { repositoryRoot } from './repository.ts';

const server = await startApiServer();
try {
  const client = server.client();
  const types = await readBuiltinTypes(async (path) => (await client.get(path)) as Json);
  writeFileSync(join(repositoryRoot, 'src/core/merge/builtinTypes.json'), printBuiltinTypes(types));
} finally {
  await server.stop();
}
