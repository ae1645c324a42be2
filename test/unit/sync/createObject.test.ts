import assert from 'node:assert/strict';
import type { Outcome, WriteOutcome } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { ResourceRef } from '../../../src/core/resource/resourceRef.ts';
import { createObject } from '../../../src/sync/createObject.ts';

const ref: ResourceRef = {
  context: 'dev',
  namespace: 'shop',
  gvr: { group: '', version: 'v1', resource: 'secrets' },
  name: 'keys',
};
const sent: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', annotations: {} },
  stringData: { word: 'hunter2' },
};
const stored: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', namespace: 'shop', uid: 'u', resourceVersion: '1' },
  data: { word: 'aHVudGVyMg==' },
  type: 'Opaque',
};

/** Creates on a server that answers so, and tells how often it was written to and read. */
async function create(
  write: WriteOutcome,
  get: Outcome<JsonObject>,
): Promise<{ kind: string; asked: string }> {
  const asked: string[] = [];
  const cluster = {
    write: (): Promise<WriteOutcome> => {
      asked.push('write');
      return Promise.resolve(write);
    },
    get: (): Promise<Outcome<JsonObject>> => {
      asked.push('get');
      return Promise.resolve(get);
    },
  };
  const signal = new AbortController().signal;
  const { kind } = await createObject(cluster, ref, sent, { context: 'dev' }, signal);
  return { kind, asked: asked.join(' ') };
}

describe('createObject', () => {
  const lost: WriteOutcome = { kind: 'unknown', message: 'The connection was lost.' };
  const absent: Outcome<JsonObject> = { kind: 'notFound', message: 'none' };

  it('reads after a lost answer, and never sends again', async () => {
    assert.deepEqual(await create(lost, { kind: 'ok', value: stored }), {
      kind: 'created',
      asked: 'write get',
    });
    assert.deepEqual(await create(lost, absent), { kind: 'notSent', asked: 'write get' });
    const unread: Outcome<JsonObject> = { kind: 'interrupted', message: 'again' };
    assert.deepEqual(await create(lost, unread), { kind: 'unknown', asked: 'write get' });
  });

  it('takes what someone else has made for theirs', async () => {
    const other = { ...stored, data: { word: 'b3RoZXI=' } };
    assert.deepEqual(await create(lost, { kind: 'ok', value: other }), {
      kind: 'alreadyExists',
      asked: 'write get',
    });
  });

  it('tells of an object that exists, and repeats nothing', async () => {
    for (const kind of ['alreadyExists', 'notSent'] as const) {
      assert.deepEqual(await create({ kind, message: 'so' }, absent), { kind, asked: 'write' });
    }
  });
});
