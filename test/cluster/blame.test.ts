import assert from 'node:assert/strict';
import { type Json, memberAt } from '../../src/core/json.ts';
import { findBlame } from '../../src/core/merge/blame.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { diffObjects } from '../../src/core/merge/diff.ts';
import { printFieldPath } from '../../src/core/merge/fieldPath.ts';
import { toEditable } from '../../src/core/resource/editableObject.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { applyFieldEdits, readMergeObject } from '../support/mergeCases.ts';
import { createNamespace, sharedApiServer } from '../support/sharedApiServer.ts';

describe('findBlame, against the API server’s managedFields', () => {
  const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
  let client: ApiClient;
  let path: string;
  let created: Json;

  beforeEach(async () => {
    client = (await sharedApiServer()).client();
    const namespace = await createNamespace(client, 'blame');
    const object = applyFieldEdits(readMergeObject('deployment'), { 'metadata.namespace': namespace });
    const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    created = (await client.create(`${collection}?fieldManager=maker`, object)) as Json;
    path = `${collection}/web`;
  });

  /** Each change since the object was made, and who is blamed for it. */
  async function blames(): Promise<Record<string, string | undefined>> {
    const live = (await client.get(path)) as Json;
    const [before, after] = [created, live].map((object) => memberAt(object, 'metadata', 'managedFields'));
    const editable = (object: Json): Json => toEditable(object as never, { hasStatusSubresource: true });
    return Object.fromEntries(
      diffObjects(editable(created), editable(live), schema).map((change) => [
        printFieldPath(change.path),
        findBlame(after, before, change.path)?.manager,
      ]),
    );
  }

  it('names the writer of each field, of added elements and of parts of them', async () => {
    await client.patch(path, { spec: { replicas: 7 } }, 'scaler');
    await client.patch(path, { metadata: { annotations: { 'example.com/seen': 'yes' } } }, 'watcher');
    const live = (await client.get(path)) as never;
    const edited = applyFieldEdits(live, {
      'spec.template.spec.containers[name=app].image': 'web:2',
      'spec.template.spec.containers[name=app].ports[containerPort=53,protocol=UDP].name': 'dns2',
      'spec.template.spec.containers[name=proxy]@0': { name: 'proxy', image: 'proxy:1' },
    });
    await client.replace(`${path}?fieldManager=editor`, edited);
    assert.deepEqual(await blames(), {
      'metadata.annotations[example.com/seen]': 'watcher',
      'spec.replicas': 'scaler',
      'spec.template.spec.containers[name=app].image': 'editor',
      'spec.template.spec.containers[name=app].ports[containerPort=53,protocol=UDP].name': 'editor',
      'spec.template.spec.containers[name=proxy]': 'editor',
    });
  });

  it('names the only other writer for a removed field', async () => {
    await client.patch(path, { metadata: { labels: { tier: null } }, spec: { replicas: 4 } }, 'cleaner');
    assert.deepEqual(await blames(), { 'metadata.labels.tier': 'cleaner', 'spec.replicas': 'cleaner' });
  });
});
