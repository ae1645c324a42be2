import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/core/json.ts';
import { toCopy } from '../../../../src/core/resource/copiedObject.ts';

const metadata = {
  name: 'old',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['example.com/wait'],
  ownerReferences: [{ kind: 'Owner', name: 'o', uid: 'v' }],
  labels: { app: 'web' },
};
const copied = { name: 'new', namespace: 'shop', labels: { app: 'web' } };

describe('toCopy', () => {
  it('leaves out version, identity, owners, finalizers and status, and takes the new name', () => {
    const object: JsonObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { a: 'b' },
      status: {},
    };
    assert.deepEqual(toCopy(object, 'new', 'shop'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: copied,
      data: { a: 'b' },
    });
  });

  it('leaves out the addresses and node ports of a Service, and keeps its ports', () => {
    const spec = {
      clusterIP: '10.0.0.7',
      clusterIPs: ['10.0.0.7'],
      healthCheckNodePort: 31000,
      ports: [{ port: 80, nodePort: 30080 }],
      type: 'NodePort',
    };
    assert.deepEqual(toCopy({ apiVersion: 'v1', kind: 'Service', metadata, spec }, 'new', 'shop')['spec'], {
      ports: [{ port: 80 }],
      type: 'NodePort',
    });
  });

  it('leaves out the selector of a Job and the labels that meet it, unless they are the person’s own', () => {
    const labels = { 'controller-uid': 'u', 'batch.kubernetes.io/job-name': 'old', app: 'web' };
    const selector = { matchLabels: { 'controller-uid': 'u' } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata };
    const spec = { selector, template: { metadata: { labels } } };
    assert.deepEqual(toCopy({ ...job, spec }, 'new', 'shop')['spec'], {
      template: { metadata: { labels: { app: 'web' } } },
    });
    const manual = { ...spec, manualSelector: true };
    assert.deepEqual(toCopy({ ...job, spec: manual }, 'new', 'shop')['spec'], manual);
  });

  it('leaves out the node of a Pod and the volume of a claim', () => {
    const pod = toCopy(
      { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'n', a: 1 } },
      'new',
      'shop',
    );
    assert.deepEqual(pod['spec'], { a: 1 });
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { volumeName: 'v', a: 1 },
    };
    assert.deepEqual(toCopy(claim, 'new', undefined)['metadata'], { name: 'new', labels: { app: 'web' } });
    assert.deepEqual(toCopy(claim, 'new', undefined)['spec'], { a: 1 });
  });
});
