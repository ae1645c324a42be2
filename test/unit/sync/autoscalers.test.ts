import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Keeper } from '../../../src/core/resource/keepers.ts';
import { findAutoscaler } from '../../../src/sync/autoscalers.ts';
import { FakeClock, settled } from '../../support/fakeClock.ts';
import { FakeCluster } from '../../support/fakeCluster.ts';

const ref = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};

function deployment(manager: string, subresource: string): JsonObject {
  const fieldsV1 = { 'f:spec': { 'f:replicas': {} } };
  const managedFields = [{ manager, operation: 'Update', subresource, fieldsType: 'FieldsV1', fieldsV1 }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', managedFields },
    spec: { replicas: 3 },
  };
}

const scaled = deployment('kube-controller-manager', 'scale');

function autoscaler(target: JsonObject): JsonObject {
  return { metadata: { name: 'web-scaler' }, spec: { scaleTargetRef: target } };
}

class Fixture {
  readonly cluster = new FakeCluster();
  readonly clock = new FakeClock();
  readonly cancel = new AbortController();

  find(object = scaled): Promise<Keeper | undefined> {
    return findAutoscaler(this.cluster, ref, object, this.clock, this.cancel.signal);
  }

  async answer(...objects: readonly JsonObject[]): Promise<void> {
    const [request] = this.cluster.requests;
    assert.ok(request?.kind === 'list');
    assert.equal(request.collection.namespace, 'shop');
    assert.equal(request.collection.gvr.resource, 'horizontalpodautoscalers');
    await request.page(objects);
  }
}

describe('the autoscaler of an object', () => {
  it('is the one that names it as its target, in whatever version of its group', async () => {
    const fixture = new Fixture();
    const found = fixture.find();
    await fixture.answer(
      autoscaler({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' }),
      autoscaler({ apiVersion: 'example.com/v1', kind: 'Deployment', name: 'web' }),
      autoscaler({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' }),
      autoscaler({ apiVersion: 'apps/v1beta2', kind: 'Deployment', name: 'web' }),
    );
    assert.deepEqual(await found, { kind: 'autoscaler', name: 'web-scaler' });
    assert.equal(fixture.clock.pendingTimers, 0);
  });

  it('is none where none names it, whatever one that is gone has set before', async () => {
    const fixture = new Fixture();
    const found = fixture.find();
    await fixture.answer();
    assert.equal(await found, undefined);
  });

  it('is known from managedFields where autoscalers cannot be listed', async () => {
    const expected: readonly (readonly [JsonObject, Keeper | undefined])[] = [
      [scaled, { kind: 'autoscaler' }],
      [deployment('kubectl', 'scale'), undefined],
      [deployment('kube-controller-manager', 'status'), undefined],
    ];
    for (const [object, keeper] of expected) {
      const fixture = new Fixture();
      const found = fixture.find(object);
      await settled();
      const [request] = fixture.cluster.requests;
      assert.ok(request?.kind === 'list');
      await request.answer({ kind: 'forbidden', message: 'no' });
      assert.deepEqual(await found, keeper);
    }
  });

  it('is not waited for longer than two seconds, nor after the save was cancelled', async () => {
    const slow = new Fixture();
    const found = slow.find();
    await slow.clock.advance(2000);
    assert.deepEqual(await found, { kind: 'autoscaler' });
    const cancelled = new Fixture();
    const other = cancelled.find();
    cancelled.cancel.abort();
    assert.deepEqual(await other, { kind: 'autoscaler' });
  });
});
