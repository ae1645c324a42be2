import assert from 'node:assert/strict';
import { printApiVersion } from '../../src/core/resource/gvk.ts';
import { requiredFields } from '../../src/core/resource/requiredFields.ts';
import type { ResourceRef } from '../../src/core/resource/resourceRef.ts';
import type { ResourceType } from '../../src/core/resource/resourceType.ts';
import { newObject, templateOf } from '../../src/core/resource/templates.ts';
import { createObject } from '../../src/sync/createObject.ts';
import { until } from '../support/until.ts';
import { type ClusterFixture, configMap, openFixture, read } from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';

const consent = { context: 'admin' };

describe('new objects, on a real API server', () => {
  let fixture: ClusterFixture;
  let types: readonly ResourceType[];
  before(async () => {
    fixture = await openFixture();
    const served = await fixture.cluster.discover(noAbort);
    assert.ok(served.kind === 'ok');
    types = served.value.types;
  });
  after(() => fixture[Symbol.asyncDispose]());

  const refOf = ({ gvr, isNamespaced }: ResourceType, name: string): ResourceRef => ({
    context: 'admin',
    gvr,
    name,
    ...(isNamespaced ? { namespace: fixture.namespace } : {}),
  });

  it('are taken as their templates stand, for each type that has one', async () => {
    const tried: string[] = [];
    for (const type of types) {
      const { gvr, gvk, isPreferredVersion } = type;
      const body = templateOf(gvr.resource, gvr.group, 'new-object');
      if (body === undefined || !isPreferredVersion || gvr.group === 'extensions') continue;
      const ref = refOf(type, 'new-object');
      const object = newObject(gvk, ref, body);
      const outcome = await fixture.cluster.write({ kind: 'create', ref, object, isDryRun: true }, noAbort);
      assert.equal(outcome.kind, 'committed', `${gvk.kind}: ${JSON.stringify(outcome)}`);
      tried.push(gvr.resource);
    }
    assert.equal(tried.length, 20, tried.join(' '));
  });

  it('have what the schema demands, for each type that has no template', async () => {
    const missing: string[] = [];
    for (const { gvk, verbs, subresources: _all } of types) {
      if (!verbs.includes('create') || !verbs.includes('get')) continue;
      const document = await fixture.cluster.openApi(printApiVersion(gvk), noAbort);
      if (document.kind !== 'ok' || requiredFields(document.value, gvk) === undefined) missing.push(gvk.kind);
    }
    assert.deepEqual(missing, []);
  });

  it('of a custom type are taken with what its schema demands', async () => {
    const group = 'new.kubemerge.example';
    const spec = {
      type: 'object',
      required: ['mode', 'size', 'parts', 'inner'],
      properties: {
        mode: { type: 'string', enum: ['fast', 'safe'] },
        size: { type: 'integer', minimum: 3 },
        parts: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['on'], properties: { on: { type: 'boolean' } } },
        },
        inner: { type: 'object', required: ['name'], properties: { name: { type: 'string', default: 'a' } } },
        optional: { type: 'string' },
      },
    };
    await fixture.other.apply(
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`,
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `gadgets.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } },
            },
          ],
        },
      },
      'test-set-up',
    );
    const gvk = { group, version: 'v1', kind: 'Gadget' };
    const ref = fixture.ref('new-gadget', { group, version: 'v1', resource: 'gadgets' });
    await until(async () => {
      const answer = await fixture.other.request('GET', `/openapi/v3/apis/${group}/v1`);
      return answer.status === 200 && JSON.stringify(answer.json).includes('Gadget');
    });
    // What the first connection knows of the served documents is as old as the tests before.
    const document = await (await fixture.open({})).connect('admin').openApi(`${group}/v1`, noAbort);
    assert.ok(document.kind === 'ok');
    const body = requiredFields(document.value, gvk);
    assert.deepEqual(body, {
      spec: { mode: 'fast', size: 3, parts: [{ on: false }], inner: { name: 'a' } },
    });
    const outcome = await createObject(fixture.cluster, ref, newObject(gvk, ref, body), consent, noAbort);
    assert.equal(outcome.kind, 'created', JSON.stringify(outcome));
    await fixture.other.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`);
  });

  it('are made by one POST; what exists is left as it is, and told', async () => {
    const ref = fixture.ref('once');
    const first = await createObject(fixture.cluster, ref, configMap('once'), consent, noAbort);
    assert.equal(first.kind, 'created');
    const { resourceVersion } = await read(fixture.cluster, ref);
    const again = await createObject(
      fixture.cluster,
      ref,
      configMap('once', { key: 'other' }),
      consent,
      noAbort,
    );
    assert.equal(again.kind, 'alreadyExists');
    assert.equal((await read(fixture.cluster, ref)).resourceVersion, resourceVersion);
    const posts = fixture.proxy.recorded('POST').filter(({ body }) => body.includes('"once"'));
    assert.equal(posts.length, 2);
  });
});
