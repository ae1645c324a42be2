import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap } from './testObjects.ts';
import { until } from './until.ts';

const global = vscode.ConfigurationTarget.Global;

describe('what the editor can do with any document', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  const openDirty = async (): Promise<OpenObject> => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    return settings;
  };
  const sent = (object: OpenObject): readonly { data: unknown; metadata: Record<string, unknown> }[] =>
    fixture.puts(object).map(({ body }) => JSON.parse(body));

  it('Save All saves each live document as its own conditional write', async () => {
    const [one, two] = [await openDirty(), await openDirty()];
    await one.patch({ metadata: { labels: { team: 'red' } } });
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
    for (const object of [one, two]) {
      await object.until('it is saved', ({ isDirty, isSaving }) => !isDirty && !isSaving);
      assert.deepEqual((await object.live()).data, { mode: 'mine' });
      for (const { metadata } of sent(object)) assert.ok(metadata.resourceVersion && metadata.uid);
    }
    assert.equal((await one.live()).metadata.labels.team, 'red');
  });

  it('C1: trimming and final newlines, on for all files, change no value of an object', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const names = ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'];
    for (const name of names) await files.update(name, true, global);
    try {
      const text = 'alpha \nbeta\n\n\n';
      const settings = await fixture.createAndOpen(configMap({ mode: 'a', text }));
      await settings.replace('mode: a', 'mode: b');
      await settings.saveAndLand();
      assert.deepEqual(sent(settings)[0]?.data, { mode: 'b', text });
    } finally {
      for (const name of names) await files.update(name, undefined, global);
    }
  });

  it('a formatter that runs on save is part of what is saved; Save without Formatting leaves it out', async () => {
    const editor = vscode.workspace.getConfiguration('editor', { languageId: 'k8s-object' });
    await editor.update('formatOnSave', true, global, true);
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('k8s-object', {
      provideDocumentFormattingEdits: (document) => {
        const offset = document.getText().indexOf('mode: mine');
        if (offset < 0) return [];
        const start = document.positionAt(offset);
        return [vscode.TextEdit.replace(new vscode.Range(start, start.translate(0, 10)), 'mode: formatted')];
      },
    });
    try {
      const settings = await openDirty();
      await settings.run('workbench.action.files.saveWithoutFormatting');
      await settings.until('it is saved as it is', ({ isDirty, isSaving }) => !isDirty && !isSaving);
      assert.deepEqual((await settings.live()).data, { mode: 'mine' });
      await settings.untilCurrent();
      await settings.replace('mode: mine', 'mode: mine\n  more: b');
      await settings.show();
      await settings.saveAndLand();
      assert.deepEqual((await settings.live()).data, { mode: 'formatted', more: 'b' });
    } finally {
      formatter.dispose();
      await editor.update('formatOnSave', undefined, global, true);
    }
  });

  it('the save that a task starts is as deliberate, and as conditional, as any', async () => {
    const settings = await openDirty();
    await settings.patch({ data: { other: 'b' } });
    const execution = new vscode.ProcessExecution(process.execPath, ['--version']);
    const scope = vscode.TaskScope.Workspace;
    await vscode.tasks.executeTask(new vscode.Task({ type: 'test' }, scope, 'run', 'test', execution));
    await settings.until('it is saved', ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.deepEqual((await settings.live()).data, { mode: 'mine', other: 'b' });
  });

  it('a split editor is the same document: closing one half leaves the other live', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.run('workbench.action.splitEditor');
    const groups = vscode.window.tabGroups.all;
    assert.equal(groups.length, 2);
    await settings.replace('mode: a', 'mode: b');
    await settings.saveAndLand();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await settings.patch({ data: { mode: 'other' } });
    await settings.untilText('the other half follows', (text) => text.includes('mode: other'));
    assert.equal(settings.state.liveness.kind, 'live');
  });

  it('the side of a comparison that is the document itself can be edited and saved', async () => {
    const settings = await openDirty();
    await vscode.commands.executeCommand('kubemerge.compareWithLive', settings.uri);
    await until('the comparison is shown', () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff ? true : undefined;
    });
    await settings.replace('mode: mine', 'mode: compared');
    await vscode.commands.executeCommand('workbench.action.files.save');
    await settings.until('it is saved', ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.deepEqual((await settings.live()).data, { mode: 'compared' });
  });

  it('Revert brings back the text as it was last read, which then follows the cluster', async () => {
    const settings = await openDirty();
    await settings.patch({ data: { mode: 'other' } });
    await settings.untilSeen();
    await settings.run('workbench.action.files.revert');
    await settings.untilText('live is shown', (text) => text.includes('mode: other'));
    await settings.untilCurrent();
    assert.equal(fixture.puts(settings).length, 0);
  });

  it('is copied to a file as its text; renaming, deleting, or writing it elsewhere is refused', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const copy = vscode.Uri.joinPath(folder, 'copy.yaml');
    await vscode.workspace.fs.copy(settings.uri, copy, { overwrite: true });
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(copy)), settings.text);
    const elsewhere = settings.uri.with({ path: settings.uri.path.replace(/[^/]+$/, 'other.k8s.yaml') });
    await assert.rejects(
      async () => vscode.workspace.fs.rename(settings.uri, elsewhere),
      /cannot be renamed/,
    );
    await assert.rejects(async () => vscode.workspace.fs.delete(settings.uri), /does not delete the object/);
    await assert.rejects(
      async () => vscode.workspace.fs.writeFile(elsewhere, new TextEncoder().encode(settings.text)),
      /Only an object that is open can be saved/,
    );
    assert.equal(fixture.proxy.recorded('PUT', '/other').length, 0);
    await vscode.workspace.fs.delete(copy);
  });

  it('replacing in several documents, or an edit by another extension, sends nothing until each is saved', async () => {
    const both = [
      await fixture.createAndOpen(configMap({ mode: 'a' })),
      await fixture.createAndOpen(configMap({ mode: 'a' })),
    ];
    const edit = new vscode.WorkspaceEdit();
    for (const { uri, document } of both) {
      const start = document.positionAt(document.getText().indexOf('mode: a'));
      edit.replace(uri, new vscode.Range(start, start.translate(0, 7)), 'mode: all');
    }
    assert.ok(await vscode.workspace.applyEdit(edit));
    for (const object of both) {
      assert.equal(object.document.isDirty, true);
      assert.equal(fixture.puts(object).length, 0);
      await object.saveAndLand();
      assert.deepEqual((await object.live()).data, { mode: 'all' });
    }
  });
});
