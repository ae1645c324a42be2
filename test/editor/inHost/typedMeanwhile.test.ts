import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';

/** Puts a line into the text as a person does, in this very turn; nothing that is under way waits for it. */
function typeNow({ uri }: OpenObject, line: string): void {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), line);
  void vscode.workspace.applyEdit(edit);
}

describe('a command that meets typing, or is given what is not meant', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('reload keeps what is typed at the same moment, and sends nothing', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 5');
    let isTyped = false;
    const subscription = fixture.api.onDidChangeState((uri) => {
      if (isTyped || uri.toString() !== web.uri.toString()) return;
      isTyped = true;
      typeNow(web, '# typed\n');
    });
    await vscode.commands.executeCommand('kubemerge.reload', web.uri);
    subscription.dispose();
    assert.ok(isTyped);
    assert.equal(fixture.puts(web).length, 0);
    assert.match(web.text, /^# typed\n/);
    assert.equal(web.document.isDirty, true);
    assert.equal((await web.live()).spec.replicas, 1);
  });

  it('undoSave does not send along what is typed before its save', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.untilCurrent();
    const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== web.uri.toString()) return;
      subscription.dispose();
      const at = document.positionAt(document.getText().indexOf('replicas:'));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(web.uri, at, 'minReadySeconds: 7\n  ');
      void vscode.workspace.applyEdit(edit);
    });
    await vscode.commands.executeCommand('kubemerge.undoSave', web.uri);
    await web.untilText('it is typed', (text) => text.includes('minReadySeconds: 7'));
    assert.equal((await web.live()).spec.minReadySeconds, undefined);
    assert.match(web.text, /replicas: 1/);
    assert.equal(web.document.isDirty, true);
  });

  it('save and reload leave the active object alone where another file was named', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    const { text } = settings;
    const elsewhere = vscode.Uri.file('/elsewhere.yaml');
    for (const command of ['kubemerge.save', 'kubemerge.reload'] as const) {
      assert.equal(await vscode.commands.executeCommand(command, elsewhere), undefined);
    }
    assert.equal(fixture.puts(settings).length, 0);
    assert.equal(settings.text, text);
  });

  it('A13: recreate makes no object of another name', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    await settings.replace(`name: ${settings.ref.name}`, `name: ${settings.ref.name}-2`);
    await vscode.commands.executeCommand('kubemerge.recreate', settings.uri);
    assert.equal((await fixture.other.request('GET', `${settings.path}-2`)).status, 404);
    assert.equal(settings.state.phase, 'deleted');
  });

  it('save writes texts as UTF-8, whatever files of a person are in', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      const settings = await fixture.createAndOpen(configMap({ word: 'é', mode: 'a' }));
      assert.match(settings.text, /word: é/);
      await settings.replace('mode: a', 'mode: ü');
      await settings.saveAndLand();
      assert.deepEqual((await settings.live()).data, { word: 'é', mode: 'ü' });
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
