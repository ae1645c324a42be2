import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, isPutOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import type { OpenObject, SaveReport, Target } from './openObject.ts';
import { configMap, deployment, type TestObject } from './testObjects.ts';
import { until } from './until.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';

/** Rows of docs/save-outcomes.md that no other test shows in the editor, by the server itself wherever it can. */
describe('an answer of the server to a save', () => {
  let fixture: LiveFixture;
  /** What was made outside of the namespace. */
  const made: string[] = [];

  before(async () => {
    fixture = await openLiveFixture();
    await admit();
  });
  after(async () => {
    for (const path of made) await fixture.other.delete(path);
    await fixture[Symbol.asyncDispose]();
  });
  afterEach(closeAll);

  it('is that admission changed the edit: told with both values, and the text takes it', async () => {
    const web = await open('changed');
    await web.replace('replicas: 1', 'replicas: 2');
    const tried = await vscode.commands.executeCommand<SaveReport>('kubemerge.dryRun', web.uri);
    assert.equal(tried.kind, 'previewed');
    assert.match(tried.message, /Nothing was written.*spec\.replicas: you wrote 2, it holds 3\./);
    const { message } = await web.saveAndLand();
    assert.match(message, /The server ignored or changed spec\.replicas: you wrote 2, it holds 3\./);
    await web.untilCurrent();
    assert.match(web.text, /replicas: 3\n/);
  });

  it('is that an admission policy denies it: in its own words', async () => {
    const web = await open('limited');
    await refuse(web, ['replicas: 1', 'replicas: 9'], 'rejected', /the server refused .*at most 5 replicas/);
  });

  it('is that an admission webhook fails: nothing was written, and who has to mend it', async () => {
    const web = await open('broken');
    const words = /the admission webhook broken\.\S+ failed.*Nothing was written; whoever runs the webhook/;
    await refuse(web, ['replicas: 1', 'replicas: 2'], 'rejected', words);
  });

  it('is that Pod Security denies it: all that it said', async () => {
    const pod = await fixture.createAndOpen({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { containers: [{ name: 'app', image: 'web:0' }] },
    } as TestObject);
    const path = `/api/v1/namespaces/${fixture.namespace}`;
    const enforce = async (level: string | null): Promise<void> => {
      await fixture.other.patch(path, {
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } },
      });
    };
    await enforce('restricted');
    try {
      const denied = { spec: { containers: [{ name: 'app', image: 'web:2' }] } };
      await until('the server enforces it', () => isRefused(pod, denied));
      const words = /the server refused Pod .*violates PodSecurity "restricted:latest"/;
      await refuse(pod, ['image: web:0', 'image: web:1'], 'rejected', words);
    } finally {
      await enforce(null);
    }
  });

  it('is that a quota is used up: which one', async () => {
    const quotas = `/api/v1/namespaces/${fixture.namespace}/resourcequotas`;
    const hard = { 'services.loadbalancers': '0' };
    await fixture.other.create(quotas, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'small' },
      spec: { hard },
    });
    // No quota controller runs.
    await fixture.other.patch(`${quotas}/small/status`, { status: { hard, used: hard } });
    const front = await fixture.createAndOpen({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'front' },
      spec: { ports: [{ port: 80 }] },
    } as TestObject);
    const balanced = { spec: { type: 'LoadBalancer' } };
    await until('the quota counts', () => isRefused(front, balanced));
    const words = /would exceed the quota small of its namespace: .*exceeded quota: small/;
    await refuse(front, ['type: ClusterIP', 'type: LoadBalancer'], 'rejected', words);
  });

  it('is that a value is of the wrong type: marked at its line', async () => {
    const web = await open('plain');
    await refuse(web, ['replicas: 1', 'replicas: 99999999999'], 'rejected', /spec\.replicas: 99999999999 is/);
    assert.deepEqual(
      web.diagnostics.map(({ line }) => line),
      ['replicas: 99999999999'],
    );
  });

  it('is that it is too large for a request', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const long = `mode: ${'x'.repeat(3_200_000)}`;
    await refuse(settings, ['mode: a', long], 'rejected', /too large for the server: .*3145728/);
  });

  it('is 409, since the same field was changed while the save was on its way: a conflict, not another try', async () => {
    const web = await open('plain');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(web), { kind: 'hold', until: gate.opened }, 1);
    await web.replace('replicas: 1', 'replicas: 2');
    const { text } = web;
    const saving = web.save();
    await held.first;
    await web.patch({ spec: { replicas: 5 } }, 'kubectl-edit');
    gate.open();
    const { kind, message } = await saving;
    assert.equal(kind, 'conflict');
    assert.match(message, /changed the same field of Deployment .* \(by kubectl-edit, .*: spec\.replicas\./);
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [409],
    );
    assert.equal(web.text, text);
    assert.equal((await web.live()).spec.replicas, 5);
  });

  it('is not needed where live holds already what was changed: nothing is sent', async () => {
    const web = await open('plain');
    await web.replace('replicas: 1', 'replicas: 2');
    await web.patch({ spec: { replicas: 2 } }, 'kubectl-edit');
    await web.untilSeen();
    const { kind, message } = await web.save();
    assert.equal(kind, 'unchanged');
    assert.match(message, /already holds all that you changed/);
    assert.deepEqual(fixture.puts(web), []);
    await web.untilCurrent();
  });

  it('is that it timed out: read, and sent again where nothing was written', async () => {
    const web = await open('plain');
    using _timeout = fixture.proxy.inject(isPutOf(web), status(504, 'Timeout', 'did not complete'), 1);
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    assert.deepEqual(
      fixture.puts(web).map((put) => put.status),
      [504, 200],
    );
  });

  it('is that the sign-in is not accepted: to sign in, then to save again', async () => {
    const web = await open('plain');
    using refused = fixture.proxy.inject(isPutOf(web), status(401, 'Unauthorized', 'Unauthorized'));
    await refuse(web, ['replicas: 1', 'replicas: 2'], 'unauthenticated', /you are not signed in to admin-/);
    refused.dispose();
    await web.saveAndLand();
  });

  it('is a redirect: not followed', async () => {
    const web = await open('plain');
    const headers = { location: 'https://login.example.com/?token=swordfish' };
    using _redirect = fixture.proxy.inject(isPutOf(web), { kind: 'answer', status: 302, headers });
    const words = /a redirect \(302\) to login\.example\.com, which is not followed/;
    const { message } = await refuse(web, ['replicas: 1', 'replicas: 2'], 'rejected', words);
    assert.doesNotMatch(message, /swordfish/);
  });

  /** A Deployment that the admission of this name looks at. */
  function open(kind: string): Promise<OpenObject> {
    return fixture.createAndOpen(labelled(kind));
  }

  /** Saves an edit that is refused: the text stays, unsaved, and the server as it was. */
  async function refuse(
    object: OpenObject,
    [from, to]: readonly [string, string],
    kind: string,
    words: RegExp,
  ): Promise<SaveReport> {
    await object.replace(from, to);
    const { text } = object;
    const { metadata } = await object.live();
    const report = await object.save();
    assert.equal(report.kind, kind, report.message);
    assert.match(report.message, words);
    assert.match(report.message, /^Not saved: .*Your text is kept\.$/);
    assert.equal(object.text, text);
    assert.equal(object.document.isDirty, true);
    assert.equal((await object.live()).metadata.resourceVersion, metadata.resourceVersion);
    return report;
  }

  /** What the server would make of a change by someone else. */
  function tryOut({ path }: Target, body: unknown): ReturnType<LiveFixture['other']['request']> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    return fixture.other.request('PATCH', `${path}?dryRun=All`, { body, headers });
  }

  async function isRefused(target: Target, change: unknown): Promise<boolean> {
    return (await tryOut(target, change)).status >= 400;
  }

  /** Policies and a webhook, each for the Deployments of one label. */
  async function admit(): Promise<void> {
    const { namespace } = fixture;
    const rule = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
    const resourceRules = [{ ...rule, operations: ['UPDATE'] }];
    const selectors = (kind: string): Record<string, unknown> => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      objectSelector: { matchLabels: { admit: kind } },
    });
    const create = async (resource: string, body: Record<string, unknown>): Promise<void> => {
      const name = `${namespace}.example.com`;
      await fixture.other.create(`${admission}/${resource}`, { ...body, metadata: { name } });
      made.push(`${admission}/${resource}/${name}`);
    };
    const policyName = `${namespace}.example.com`;
    await create('mutatingadmissionpolicies', {
      spec: {
        matchConstraints: { ...selectors('changed'), resourceRules },
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 3}}' },
          },
        ],
      },
    });
    await create('mutatingadmissionpolicybindings', { spec: { policyName } });
    await create('validatingadmissionpolicies', {
      spec: {
        matchConstraints: { ...selectors('limited'), resourceRules },
        validations: [{ expression: 'object.spec.replicas <= 5', message: 'at most 5 replicas' }],
      },
    });
    await create('validatingadmissionpolicybindings', { spec: { policyName, validationActions: ['Deny'] } });
    await create('validatingwebhookconfigurations', {
      webhooks: [
        {
          name: `broken.${namespace}.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          // Nobody listens there.
          clientConfig: { url: 'https://127.0.0.1:1/' },
          ...selectors('broken'),
          rules: resourceRules,
        },
      ],
    });
    const [changed, limited, broken] = await Promise.all(
      ['changed', 'limited', 'broken'].map((kind) => fixture.create(labelled(kind))),
    );
    assert.ok(changed && limited && broken);
    const many = { spec: { replicas: 9 } };
    await until('admission looks at saves', async () => {
      const { json } = await tryOut(changed, many);
      return json.spec.replicas === 3 && (await isRefused(limited, many)) && (await isRefused(broken, many));
    });
  }
});

function labelled(kind: string): TestObject {
  const object = deployment();
  return { ...object, metadata: { ...object.metadata, labels: { app: 'web', admit: kind } } };
}

function status(code: number, reason: string, message: string) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
  return { kind: 'answer', status: code, headers, body } as const;
}
