import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { acceptQuestion, leaveQuestion, whileAnswering } from './answering.ts';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject, SaveReport } from './openObject.ts';
import { autoscaler, configMap, deployment, type TestObject } from './testObjects.ts';

function withMetadata(object: TestObject, metadata: Readonly<Record<string, unknown>>): TestObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

describe('a save of what someone else keeps', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('goes through where a program asked for it by URI, and its message says by whom it may be undone', async () => {
    const annotations = { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'prod' };
    const ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4b', uid: 'u', controller: true },
    ];
    const settings = await fixture.createAndOpen(
      withMetadata(configMap({ mode: 'a' }), { annotations, ownerReferences }),
    );
    await settings.replace('mode: a', 'mode: mine');
    const { message } = await settings.saveAndLand();
    assert.match(message, /Helm \(release shop\) manages it: the next upgrade or rollback may undo/);
    assert.match(message, /belongs to ReplicaSet web-5d4b/);
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
  });

  it('of replicas that an autoscaler sets is told of it, and other fields are not', async () => {
    const web = await fixture.createAndOpen(deployment());
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: web.ref.name };
    const { ref } = await fixture.create({
      ...autoscaler(),
      spec: { maxReplicas: 5, scaleTargetRef: target },
    } as TestObject);
    await web.replace('image: web:0', 'image: web:1');
    assert.doesNotMatch((await web.saveAndLand()).message, /autoscaler/);
    await web.untilCurrent();
    await web.replace('replicas: 1', 'replicas: 3');
    const { message } = await web.saveAndLand();
    assert.match(message, new RegExp(`autoscaler ${ref.name} sets spec\\.replicas`));
    assert.equal((await web.live()).spec.replicas, 3);
  });
});

describe('a save that is confirmed with its dry run', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
    await configure('protectedContexts', [fixture.context]);
    await configure('save.dryRunFirst', true);
  });
  after(async () => {
    await configure('protectedContexts', undefined);
    await configure('save.dryRunFirst', undefined);
    await fixture[Symbol.asyncDispose]();
  });
  afterEach(closeAll);

  const isDryRun = ({ path }: { readonly path: string }): boolean => path.includes('dryRun=All');
  const open = async (): Promise<OpenObject> => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:1');
    return web;
  };

  it('H5: is sent when the person agrees to what the server would make of it, and not before', async () => {
    const web = await open();
    const { text } = web;
    const declined: SaveReport = await whileAnswering(web.save(), leaveQuestion);
    assert.equal(declined.kind, 'cancelled');
    assert.deepEqual(fixture.puts(web).map(isDryRun), [true]);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);

    await web.patch({ spec: { replicas: 5 } }, 'kubectl-edit');
    const agreed: SaveReport = await whileAnswering(web.save(), acceptQuestion);
    assert.equal(agreed.kind, 'committed', agreed.message);
    assert.deepEqual(fixture.puts(web).map(isDryRun).slice(-2), [true, false]);
    const { spec } = await web.live();
    assert.deepEqual([spec.replicas, spec.template.spec.containers[1].image], [5, 'web:1']);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.ok(
      !tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff),
      'the comparison is closed',
    );
  });

  it('H5: ends in what the server refuses, at its line, without a question', async () => {
    const web = await open();
    await web.replace('replicas: 1', 'replicas: -1');
    const { kind, message } = await web.save();
    assert.equal(kind, 'rejected', message);
    assert.deepEqual(
      web.diagnostics.map(({ line }) => line),
      ['replicas: -1'],
    );
    assert.deepEqual(fixture.puts(web).map(isDryRun), [true]);
  });
});
