import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { deployment, secret } from './testObjects.ts';

describe('the saves that are kept', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('show the newest before and after, without a dialog, also of a closed document', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await closeAll();
    await vscode.commands.executeCommand('kubemerge.history', web.uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [before, after] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.match(before?.getText() ?? '', /replicas: 1\n/);
    assert.match(after?.getText() ?? '', /replicas: 2\n/);
    assert.doesNotMatch((before?.getText() ?? '') + (after?.getText() ?? ''), /resourceVersion/);
  });

  it('are undone by a conditional save that keeps what came since', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2 # more');
    await web.saveAndLand();
    await web.patch({ spec: { paused: true } }, 'kubectl-edit');
    await web.untilSeen();
    await vscode.commands.executeCommand('kubemerge.undoSave', web.uri);
    const live = await web.live();
    assert.equal(live.spec.replicas, 1);
    assert.equal(live.spec.paused, true);
    const [, undo] = fixture.puts(web).map(({ body }) => JSON.parse(body).metadata);
    assert.equal(undo.uid, web.state.uid);
    await web.untilCurrent();
    assert.match(web.text, /replicas: 1 # more/);
    await vscode.commands.executeCommand('kubemerge.undoSave', web.uri);
    assert.equal((await web.live()).spec.replicas, 2);
  });

  it('are not undone over a later change of the same field', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.patch({ spec: { replicas: 7 } }, 'hpa-controller');
    await web.untilSeen();
    await vscode.commands.executeCommand('kubemerge.undoSave', web.uri);
    assert.equal((await web.live()).spec.replicas, 7);
    assert.equal(fixture.puts(web).length, 1);
  });

  it('are undone in a text with other unsaved changes, which is left to be saved', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.untilCurrent();
    await web.replace('tier: front', 'tier: back');
    await vscode.commands.executeCommand('kubemerge.undoSave', web.uri);
    assert.match(web.text, /replicas: 1\n/);
    assert.match(web.text, /tier: back/);
    assert.equal(fixture.puts(web).length, 1);
    await web.saveAndLand();
    const live = await web.live();
    assert.deepEqual([live.spec.replicas, live.metadata.labels.tier], [1, 'back']);
  });

  it('H1: hold nothing of a Secret', async () => {
    const keys = await fixture.createAndOpen(secret({ password: 'aHVudGVyMg==' }));
    await keys.replace('aHVudGVyMg==', 'aHVudGVyMw==');
    await keys.saveAndLand();
    await closeAll();
    await vscode.commands.executeCommand('kubemerge.history', keys.uri);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
  });
});
