import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { type MergeSchema, noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { schemaFromOpenApi } from '../../../../src/core/merge/openApiSchema.ts';
import { readMergeOpenApi } from '../../../support/mergeCases.ts';

const gvk = { group: 'x.example.com', version: 'v1', kind: 'Thing' };

/** The schema of a member of a type with these properties, and with other definitions beside it. */
function memberSchema(property: Json, definitions: JsonObject = {}): MergeSchema {
  const thing = {
    type: 'object',
    properties: { field: property },
    'x-kubernetes-group-version-kind': [gvk],
  };
  const document = { components: { schemas: { ...definitions, 'com.example.x.v1.Thing': thing } } };
  const schema = schemaFromOpenApi(document, gvk);
  assert.ok(schema);
  return schema.member('field');
}

function at(schema: MergeSchema, ...steps: readonly string[]): MergeSchema {
  return steps.reduce((inner, step) => (step === '[]' ? inner.items() : inner.member(step)), schema);
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

describe('schemaFromOpenApi', () => {
  it('is undefined for a type that the document does not describe, or for another document', () => {
    for (const document of [
      {},
      { components: null },
      { components: { schemas: { a: 1, b: { type: 'object' } } } },
    ]) {
      assert.equal(schemaFromOpenApi(document, gvk), undefined);
    }
    assert.equal(schemaFromOpenApi(readMergeOpenApi('storefront'), gvk), undefined);
  });

  it('is that of the version shown, where a document describes several', () => {
    const definition = (version: string, listType: string): JsonObject => ({
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version, kind: 'Thing' }],
      type: 'object',
      properties: {
        tags: { type: 'array', 'x-kubernetes-list-type': listType, items: { type: 'string' } },
      },
    });
    const document = {
      components: { schemas: { One: definition('v1', 'atomic'), Two: definition('v2', 'set') } },
    };
    const ruleIn = (version: string): string | undefined =>
      schemaFromOpenApi(document, { group: 'example.com', version, kind: 'Thing' })?.member('tags').list.kind;
    assert.deepEqual([ruleIn('v1'), ruleIn('v2'), ruleIn('v3')], ['atomic', 'set', undefined]);
  });

  it('follows $ref and allOf', () => {
    const definitions = {
      inner: { properties: { list: { type: 'array', 'x-kubernetes-list-type': 'set' } } },
    };
    for (const property of [reference('inner'), { default: {}, allOf: [reference('inner')] }]) {
      assert.deepEqual(memberSchema(property, definitions).member('list').list, { kind: 'set' });
    }
  });

  it('ends for types that hold themselves', () => {
    const node = {
      type: 'object',
      properties: { next: reference('node') },
      'x-kubernetes-map-type': 'atomic',
    };
    const loop = memberSchema(reference('node'), { node });
    assert.equal(at(loop, ...Array<string>(50).fill('next')).map.kind, 'atomic');
    const circle = memberSchema(reference('one'), {
      one: reference('two') as JsonObject,
      two: reference('one') as JsonObject,
    });
    assert.equal(circle.map.kind, 'granular');
  });

  it('lets what stands beside a $ref win', () => {
    const definitions = { inner: { type: 'object', 'x-kubernetes-map-type': 'atomic' } };
    const property = { allOf: [reference('inner')], 'x-kubernetes-map-type': 'granular' };
    assert.equal(memberSchema(property, definitions).map.kind, 'granular');
    assert.equal(memberSchema(reference('inner'), definitions).map.kind, 'atomic');
  });

  it('prefers list-map-keys to patch-merge-key', () => {
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-patch-merge-key': 'port',
      'x-kubernetes-patch-strategy': 'merge',
    };
    assert.deepEqual(memberSchema(list).list, { kind: 'map', keys: ['port', 'protocol'], defaults: {} });
  });

  it('uses patch-merge-key where only that is there', () => {
    const list = {
      type: 'array',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    };
    assert.deepEqual(memberSchema(list).list, { kind: 'map', keys: ['name'], defaults: {} });
    assert.deepEqual(memberSchema({ ...list, 'x-kubernetes-list-type': 'atomic' }).list, { kind: 'atomic' });
  });

  it('knows lists without a declared type as unknown, and replaced ones as atomic', () => {
    assert.deepEqual(memberSchema({ type: 'array', items: {} }).list, { kind: 'unknown' });
    assert.deepEqual(memberSchema({ type: 'array', 'x-kubernetes-patch-strategy': 'replace' }).list, {
      kind: 'atomic',
    });
    assert.deepEqual(memberSchema({ type: 'array', 'x-kubernetes-list-type': 'map' }).list, {
      kind: 'unknown',
    });
  });

  it('takes defaults of keys from the element’s properties, but not those of required keys', () => {
    const item = {
      required: ['port'],
      properties: { port: { type: 'integer', default: 0 }, protocol: { type: 'string', default: 'TCP' } },
    };
    const list = {
      type: 'array',
      items: { allOf: [reference('item')] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    };
    assert.deepEqual(memberSchema(list, { item }).list, {
      kind: 'map',
      keys: ['port', 'protocol'],
      defaults: { protocol: 'TCP' },
    });
  });

  it('reads retainKeys as a union of all members, `type` choosing', () => {
    const strategy = {
      type: 'object',
      properties: { type: { type: 'string' }, rolling: { type: 'object' } },
    };
    assert.deepEqual(
      memberSchema({ allOf: [reference('s')], 'x-kubernetes-patch-strategy': 'retainKeys' }, { s: strategy })
        .map,
      {
        kind: 'union',
        members: ['rolling'],
        discriminator: 'type',
      },
    );
  });

  it('reads retainKeys of a keyed list as a union of its elements’ members but the keys', () => {
    const volume = { type: 'object', properties: { name: {}, a: {}, b: {} } };
    const list = {
      type: 'array',
      items: reference('v'),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
    };
    assert.deepEqual(memberSchema(list, { v: volume }).items().map, { kind: 'union', members: ['a', 'b'] });
  });

  it('reads declared unions', () => {
    const node = {
      'x-kubernetes-unions': [
        { discriminator: 'kind', 'fields-to-discriminateBy': { group: 'Group', user: 'User' } },
      ],
    };
    assert.deepEqual(memberSchema(node).map, {
      kind: 'union',
      members: ['group', 'user'],
      discriminator: 'kind',
    });
  });

  it('knows quantities and either-or scalars', () => {
    const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
    const schema = memberSchema(reference(quantity), {
      [quantity]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    });
    assert.deepEqual([schema.scalar, schema.type], ['quantity', undefined]);
    const either = memberSchema({
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
    assert.deepEqual([either.scalar, either.type], ['plain', undefined]);
    assert.equal(memberSchema({ type: 'string', format: 'int-or-string' }).type, undefined);
  });

  it('tells types', () => {
    for (const type of ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const) {
      assert.equal(memberSchema({ type }).type, type);
    }
    assert.equal(memberSchema({ type: 'null' }).type, undefined);
    assert.equal(memberSchema({}).type, undefined);
  });

  it('knows nothing of unknown members, of `__proto__` and of schemaless parts', () => {
    const schema = memberSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    for (const key of ['any', '__proto__', 'constructor', 'toString'])
      assert.equal(schema.member(key), noSchema);
    assert.equal(schema.items(), noSchema);
    assert.equal(schema.isOpen, undefined);
  });

  it('knows mappings of any keys, and what their values are', () => {
    const schema = memberSchema({ type: 'object', additionalProperties: { type: 'string' } });
    assert.equal(schema.isOpen, true);
    assert.equal(schema.member('any').type, 'string');
  });

  it('gives an embedded object the metadata of every object', () => {
    const schema = schemaFromOpenApi(readMergeOpenApi('storefront'), {
      group: 'shop.example.com',
      version: 'v1',
      kind: 'Storefront',
    });
    assert.ok(schema);
    assert.equal(at(schema, 'spec', 'template', 'metadata', 'labels').isOpen, true);
    assert.deepEqual(at(schema, 'metadata', 'finalizers').list, { kind: 'set' });
    const bare = memberSchema(
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { metadata: { type: 'object' } },
      },
      {
        'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
          properties: { labels: { additionalProperties: {} } },
        },
      },
    );
    assert.equal(at(bare, 'metadata', 'labels').isOpen, true);
  });

  it('reads the schema of a custom resource as the server prints it', () => {
    const schema = schemaFromOpenApi(readMergeOpenApi('storefront'), {
      group: 'shop.example.com',
      version: 'v1',
      kind: 'Storefront',
    });
    assert.ok(schema);
    const spec = schema.member('spec');
    assert.deepEqual(spec.member('routes').list, {
      kind: 'map',
      keys: ['host', 'path'],
      defaults: { path: '/' },
    });
    assert.deepEqual(spec.member('tags').list, { kind: 'set' });
    assert.deepEqual(spec.member('locales').list, { kind: 'atomic' });
    assert.deepEqual(spec.member('rules').list, { kind: 'unknown' });
    assert.deepEqual(spec.member('selector').map, { kind: 'atomic' });
    assert.equal(at(spec, 'limits', 'cpu').scalar, 'quantity');
    assert.equal(spec.member('port').type, undefined);
    assert.equal(at(spec, 'routes', '[]', 'weight').type, 'integer');
  });
});

