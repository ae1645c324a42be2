import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltinTypes, printBuiltinTypes, readBuiltinTypes } from '../../scripts/builtinTypes.ts';
import { repositoryRoot } from '../../scripts/repository.ts';
import type { Json } from '../../src/core/json.ts';
import { sharedApiServer } from '../support/sharedApiServer.ts';

describe('the built-in types, against the API server', () => {
  const path = join(repositoryRoot, 'src/core/merge/builtinTypes.json');
  let served: BuiltinTypes;

  before(async () => {
    const { client } = await sharedApiServer();
    const admin = client();
    served = await readBuiltinTypes(async (url) => (await admin.get(url)) as Json);
  });

  it('are what the server describes; else run: node scripts/run.mjs generateBuiltinTypes', () => {
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), served);
  });

  it('stay small enough for the bundle', () => {
    assert.ok(JSON.stringify(served).length < 64_000);
  });

  it('are printed in one form', () => {
    assert.equal(readFileSync(path, 'utf8'), printBuiltinTypes(served));
  });
});
