import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { WriteOutcome } from '../../src/core/errors.ts';
import { memberAt, withMember } from '../../src/core/json.ts';
import { until } from '../support/until.ts';
import { makeAuthority } from './certificates.ts';
import {
  type ClusterFixture,
  configMap,
  create,
  openFixture,
  read,
  update,
  withLabel,
} from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';

const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const services = { group: '', version: 'v1', resource: 'services' };
const explanation = 'replicas may not exceed the budget of the team. '.repeat(20).trim();

describe('admission of a real API server', () => {
  let fixture: ClusterFixture;
  let server: Server;
  let name: string;

  before(async () => {
    fixture = await openFixture();
    const authority = await makeAuthority();
    const own = await authority.issue({ commonName: 'webhook', addresses: ['127.0.0.1'] });
    server = createServer({ cert: own.certificate, key: own.key }, (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { uid } = (JSON.parse(body) as { request: { uid: string } }).request;
        // As controller-runtime denies.
        const status = { code: 403, reason: 'Forbidden', message: explanation };
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...review, response: { uid, allowed: false, status } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    name = `${fixture.namespace}.example.com`;
    const hook = (sort: string, atPort: number): unknown => ({
      name: `${sort}.${name}`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: {
        url: `https://127.0.0.1:${String(atPort)}/`,
        caBundle: Buffer.from(authority.certificate).toString('base64'),
      },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': fixture.namespace } },
      objectSelector: { matchLabels: { hook: sort } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }],
    });
    await fixture.other.create(webhooks, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      // Nobody listens at port 1.
      webhooks: [hook('deny', port), hook('broken', 1)],
    });
  });
  after(async () => {
    await fixture.other.delete(`${webhooks}/${name}`);
    await fixture[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('tells a denial by a webhook, 403 as it is, from missing rights, with all that it said', async () => {
    const outcome = await updateMeeting('deny');
    assert.ok(outcome?.kind === 'rejected', outcome?.kind);
    assert.deepEqual(outcome.denial, { kind: 'webhook', name: `deny.${name}` });
    assert.ok(outcome.message.includes(explanation));
  });

  it('tells a webhook that fails, 500 as it is, from a write that may have landed', async () => {
    const outcome = await updateMeeting('broken');
    assert.ok(outcome?.kind === 'rejected', outcome?.kind);
    assert.deepEqual(outcome.denial, { kind: 'webhookFailed', name: `broken.${name}` });
    assert.equal(outcome.code, 500);
  });

  /** Updates an object that this webhook is called for; the object must stay as it was. */
  async function updateMeeting(sort: string): Promise<WriteOutcome | undefined> {
    const { cluster } = fixture;
    const ref = fixture.ref(sort);
    await create(cluster, ref, configMap(sort));
    // The server takes a moment to know the webhook.
    let outcome: WriteOutcome | undefined;
    await until(async () => {
      const current = await read(cluster, ref);
      outcome = await update(cluster, ref, current, withLabel(current.object, 'hook', sort));
      if (outcome.kind === 'committed') return await relabel(ref);
      assert.equal((await read(cluster, ref)).resourceVersion, current.resourceVersion);
      return true;
    });
    return outcome;
  }

  /** Takes the label off again, where the webhook was not called yet. */
  async function relabel(ref: ReturnType<ClusterFixture['ref']>): Promise<false> {
    const current = await read(fixture.cluster, ref);
    await update(fixture.cluster, ref, current, withLabel(current.object, 'hook', 'none'));
    return false;
  }

  it('tells what a quota refuses', async () => {
    const { cluster, other, namespace } = fixture;
    const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
    const spec = { hard: { 'services.loadbalancers': '0' } };
    await other.create(quotas, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'small' },
      spec,
    });
    const status = { ...spec, used: { 'services.loadbalancers': '0' } };
    await other.patch(`${quotas}/small/status`, { status }, 'test-set-up');
    const ref = fixture.ref('front', services);
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'front' },
      spec: { ports: [{ port: 80 }] },
    };
    await create(cluster, ref, object);
    let outcome: WriteOutcome | undefined;
    await until(async () => {
      const { object: live, ...basis } = await read(cluster, ref);
      const wanted = withMember(live, 'spec', {
        ...(memberAt(live, 'spec') as object),
        type: 'LoadBalancer',
      });
      outcome = await update(cluster, ref, { ...basis, object: live }, wanted, { isDryRun: true });
      return outcome.kind !== 'committed';
    });
    assert.ok(outcome?.kind === 'rejected', outcome?.kind);
    assert.deepEqual(outcome.denial, { kind: 'quota', name: 'small' });
  });

  it('tells that a namespace which is being deleted takes nothing new', async () => {
    const { cluster, other } = fixture;
    const namespace = `${fixture.namespace}-going`;
    await other.create('/api/v1/namespaces', { metadata: { name: namespace } });
    // A Pod or object is not needed: no namespace controller runs, so it stays terminating.
    await other.delete(`/api/v1/namespaces/${namespace}`);
    const ref = { ...fixture.ref('late'), namespace };
    const outcome = await cluster.write({ kind: 'create', ref, object: configMap('late') }, noAbort);
    assert.ok(outcome.kind === 'rejected', outcome.kind);
    assert.deepEqual(outcome.denial, { kind: 'namespaceTerminating' });
  });

  it('still takes a missing right for that', async () => {
    const basis = await create(fixture.cluster, fixture.ref('foreign'), configMap('foreign'));
    const ref = { ...fixture.ref('foreign'), context: 'viewer' };
    const outcome = await update(fixture.viewer, ref, basis, withLabel(basis.object, 'a', 'b'));
    assert.equal(outcome.kind, 'forbidden');
  });
});
