import assert from 'node:assert/strict';
import {
  isJsonObject,
  type JsonObject,
  jsonEqual,
  memberAt,
  parseJson,
  withMember,
} from '../../src/core/json.ts';
import type { WriteRequest } from '../../src/sync/clusterPort.ts';
import { toUid } from '../../src/core/resource/snapshot.ts';
import {
  type ClusterFixture,
  committed,
  configMap,
  create,
  deployments,
  openFixture,
  read,
  update,
  withLabel,
} from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';

describe('writes to a real API server', () => {
  let fixture: ClusterFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('A3: an update names the version it grew from, and its answer is the ground for the next', async () => {
    const { cluster, proxy } = fixture;
    const ref = fixture.ref('updated');
    const first = await create(cluster, ref, configMap('updated'));
    const second = committed(await update(cluster, ref, first, withLabel(first.object, 'step', 'two')));
    const third = committed(await update(cluster, ref, second, withLabel(second.object, 'step', 'three')));
    assert.notEqual(second.resourceVersion, first.resourceVersion);
    assert.equal(memberAt(third.object, 'metadata', 'labels', 'step'), 'three');
    const puts = proxy.recorded('PUT', 'configmaps/updated');
    const sentVersions = puts.map((put) => memberAt(parseJson(put.body), 'metadata', 'resourceVersion'));
    assert.deepEqual(sentVersions, [first.resourceVersion, second.resourceVersion]);
    for (const put of puts) {
      assert.equal(memberAt(parseJson(put.body), 'metadata', 'uid'), first.uid);
      assert.match(put.path, /[?&]fieldValidation=Strict(&|$)/);
      assert.match(put.path, /[?&]fieldManager=kubemerge(&|$)/);
    }
  });

  it('A9: sets version and uid where the object lost them, and puts them right where it holds others', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('unnamed-version');
    const basis = await create(cluster, ref, configMap('unnamed-version'));
    const bare = configMap('unnamed-version', { key: 'bare' });
    const second = committed(await update(cluster, ref, basis, bare));
    const wrong = withMember(bare, 'metadata', { name: 'unnamed-version', resourceVersion: '1', uid: 'x' });
    const third = committed(await update(cluster, ref, second, withMember(wrong, 'data', { key: 'wrong' })));
    assert.equal(memberAt(third.object, 'data', 'key'), 'wrong');
  });

  it('never sends an update or a delete without a version', async () => {
    const { cluster, proxy } = fixture;
    const ref = fixture.ref('no-version');
    const basis = await create(cluster, ref, configMap('no-version'));
    for (const resourceVersion of ['', '0']) {
      const unusable = { ...basis, resourceVersion } as typeof basis;
      await assert.rejects(update(cluster, ref, unusable), /never sent/);
      const remove = {
        kind: 'delete',
        ref,
        precondition: unusable,
        propagationPolicy: 'Background',
      } as const;
      await assert.rejects(cluster.write(remove, noAbort), /never sent/);
    }
    assert.deepEqual(proxy.recorded('PUT', 'no-version'), []);
    assert.deepEqual(proxy.recorded('DELETE', 'no-version'), []);
  });

  it('tells a version that has moved on: preconditionFailed', async () => {
    const { cluster, other, namespace } = fixture;
    const ref = fixture.ref('moved');
    const basis = await create(cluster, ref, configMap('moved'));
    await other.patch(`/api/v1/namespaces/${namespace}/configmaps/moved`, { data: { key: 'theirs' } });
    const outcome = await update(cluster, ref, basis, withMember(basis.object, 'data', { key: 'ours' }));
    assert.equal(outcome.kind, 'preconditionFailed');
    assert.equal(memberAt((await read(cluster, ref)).object, 'data', 'key'), 'theirs');
  });

  it('A11: does not write to an object that was recreated under the same name', async () => {
    const { cluster, other, namespace, proxy } = fixture;
    const ref = fixture.ref('recreated');
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const first = await create(cluster, ref, configMap('recreated', { key: 'a' }));
    await other.delete(`${path}/recreated`);
    await other.create(path, configMap('recreated', { key: 'b' }));
    const now = await read(cluster, ref);
    // Even with the version of now, the uid of then must keep it out.
    const outcome = await update(cluster, ref, { ...now, uid: first.uid }, first.object);
    assert.equal(outcome.kind, 'preconditionFailed');
    assert.deepEqual((await read(cluster, ref)).object, now.object);
    const [put] = proxy.recorded('PUT', 'configmaps/recreated');
    assert.equal(memberAt(parseJson(put?.body ?? ''), 'metadata', 'uid'), first.uid);
  });

  it('tells an object that is gone: notFound', async () => {
    const { cluster, other, namespace } = fixture;
    const ref = fixture.ref('gone');
    const basis = await create(cluster, ref, configMap('gone'));
    await other.delete(`/api/v1/namespaces/${namespace}/configmaps/gone`);
    assert.equal((await update(cluster, ref, basis)).kind, 'notFound');
    assert.equal((await cluster.get(ref, noAbort)).kind, 'notFound');
  });

  it('deletes only what it has seen: the version and the uid are preconditions', async () => {
    const { cluster, other, namespace } = fixture;
    const ref = fixture.ref('deleted');
    const basis = await create(cluster, ref, configMap('deleted'));
    await other.patch(`/api/v1/namespaces/${namespace}/configmaps/deleted`, { data: { key: 'new' } });
    const propagationPolicy = 'Background' as const;
    const old = await cluster.write({ kind: 'delete', ref, precondition: basis, propagationPolicy }, noAbort);
    assert.equal(old.kind, 'preconditionFailed');
    const now = await read(cluster, ref);
    const uid = toUid('11111111-1111-1111-1111-111111111111') ?? now.uid;
    const foreign = { ...now, uid };
    const other2 = await cluster.write(
      { kind: 'delete', ref, precondition: foreign, propagationPolicy },
      noAbort,
    );
    assert.equal(other2.kind, 'preconditionFailed');
    const done = await cluster.write({ kind: 'delete', ref, precondition: now, propagationPolicy }, noAbort);
    assert.equal(done.kind, 'committed');
    assert.equal((await cluster.get(ref, noAbort)).kind, 'notFound');
  });

  it('a delete that a finalizer holds back is committed, and the object is terminating', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('held');
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    const basis = await create(cluster, ref, { ...configMap('held'), metadata });
    const remove = { kind: 'delete', ref, precondition: basis, propagationPolicy: 'Background' } as const;
    assert.equal((await cluster.write(remove, noAbort)).kind, 'committed');
    const now = await read(cluster, ref);
    assert.equal(typeof memberAt(now.object, 'metadata', 'deletionTimestamp'), 'string');
    const released = withMember(now.object, 'metadata', { name: 'held' });
    const outcome = await update(cluster, ref, now, released);
    assert.equal(outcome.kind, 'committed');
    assert.equal((await cluster.get(ref, noAbort)).kind, 'notFound');
  });

  it('a name that is taken: alreadyExists', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('taken');
    await create(cluster, ref, configMap('taken'));
    const outcome = await cluster.write({ kind: 'create', ref, object: configMap('taken') }, noAbort);
    assert.equal(outcome.kind, 'alreadyExists');
  });

  it('a dry run shows the result and changes nothing', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('rehearsed', deployments);
    const basis = await create(cluster, ref, deployment('rehearsed'));
    const changed = withMember(basis.object, 'spec', {
      ...(basis.object.spec as JsonObject),
      replicas: 5,
    });
    const outcome = committed(await update(cluster, ref, basis, changed, { isDryRun: true }));
    assert.equal(memberAt(outcome.object, 'spec', 'replicas'), 5);
    assert.deepEqual((await read(cluster, ref)).object, basis.object);
    const newRef = fixture.ref('rehearsed-new', deployments);
    const object = deployment('rehearsed-new');
    const creation = await cluster.write({ kind: 'create', ref: newRef, object, isDryRun: true }, noAbort);
    assert.equal(creation.kind, 'committed');
    assert.equal((await cluster.get(newRef, noAbort)).kind, 'notFound');
  });

  it('writes the status where it is a subresource, and only there', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('with-status', deployments);
    const basis = await create(cluster, ref, deployment('with-status'));
    const changed = withMember(basis.object, 'status', { observedGeneration: 1, replicas: 3 });
    const ignored = committed(await update(cluster, ref, basis, changed));
    assert.equal(ignored.resourceVersion, basis.resourceVersion);
    const written = committed(await update(cluster, ref, basis, changed, { subresource: 'status' }));
    assert.equal(memberAt(written.object, 'status', 'replicas'), 3);
  });

  it('G1: a misspelt field is rejected, not dropped', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('misspelt', deployments);
    const basis = await create(cluster, ref, deployment('misspelt'));
    const changed = withMember(basis.object, 'spec', { ...(basis.object.spec as JsonObject), replicaz: 5 });
    const outcome = await update(cluster, ref, basis, changed);
    assert.equal(outcome.kind, 'rejected');
    assert.equal(outcome.code, 400);
    assert.match(outcome.message, /unknown field "spec\.replicaz"/);
  });

  it('G4: an invalid object is rejected with the causes and their fields', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('invalid', deployments);
    const basis = await create(cluster, ref, deployment('invalid'));
    const spec = basis.object.spec as JsonObject;
    const changed = withMember(basis.object, 'spec', {
      ...spec,
      selector: { matchLabels: { app: 'else' } },
      template: { metadata: { labels: { app: 'else' } }, spec: { containers: [{ name: 'app', image: '' }] } },
    });
    const outcome = await update(cluster, ref, basis, changed);
    assert.equal(outcome.kind, 'rejected');
    assert.equal(outcome.code, 422);
    const fields = outcome.causes.map((cause) => cause.field);
    assert.ok(fields.includes('spec.template.spec.containers[0].image'), fields.join());
    assert.ok(outcome.causes.every((cause) => cause.message !== '' && cause.reason !== undefined));
  });

  it('a wrong type is rejected', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('mistyped', deployments);
    const basis = await create(cluster, ref, deployment('mistyped'));
    const changed = withMember(basis.object, 'spec', {
      ...(basis.object.spec as JsonObject),
      replicas: 'two',
    });
    const outcome = await update(cluster, ref, basis, changed);
    assert.equal(outcome.kind, 'rejected');
    assert.equal(outcome.code, 400);
  });

  it('an object that is too large is rejected', async () => {
    const { cluster } = fixture;
    const ref = fixture.ref('large');
    const object = configMap('large', { key: 'x'.repeat(4 * 1024 * 1024) });
    const outcome = await cluster.write({ kind: 'create', ref, object }, noAbort);
    assert.equal(outcome.kind, 'rejected');
  });

  it("what a user may not do is forbidden, with the server's sentence", async () => {
    const { cluster, viewer } = fixture;
    const ref = { ...fixture.ref('not-yours'), context: 'viewer' };
    const basis = await create(cluster, fixture.ref('not-yours'), configMap('not-yours'));
    const outcome = await update(viewer, ref, basis);
    assert.equal(outcome.kind, 'forbidden');
    assert.match(outcome.message, /viewer.*cannot update/);
  });

  it('warnings of the server come with the answer', async () => {
    const { cluster, proxy } = fixture;
    const ref = fixture.ref('warned', deployments);
    const containers = [
      {
        name: 'app',
        image: 'web:1',
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
    ];
    const object = deployment('warned', containers);
    const outcome = await cluster.write({ kind: 'create', ref, object }, noAbort);
    assert.equal(outcome.kind, 'committed');
    assert.equal(outcome.warnings.length, 1);
    assert.match(outcome.warnings[0] ?? '', /hides previous definition of "A"/);
    assert.ok(proxy.recorded('POST', 'deployments').length > 0);
  });

  it('H5: a read-only context sends no write of any kind', async () => {
    const { proxy, cluster } = fixture;
    const basis = await create(cluster, fixture.ref('kept'), configMap('kept'));
    const { clusters, connect } = await fixture.open({
      readOnlyReason: (context) => (context === 'admin' ? 'this context is read-only' : undefined),
    });
    const guarded = connect('admin');
    const ref = fixture.ref('kept');
    const before = proxy.requests.length;
    const outcomes = [
      await update(guarded, ref, basis),
      await update(guarded, ref, basis, basis.object, { isDryRun: true }),
      await guarded.write({ kind: 'create', ref, object: configMap('kept') }, noAbort),
      await guarded.write(
        { kind: 'delete', ref, precondition: basis, propagationPolicy: 'Background' },
        noAbort,
      ),
    ];
    for (const outcome of outcomes) {
      assert.deepEqual(outcome, { kind: 'readOnly', message: 'this context is read-only' });
    }
    assert.equal(proxy.requests.length, before);
    clusters.dispose();
  });

  it('H5: a protected context sends no write of any kind without consent to this context', async () => {
    const { proxy, cluster } = fixture;
    const basis = await create(cluster, fixture.ref('guarded'), configMap('guarded'));
    const { clusters, connect } = await fixture.open({
      protectedReason: (context) => (context === 'admin' ? 'This context is protected.' : undefined),
    });
    const guarded = connect('admin');
    const ref = fixture.ref('guarded');
    const precondition = { uid: basis.uid, resourceVersion: basis.resourceVersion };
    const { object } = basis;
    const requests: readonly WriteRequest[] = [
      { kind: 'update', ref, precondition, object },
      { kind: 'update', ref, precondition, object, subresource: 'status' },
      { kind: 'create', ref, object: configMap('other') },
      { kind: 'delete', ref, precondition, propagationPolicy: 'Background' },
    ];
    const before = proxy.requests.length;
    for (const request of requests) {
      for (const consent of [undefined, { context: 'viewer' }]) {
        const outcome = await guarded.write(request, noAbort, consent);
        assert.ok(outcome.kind === 'readOnly', request.kind);
        assert.match(outcome.message, /protected.*nobody confirmed/);
      }
    }
    assert.equal(proxy.requests.length, before);
    const trial = { kind: 'update', ref, precondition, object, isDryRun: true } as const;
    assert.equal((await guarded.write(trial, noAbort)).kind, 'committed');
    const update = { kind: 'update', ref, precondition, object } as const;
    assert.equal((await guarded.write(update, noAbort, { context: 'admin' })).kind, 'committed');
    clusters.dispose();
  });

  it('a reference of another context is a bug, not a request', async () => {
    const { viewer } = fixture;
    await assert.rejects(async () => viewer.get(fixture.ref('any'), noAbort), /was given to the connection/);
  });
});

