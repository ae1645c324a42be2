import assert from 'node:assert/strict';
import { describeRequest } from '../../src/editor/requestWords.ts';
import { until } from '../support/until.ts';
import { type ClusterFixture, configMap, configMaps, create, openFixture, update } from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';
import { isChange, isOpened, recordWatch } from './watchRecorder.ts';

describe('the request log', () => {
  let fixture: ClusterFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    fixture.opened.requests.length = 0;
  });

  /** The entries without their times. */
  const logged = (): readonly (readonly unknown[])[] =>
    fixture.opened.requests.map(({ method, path, status, result, bytes }) => [
      method,
      path.replace(fixture.namespace, 'NS').replace(/\?.*/, ''),
      status,
      result,
      bytes > 0,
    ]);

  it('tells method, path, status, time and size of each request', async () => {
    const ref = fixture.ref('logged');
    const basis = await create(fixture.cluster, ref, configMap('logged'));
    await fixture.cluster.get(ref, noAbort);
    await update(fixture.cluster, ref, basis);
    await update(fixture.cluster, ref, { ...basis, resourceVersion: '1' as typeof basis.resourceVersion });
    const path = '/api/v1/namespaces/NS/configmaps';
    assert.deepEqual(logged(), [
      ['POST', path, 201, 'answered', true],
      ['GET', `${path}/logged`, 200, 'answered', true],
      ['PUT', `${path}/logged`, 200, 'answered', true],
      ['PUT', `${path}/logged`, 409, 'answered', true],
    ]);
    assert.ok(fixture.opened.requests.every(({ ms, context }) => ms >= 0 && context === 'admin'));
  });

  it('tells when a watch opens, and at its end how much it brought', async () => {
    const { other, cluster, namespace } = fixture;
    const watch = recordWatch(
      cluster,
      { context: 'admin', namespace, gvr: configMaps },
      { timeoutSeconds: 2 },
    );
    await watch.until(isOpened);
    await other.create(`/api/v1/namespaces/${namespace}/configmaps`, configMap('brought'));
    await watch.until(isChange('added', 'brought'));
    await watch.end;
    const path = '/api/v1/namespaces/NS/configmaps';
    assert.deepEqual(logged(), [
      ['GET', path, 200, 'opened', false],
      ['GET', path, 200, 'answered', true],
    ]);
    const [, end] = fixture.opened.requests;
    const answered = fixture.proxy.recorded('GET', 'watch=true').at(-1)?.answer.length;
    assert.equal(end?.bytes, answered);
  });

  it('tells what became of a request without an answer, and of a watch that broke or was stopped', async () => {
    const { proxy, cluster, namespace } = fixture;
    using _ = proxy.inject(({ path }) => path.endsWith('/none'), { kind: 'cutBefore' });
    await cluster.get(fixture.ref('none'), noAbort);
    const collection = { context: 'admin', namespace, gvr: configMaps };
    const broken = recordWatch(cluster, collection);
    await broken.until(isOpened);
    proxy.cutConnections();
    await broken.end;
    const stopped = recordWatch(cluster, collection);
    await stopped.until(isOpened);
    stopped.stop();
    await stopped.end;
    await until(() => fixture.opened.requests.length === 5);
    assert.deepEqual(
      fixture.opened.requests.map(({ result, status }) => [result, status]),
      [
        ['interrupted', undefined],
        ['opened', 200],
        ['interrupted', 200],
        ['opened', 200],
        ['aborted', 200],
      ],
    );
  });

  it('G2: holds no header, no token, and nothing of a Secret, nor does what is told of a failure', async () => {
    const { proxy, cluster, server, namespace } = fixture;
    const ref = fixture.ref('hidden', { ...configMaps, resource: 'secrets' });
    const secret = 'c3VwZXItc2VjcmV0LXZhbHVl';
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden' }, data: { key: secret } };
    const basis = await create(cluster, ref, object);
    const watch = recordWatch(cluster, ref);
    await watch.until(isOpened);
    await cluster.get(ref, noAbort);
    await update(cluster, ref, basis, { ...object, data: { key: secret, more: 'bW9yZQ==' } });
    await watch.until(isChange('modified', 'hidden'));
    watch.stop();
    await watch.end;
    const outcomes: unknown[] = [];
    for (const body of [
      `<html><title>Bearer ${server.tokens.admin ?? ''}</title>${secret}</html>`,
      `Authorization: Bearer ${server.tokens.admin ?? ''} password=${secret}`,
    ]) {
      using _ = proxy.inject(({ path }) => path.includes('/secrets/hidden'), {
        kind: 'answer',
        status: 502,
        headers: { 'x-secret': secret, 'content-type': 'text/html' },
        body,
      });
      outcomes.push(await cluster.get(ref, noAbort), await update(cluster, ref, basis, object));
    }
    await fixture.opened.connect('admin').list({ ...ref, namespace }, { content: 'full' }, noAbort);
    const text = [
      JSON.stringify(fixture.opened.requests),
      ...fixture.opened.requests.map(describeRequest),
    ].join();
    for (const hidden of [
      secret,
      server.tokens.admin ?? '?',
      'Bearer',
      'uthorization',
      'bW9yZQ',
      'x-secret',
    ]) {
      assert.ok(!text.includes(hidden), hidden);
    }
    for (const hidden of [secret, server.tokens.admin ?? '?', 'x-secret']) {
      assert.ok(!JSON.stringify(outcomes).includes(hidden), `${hidden} in ${JSON.stringify(outcomes)}`);
    }
  });
});
