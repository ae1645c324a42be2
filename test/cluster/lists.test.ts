import assert from 'node:assert/strict';
import { memberAt } from '../../src/core/json.ts';
import type { RecordedRequest } from '../support/faultProxy.ts';
import { type ClusterFixture, configMap, configMaps, deployments, openFixture } from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';

const isList = ({ method, path }: RecordedRequest): boolean =>
  method === 'GET' && /\/configmaps(\?|$)/.test(path);

describe('lists and reads of a real API server', () => {
  let fixture: ClusterFixture;
  let collection: { context: string; namespace: string; gvr: typeof configMaps };
  before(async () => {
    fixture = await openFixture();
    collection = { context: 'admin', namespace: fixture.namespace, gvr: configMaps };
    for (let index = 0; index < 7; index++) {
      await fixture.other.create(
        `/api/v1/namespaces/${fixture.namespace}/configmaps`,
        configMap(`item-${String(index)}`),
      );
    }
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('E7: brings a collection in pages, each once', async () => {
    const names: unknown[] = [];
    const sizes: number[] = [];
    let continueToken: string | undefined;
    do {
      const options = {
        content: 'full',
        limit: 3,
        ...(continueToken === undefined ? {} : { continueToken }),
      } as const;
      const page = await fixture.cluster.list(collection, options, noAbort);
      assert.equal(page.kind, 'ok');
      names.push(...page.value.objects.map((object) => memberAt(object, 'metadata', 'name')));
      sizes.push(page.value.objects.length);
      if (sizes.length === 1) assert.equal(page.value.remainingItemCount, 4);
      continueToken = page.value.continueToken;
    } while (continueToken !== undefined);
    assert.deepEqual(sizes, [3, 3, 1]);
    assert.deepEqual(
      names,
      ['0', '1', '2', '3', '4', '5', '6'].map((index) => `item-${index}`),
    );
  });

  it('full objects of a list carry their apiVersion and kind', async () => {
    const page = await fixture.cluster.list(collection, { content: 'full', name: 'item-2' }, noAbort);
    assert.equal(page.kind, 'ok');
    const [object] = page.value.objects;
    assert.equal(page.value.objects.length, 1);
    assert.deepEqual([object?.apiVersion, object?.kind], ['v1', 'ConfigMap']);
    const got = await fixture.cluster.get({ ...collection, name: 'item-2' }, noAbort);
    assert.deepEqual(got.kind === 'ok' && got.value, object);
  });

  it('a metadata list leaves data out', async () => {
    const page = await fixture.cluster.list(collection, { content: 'metadata' }, noAbort);
    assert.equal(page.kind, 'ok');
    assert.equal(page.value.objects.length, 7);
    assert.ok(page.value.objects.every((object) => object.data === undefined));
  });

  it('an empty collection is an empty page with a version to watch from', async () => {
    const page = await fixture.cluster.list(
      { ...collection, gvr: deployments },
      { content: 'full' },
      noAbort,
    );
    assert.equal(page.kind, 'ok');
    assert.deepEqual(page.value.objects, []);
    assert.notEqual(page.value.resourceVersion, undefined);
  });

  it('E2: what may not be listed is forbidden', async () => {
    const secrets = { ...collection, context: 'viewer', gvr: { ...configMaps, resource: 'secrets' } };
    const page = await fixture.viewer.list(secrets, { content: 'full' }, noAbort);
    assert.equal(page.kind, 'forbidden');
    assert.match(page.message, /cannot list resource "secrets"/);
  });

  it('a type that is not served is not found', async () => {
    const gvr = { group: 'nowhere.example.com', version: 'v1', resource: 'things' };
    const page = await fixture.cluster.list({ ...collection, gvr }, { content: 'full' }, noAbort);
    assert.equal(page.kind, 'notFound');
  });

  it('a page token that has expired brings the token for the rest', async () => {
    const body = JSON.stringify({
      kind: 'Status',
      metadata: { continue: 'the-rest' },
      reason: 'Expired',
      message: 'The provided continue parameter is too old',
      code: 410,
    });
    const injection = fixture.proxy.inject(isList, { kind: 'answer', status: 410, body }, 1);
    const page = await fixture.cluster.list(collection, { content: 'full', continueToken: 'old' }, noAbort);
    injection.dispose();
    assert.equal(page.kind, 'expired');
    assert.equal(page.continueToken, 'the-rest');
  });

  it('a server whose cache is behind asks for patience: versionTooLarge', async () => {
    const { cluster, proxy } = fixture;
    // The real answer to a version of the future; the product itself never asks for one.
    const body = JSON.stringify({
      kind: 'Status',
      reason: 'Timeout',
      message: 'Too large resource version: 99999999, current: 10',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
    const injection = proxy.inject(isList, { kind: 'answer', status: 504, body }, 1);
    const page = await cluster.list(collection, { content: 'full' }, noAbort);
    injection.dispose();
    assert.equal(page.kind, 'versionTooLarge');
    assert.equal(page.retryAfterMs, 1000);
  });

  it('A18: reads come from storage: no read names a version', async () => {
    await fixture.cluster.get({ ...collection, name: 'item-1' }, noAbort);
    for (const request of fixture.proxy.recorded('GET', 'item-1')) {
      assert.doesNotMatch(request.path, /resourceVersion/);
    }
  });

  it('long answers come compressed, and whole', async () => {
    const { cluster, other, namespace, proxy } = fixture;
    const text = 'ä'.repeat(200_000);
    await other.create(`/api/v1/namespaces/${namespace}/configmaps`, configMap('long', { text }));
    const got = await cluster.get({ ...collection, name: 'long' }, noAbort);
    assert.equal(got.kind === 'ok' && memberAt(got.value, 'data', 'text'), text);
    const [sent] = proxy.recorded('GET', 'configmaps/long');
    assert.equal(sent?.headers['accept-encoding'], 'gzip');
    assert.ok(sent.answer.length < text.length / 10, `${String(sent.answer.length)} bytes came`);
    const injection = proxy.inject(({ path }) => path.endsWith('/long'), { kind: 'truncate', bytes: 100 }, 1);
    const cut = await cluster.get({ ...collection, name: 'long' }, noAbort);
    injection.dispose();
    assert.equal(cut.kind, 'interrupted');
  });

  it('I6: tells what a user may do', async () => {
    const { cluster, viewer } = fixture;
    const ref = fixture.ref('item-1');
    assert.deepEqual(await cluster.isAllowed(ref, 'update', noAbort), { kind: 'ok', value: true });
    const own = { ...ref, context: 'viewer' };
    assert.deepEqual(await viewer.isAllowed(own, 'update', noAbort), { kind: 'ok', value: false });
    assert.deepEqual(await viewer.isAllowed(own, 'get', noAbort), { kind: 'ok', value: true });
  });
});