describe('builtinSchema', () => {
  const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
  const podSpec = at(deployment, 'spec', 'template', 'spec');

  it('knows keyed lists, their defaults, and atomic ones', () => {
    assert.deepEqual(podSpec.member('containers').list, { kind: 'map', keys: ['name'], defaults: {} });
    assert.deepEqual(at(podSpec, 'containers', '[]', 'ports').list, {
      kind: 'map',
      keys: ['containerPort', 'protocol'],
      defaults: { protocol: 'TCP' },
    });
    assert.equal(at(podSpec, 'containers', '[]', 'ports', '[]', 'protocol').type, 'string');
    assert.deepEqual(podSpec.member('tolerations').list, { kind: 'atomic' });
    assert.deepEqual(podSpec.member('nodeSelector').map, { kind: 'atomic' });
    assert.deepEqual(at(deployment, 'metadata', 'finalizers').list, { kind: 'set' });
  });

  it('knows unions, quantities and open mappings', () => {
    assert.deepEqual(at(deployment, 'spec', 'strategy').map, {
      kind: 'union',
      members: ['rollingUpdate'],
      discriminator: 'type',
    });
    assert.equal(at(podSpec, 'volumes', '[]').map.kind, 'union');
    assert.equal(at(podSpec, 'containers', '[]', 'resources', 'limits', 'cpu').scalar, 'quantity');
    assert.equal(at(deployment, 'metadata', 'labels').isOpen, true);
    assert.equal(at(deployment, 'metadata', 'labels', 'any').type, 'string');
  });

  it('knows the metadata of every kind, also of those that it does not know', () => {
    const schema = builtinSchema({ group: 'lab.example.com', version: 'v1', kind: 'Gadget' });
    assert.equal(at(schema, 'metadata', 'annotations').isOpen, true);
    assert.equal(schema.member('kind').type, 'string');
    assert.equal(schema.member('spec'), noSchema);
    assert.equal(builtinSchema({ group: '', version: '', kind: 'constructor' }).member('spec'), noSchema);
  });

  it('follows types that hold themselves', () => {
    const crd = builtinSchema({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
    });
    const root = at(crd, 'spec', 'versions', '[]', 'schema', 'openAPIV3Schema');
    const deep = at(root, ...Array.from({ length: 20 }, () => ['properties', 'x']).flat());
    assert.equal(deep.member('x-kubernetes-list-type').type, 'string');
    assert.deepEqual(deep.member('required').list, { kind: 'atomic' });
  });
});
