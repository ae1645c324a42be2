import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenObject } from './openObject.ts';
import { closeAll, isPutOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import { serveCustomServices, serveWidgets } from './widgets.ts';
import { configMap, deployment, node, widget } from './testObjects.ts';

describe('saving a live document', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
    await serveWidgets(fixture.other);
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('A3: sends the version and uid that it opened on, and the next save goes on from the response', async () => {
    const web = await fixture.createAndOpen(deployment());
    const { baseVersion, uid } = web.state;
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    const opened = await web.live();
    assert.equal(opened.spec.replicas, 2);
    await web.untilCurrent();

    await web.replace('replicas: 2', 'replicas: 3');
    await web.saveAndLand();
    assert.equal((await web.live()).spec.replicas, 3);
    const sent = fixture.puts(web).map(({ body }) => JSON.parse(body).metadata);
    assert.deepEqual(
      sent.map(({ resourceVersion, uid: sentUid }) => [resourceVersion, sentUid]),
      [
        [baseVersion, uid],
        [opened.metadata.resourceVersion, uid],
      ],
    );
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [200, 200],
    );
  });

  it('asks the server to check every field, as its own field manager', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    const { message } = await web.saveAndLand();
    assert.match(message, new RegExp(`^Saved Deployment ${web.ref.name} in ${fixture.namespace} · admin-`));
    const query = new URL(fixture.puts(web)[0]?.path ?? '', fixture.proxy.url).searchParams;
    assert.equal(query.get('fieldValidation'), 'Strict');
    assert.equal(query.get('fieldManager'), 'kubemerge');
  });

  it('A1: saves a Node whose status moved on meanwhile, without a word about it', async () => {
    const object = await fixture.createAndOpen(node());
    using phases = object.recordPhases();
    await object.replace('pool: blue', 'pool: green');
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Posted', message: 'newest' }];
    await object.patch({ status: { conditions } }, 'kubelet', '/status');
    await object.untilSeen();

    const { message } = await object.saveAndLand();
    assert.doesNotMatch(message, /status|Merged/);
    const live = await object.live();
    assert.equal(live.metadata.labels.pool, 'green');
    assert.equal(live.status.conditions[0].message, 'newest');
    const [put, ...more] = fixture.puts(object);
    assert.equal(more.length, 0);
    assert.equal(JSON.parse(put?.body ?? '').status.conditions[0].message, 'newest');
    assert.deepEqual([...phases.phases], ['fresh']);
  });

  it('A7: sends nothing where only a comment and spacing changed', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('spec:', '# why one\nspec:\n');
    const { kind, message } = await web.save();
    assert.equal(kind, 'unchanged');
    assert.match(message, /^Nothing to save/);
    assert.equal(fixture.puts(web).length, 0);
    assert.equal(web.document.isDirty, false);
    assert.match(web.text, /# why one\nspec:\n\n/);

    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 0);
  });

  for (const [what, make, search, replacement] of [
    ['built-in', deployment, 'replicas: 1', 'replicas: 2'],
    ['custom', () => widget({ size: 1 }), 'size: 1', 'size: 2'],
  ] as const) {
    it(`A9: sends the tracked version of a ${what} object whose text has lost the line`, async () => {
      const object = await fixture.createAndOpen(make());
      const { baseVersion } = object.state;
      await object.replace(/ {2}resourceVersion: .*\n/, '');
      await object.replace(search, replacement);
      await object.saveAndLand();
      const [put] = fixture.puts(object);
      assert.equal(JSON.parse(put?.body ?? '').metadata.resourceVersion, baseVersion);
      await object.untilCurrent();
    });
  }

  it('A9: sends no write without a version', () => {
    const versions = fixture.proxy
      .recorded('PUT')
      .map(({ body }) => JSON.parse(body).metadata.resourceVersion as unknown);
    assert.ok(versions.length > 0);
    assert.ok(versions.every((version) => typeof version === 'string' && /^[1-9]\d*$/.test(version)));
  });

  it('E4: keeps two Services of one name apart: each has a document, a tab and an endpoint of its own', async () => {
    await using _services = await serveCustomServices(fixture.other);
    const name = `twin-${String(Date.now())}`;
    const open = async (group: string, root: string, spec: object): Promise<OpenObject> => {
      const { namespace, context } = fixture;
      const collection = `${root}/namespaces/${namespace}/services`;
      const apiVersion = root.replace(/^\/apis?\//, '');
      const metadata = { name, labels: { team: 'red' } };
      await fixture.other.create(collection, { apiVersion, kind: 'Service', metadata, spec });
      const ref = { context, namespace, group, version: 'v1', resource: 'services', name };
      return await fixture.open({ path: `${collection}/${name}`, ref });
    };
    const core = await open('', '/api/v1', { ports: [{ port: 80 }] });
    const group = 'test.kubemerge.example';
    const custom = await open(group, `/apis/${group}/v1`, { size: 1 });
    assert.notEqual(core.uri.toString(), custom.uri.toString());
    const tabs = vscode.window.tabGroups.all.flatMap((tabGroup) => tabGroup.tabs);
    assert.equal(tabs.length, 2);
    await core.replace('team: red', 'team: core');
    await custom.replace('team: red', 'team: custom');
    await core.saveAndLand();
    await custom.saveAndLand();
    for (const [object, team] of [
      [core, 'core'],
      [custom, 'custom'],
    ] as const) {
      assert.equal(fixture.puts(object).length, 1);
      assert.equal((await object.live()).metadata.labels.team, team);
    }
  });

  it('A18: reads an object anew that is opened again', async () => {
    const web = await fixture.createAndOpen(deployment());
    await closeAll();
    await web.patch({ spec: { replicas: 4 } });
    const before = fixture.proxy.recorded('GET', web.path).length;
    const again = await fixture.open(web);
    await again.untilText('it shows what is there now', (text) => text.includes('replicas: 4'));
    assert.ok(fixture.proxy.recorded('GET', web.path).length > before);
    assert.equal(again.state.phase, 'fresh');
    await again.replace('replicas: 4', 'replicas: 5');
    await again.saveAndLand();
    assert.equal((await web.live()).spec.replicas, 5);
  });

  it('names the fields that the server made something else of', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('creationTimestamp: "2', 'creationTimestamp: "1');
    await web.replace('replicas: 1', 'replicas: 2');
    const { kind, message } = await web.save();
    assert.equal(kind, 'committed', message);
    assert.match(message, /The server ignored or changed metadata\.creationTimestamp/);
    await web.untilCurrent();
  });

  it('takes back into the text what the server ignored, also where nothing else was changed', async () => {
    const web = await fixture.createAndOpen(deployment());
    const { text } = web;
    await web.replace('creationTimestamp: "2', 'creationTimestamp: "1');
    const { kind, message } = await web.save();
    assert.equal(kind, 'committed', message);
    assert.match(message, /The server ignored or changed metadata\.creationTimestamp/);
    await web.untilText('it shows what the server holds', (now) => now === text);
    assert.equal(web.state.phase, 'fresh');
    await web.until('clean', ({ isDirty }) => !isDirty);
  });

  it('sends all of a large text at once, before its reading has caught up with the typing', async () => {
    const settings = await fixture.createAndOpen(configMap({ big: 'word '.repeat(24_000), mode: 'a' }));
    await settings.typeAfter('mode: a', 'bc');
    await settings.saveAndLand();
    assert.equal((await settings.live()).data.mode, 'abc');
    await settings.untilCurrent();
  });

  it('keeps what is typed while a save is under way, and saves it next', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(web), { kind: 'holdAnswer', until: gate.opened }, 1);
    const saving = web.save();
    await held.first;
    assert.equal(web.state.isSaving, true);
    await web.typeAfter('tier: front', 'end');
    gate.open();
    assert.equal((await saving).kind, 'committed');

    await web.until('the typing is known to be unsaved', ({ isDirty, isSaving }) => isDirty && !isSaving);
    assert.match(web.text, /tier: frontend\n/);
    assert.match(web.text, /replicas: 2/);
    assert.equal(web.isTabDirty, true);
    const between = await web.live();
    assert.equal(between.metadata.labels.tier, 'front');

    await web.saveAndLand();
    const after = await web.live();
    assert.equal(after.metadata.labels.tier, 'frontend');
    assert.deepEqual(after.spec, between.spec);
    await web.untilCurrent();
    assert.equal(fixture.puts(web).length, 2);
  });
});
