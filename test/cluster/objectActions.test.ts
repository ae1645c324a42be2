import assert from 'node:assert/strict';
import { memberAt } from '../../src/core/json.ts';
import type { ResourceRef } from '../../src/core/resource/resourceRef.ts';
import type { Snapshot } from '../../src/core/resource/snapshot.ts';
import { type ActionOutcome, type Decision, sendAction } from '../../src/sync/conditionalAction.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { deletionOf, removalOfFinalizers, scaleTo } from '../../src/sync/objectDecisions.ts';
import { findRights } from '../../src/sync/objectRights.ts';
import {
  type ClusterFixture,
  configMap,
  configMaps,
  create,
  deployments,
  openFixture,
  read,
} from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';

const consent = { context: 'admin' };

describe('actions on objects of a real API server', () => {
  let fixture: ClusterFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const act = (ref: ResourceRef, seen: Snapshot, decision: Decision): Promise<ActionOutcome> =>
    sendAction(
      fixture.cluster,
      { ref, seen, traits: { hasStatusSubresource: true }, ...decision },
      noAbort,
      consent,
    );

  const mapPath = (name: string): string => `/api/v1/namespaces/${fixture.namespace}/configmaps/${name}`;
  const isThere = async (name: string): Promise<boolean> =>
    (await fixture.other.request('GET', mapPath(name))).status === 200;

  async function createWeb(name: string): Promise<{ ref: ResourceRef; seen: Snapshot; path: string }> {
    const labels = { app: name };
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'web:0' }] } },
      },
    };
    const ref = fixture.ref(name, deployments);
    const seen = await create(fixture.cluster, ref, object);
    return { ref, seen, path: `/apis/apps/v1/namespaces/${fixture.namespace}/deployments/${name}` };
  }

  it('are possible as far as the server serves them and allows them', async () => {
    const rightsOf = async (cluster: ClusterPort, context: string, gvr: ResourceRef['gvr']) => {
      const served = await cluster.discover(noAbort);
      const types = served.kind === 'ok' ? served.value.types : [];
      const type = types.find((one) => one.gvr.group === gvr.group && one.gvr.resource === gvr.resource);
      assert.ok(type);
      return [...(await findRights(cluster, { ...fixture.ref('any', gvr), context }, type, noAbort))].sort();
    };
    const { cluster, viewer } = fixture;
    const all = ['create', 'delete', 'editStatus', 'scale', 'update'];
    assert.deepEqual(await rightsOf(cluster, 'admin', deployments), all);
    assert.deepEqual(await rightsOf(cluster, 'admin', configMaps), ['create', 'delete', 'update']);
    assert.deepEqual(await rightsOf(viewer, 'viewer', deployments), []);
  });

  it('deletes what was seen, under its uid and version', async () => {
    const ref = fixture.ref('doomed');
    const seen = await create(fixture.cluster, ref, configMap('doomed'));
    assert.equal((await act(ref, seen, deletionOf(ref, 'Foreground'))).kind, 'done');
    const [sent] = fixture.proxy.recorded('DELETE', '/doomed');
    const { preconditions, propagationPolicy } = JSON.parse(sent?.body ?? '');
    assert.deepEqual(preconditions, { uid: seen.uid, resourceVersion: seen.resourceVersion });
    assert.equal(propagationPolicy, 'Foreground');
  });

  it('deletes nothing that someone changed since, nor what was made anew', async () => {
    const ref = fixture.ref('moved');
    const seen = await create(fixture.cluster, ref, configMap('moved'));
    await fixture.other.patch(mapPath('moved'), { data: { key: 'theirs' } });
    assert.deepEqual(await act(ref, seen, deletionOf(ref, 'Background')), { kind: 'changed' });
    await fixture.other.delete(mapPath('moved'));
    await create(fixture.cluster, ref, configMap('moved'));
    assert.deepEqual(await act(ref, seen, deletionOf(ref, 'Background')), { kind: 'recreated' });
    assert.equal(await isThere('moved'), true);
    await fixture.other.delete(mapPath('moved'));
    assert.deepEqual(await act(ref, seen, deletionOf(ref, 'Background')), { kind: 'gone' });
  });

  it('a delete whose answer is lost is settled by a read', async () => {
    for (const fault of ['cutAfter', 'cutBefore'] as const) {
      const name = `lost-${fault.toLowerCase()}`;
      const ref = fixture.ref(name);
      const seen = await create(fixture.cluster, ref, configMap(name));
      using cut = fixture.proxy.inject(({ method }) => method === 'DELETE', { kind: fault }, 1);
      const { kind } = await act(ref, seen, deletionOf(ref, 'Background'));
      assert.equal(kind, fault === 'cutAfter' ? 'done' : 'notSent');
      assert.equal(await isThere(name), fault === 'cutBefore');
      assert.equal(cut.met.length, 1, 'a delete is never repeated unread');
    }
  });

  it('scales through the subresource; a change of status does not stop it, one of a field does', async () => {
    const { ref, seen, path } = await createWeb('scaled');
    const status = { ...seen.object, status: { observedGeneration: 1 } };
    await fixture.other.replace(`${path}/status`, status);
    assert.equal((await act(ref, seen, scaleTo(ref, 4))).kind, 'done');
    const scaled = await read(fixture.cluster, ref);
    assert.equal(memberAt(scaled.object, 'spec', 'replicas'), 4);
    assert.ok(fixture.proxy.recorded('PUT', '/scaled/scale').every(({ body }) => body.includes(seen.uid)));
    assert.deepEqual(await act(ref, seen, scaleTo(ref, 9)), { kind: 'changed' });
    assert.equal(memberAt((await read(fixture.cluster, ref)).object, 'spec', 'replicas'), 4);
  });

  it('a scale whose answer is lost is settled by a read', async () => {
    const { ref, seen } = await createWeb('scale-lost');
    using cut = fixture.proxy.inject(({ method }) => method === 'PUT', { kind: 'cutAfter' }, 1);
    assert.equal((await act(ref, seen, scaleTo(ref, 3))).kind, 'done');
    assert.equal(cut.met.length, 1);
  });

  it('removes the last finalizer of what is being deleted: then it is gone', async () => {
    const ref = fixture.ref('held');
    const object = configMap('held');
    const held = {
      ...object,
      metadata: { name: 'held', finalizers: ['example.com/one', 'example.com/two'] },
    };
    const seen = await create(fixture.cluster, ref, held);
    const marked = await act(ref, seen, deletionOf(ref, 'Background'));
    assert.deepEqual(marked, { kind: 'done', warnings: [], isTerminating: true });
    const terminating = await read(fixture.cluster, ref);
    assert.equal((await act(ref, terminating, removalOfFinalizers(ref, ['example.com/one']))).kind, 'done');
    assert.equal(await isThere('held'), true);
    const last = await read(fixture.cluster, ref);
    assert.deepEqual(memberAt(last.object, 'metadata', 'finalizers'), ['example.com/two']);
    assert.equal((await act(ref, last, removalOfFinalizers(ref, ['example.com/two']))).kind, 'done');
    assert.equal(await isThere('held'), false);
  });
});
