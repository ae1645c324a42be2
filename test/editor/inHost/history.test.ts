import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ResourceRef } from '../../../src/core/resource/resourceRef.ts';
import { SaveHistory } from '../../../src/editor/saveHistory.ts';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { deployment, secret } from './testObjects.ts';
import { until } from './until.ts';

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

    // Of a save by another document, or in an earlier window, what is kept of it is compared.
    await web.patch({ spec: { replicas: 3 } });
    const [saved, live] = await until('what is live now is compared', async () => {
      await vscode.commands.executeCommand('kubemerge.compareWithSaved', web.uri);
      const compared = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(compared instanceof vscode.TabInputTextDiff);
      const sides = await Promise.all(
        [compared.original, compared.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
      );
      return sides[1]?.getText().includes('replicas: 3\n') === true ? sides : undefined;
    });
    assert.match(saved?.getText() ?? '', /replicas: 2\n/);
    assert.match(live?.getText() ?? '', /replicas: 3\n/);
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

  it('are bounded: of one object, in size, and in how many objects; the oldest go, the newest save stays', async () => {
    const globalStorage = await makeFolder();
    const ref = refOf('configmaps');
    const history = new SaveHistory(globalStorage);
    const uri = (name: string): vscode.Uri =>
      vscode.Uri.from({ scheme: 'k8s', path: `/c/i/n/-/v1/x/${name}` });
    const add = (name: string, atMs: number, text = 'a'): Promise<void> =>
      history.add(uri(name), ref, { atMs, before: text, after: text });
    for (let atMs = 1; atMs <= 25; atMs++) await add('often', atMs);
    const often = await history.list(uri('often'));
    assert.deepEqual([often.length, often[0]?.atMs, often.at(-1)?.atMs], [20, 25, 6]);
    const large = 'x'.repeat(1_500_000);
    for (let atMs = 31; atMs <= 33; atMs++) await add('large', atMs, large);
    assert.deepEqual(
      (await history.list(uri('large'))).map(({ atMs }) => atMs),
      [33],
    );
    const folder = vscode.Uri.joinPath(globalStorage, 'history').fsPath;
    await Promise.all(
      Array.from({ length: 199 }, (_, index) => {
        const changes = [{ atMs: 100 + index, before: 'a', after: 'b' }];
        const content = JSON.stringify({ path: uri(`many-${String(index)}`).path, changes });
        return writeFile(join(folder, `${String(index)}.json`), content);
      }),
    );
    await add('last', 1000);
    const objects = await history.objects();
    assert.equal(objects.length, 200);
    assert.equal(objects[0]?.uri.path, uri('last').path);
    assert.deepEqual(await history.list(uri('often')), []);
    await history.add(uri('secret'), refOf('secrets'), { atMs: 999, before: 'a', after: 'b' });
    assert.deepEqual(await history.list(uri('secret')), []);
    history.dispose();
    await vscode.workspace.fs.delete(globalStorage, { recursive: true });
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

async function makeFolder(): Promise<vscode.Uri> {
  return vscode.Uri.file(await mkdtemp(join(tmpdir(), 'kubemerge-history-')));
}

function refOf(resource: string): ResourceRef {
  return { context: 'c', namespace: 'n', gvr: { group: '', version: 'v1', resource }, name: 'x' };
}