describe('bodies that a GET and a PUT carry', () => {
  let fixture: ClusterFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('C3, C5: a custom resource keeps integers beyond 2^53, int-or-string and fields no model knows', async () => {
    const { cluster, other, proxy, namespace } = fixture;
    const group = `${namespace}.example.com`;
    await other.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gauges.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Gauge', plural: 'gauges', singular: 'gauge' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    });
    const gvr = { group, version: 'v1', resource: 'gauges' };
    const ref = fixture.ref('big', gvr);
    const text = `{"apiVersion":"${group}/v1","kind":"Gauge","metadata":{"name":"big"},"spec":{"n":9007199254740993,"negative":-9223372036854775808,"small":1,"port":"http","half":0.5,"Müller":"ü☃","empty":{},"none":[]}}`;
    const object = parseJson(text);
    assert.ok(isJsonObject(object));
    const basis = await until(() => cluster.write({ kind: 'create', ref, object }, noAbort));
    const changed = withLabel(basis.object, 'touched', 'yes');
    committed(await update(cluster, ref, basis, changed));
    const [put] = proxy.recorded('PUT', 'gauges/big');
    assert.match(put?.body ?? '', /"n":9007199254740993[,}]/);
    assert.match(put?.body ?? '', /"negative":-9223372036854775808[,}]/);
    assert.ok(jsonEqual(memberAt(parseJson(put?.body ?? ''), 'spec'), object.spec));
    const stored = await other.request('GET', `/apis/${group}/v1/namespaces/${namespace}/gauges/big`);
    assert.match(stored.text, /"n":9007199254740993[,}]/);
  });

  it('C4: a time with microseconds goes back as it came', async () => {
    const { cluster, proxy } = fixture;
    const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
    const ref = fixture.ref('held', leases);
    const basis = await create(cluster, ref, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'held' },
      spec: { holderIdentity: 'one', renewTime: '2026-01-02T03:04:05.123456Z' },
    });
    committed(await update(cluster, ref, basis, withLabel(basis.object, 'touched', 'yes')));
    assert.match(
      proxy.recorded('PUT', 'leases/held')[0]?.body ?? '',
      /"renewTime":"2026-01-02T03:04:05\.123456Z"/,
    );
  });

  it('C5: all of a Deployment but the edited label goes back as it was read', async () => {
    const { cluster, proxy } = fixture;
    const ref = fixture.ref('whole', deployments);
    await create(cluster, ref, deployment('whole'));
    const basis = await read(cluster, ref);
    committed(await update(cluster, ref, basis, withLabel(basis.object, 'touched', 'yes')));
    const sent = parseJson(proxy.recorded('PUT', 'deployments/whole')[0]?.body ?? '');
    assert.ok(isJsonObject(sent));
    assert.deepEqual(sent, withLabel(basis.object, 'touched', 'yes'));
  });

  it('names of any legal form reach their object', async () => {
    const { cluster } = fixture;
    const gvr = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
    const name = `${fixture.namespace}:Über Rolle?a=1#x&y`;
    const ref = { context: 'admin', gvr, name };
    const object = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [],
    };
    const made = await create(cluster, ref, object);
    assert.equal(memberAt((await read(cluster, ref)).object, 'metadata', 'name'), name);
    const remove = { kind: 'delete', ref, precondition: made, propagationPolicy: 'Background' } as const;
    assert.equal((await cluster.write(remove, noAbort)).kind, 'committed');
  });
});

function deployment(
  name: string,
  containers: JsonObject['x'] = [{ name: 'app', image: 'web:1' }],
): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
    },
  };
}

/** Repeats a create until the server serves a definition that was just made. */
async function until(
  write: () => ReturnType<ClusterFixture['cluster']['write']>,
): Promise<ReturnType<typeof committed>> {
  for (;;) {
    const outcome = await write();
    if (outcome.kind !== 'notFound') return committed(outcome);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
