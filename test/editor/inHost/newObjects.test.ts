import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { createNamespace } from '../../support/sharedApiServer.ts';
import { configMap } from './testObjects.ts';
import { until } from './until.ts';

describe('a new object', () => {
  let fixture: LiveFixture;
  let clusterId: string;

  before(async () => {
    fixture = await openLiveFixture();
    const any = await fixture.createAndOpen(configMap({ mode: 'a' }));
    clusterId = any.uri.path.split('/')[2] ?? '';
    await closeAll();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(async () => {
    await configure('readOnlyContexts', undefined);
    await closeAll();
  });

  /** Opens the template of a ConfigMap or a Secret as the command does after its questions. */
  async function openNew(
    resource: 'configmaps' | 'secrets',
    name: string,
    namespace = fixture.namespace,
  ): Promise<vscode.TextDocument> {
    const query = `${name}.k8s.yaml`;
    const path = `/${fixture.context}/${clusterId}/${namespace}/-/v1/${resource}/${query}`;
    const uri = vscode.Uri.from({ scheme: 'k8s-new', path, query });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }
  const pathOf = (resource: string, name: string): string =>
    `/api/v1/namespaces/${fixture.namespace}/${resource}/${name}`;
  const posts = (resource: string) =>
    fixture.proxy.recorded('POST').filter(({ path }) => path.includes(`/${resource}?`));
  async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const start = document.getText().indexOf(from);
    assert.ok(start >= 0, document.getText());
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)),
      to,
    );
    await vscode.workspace.applyEdit(edit);
  }
  const shownUri = (): vscode.Uri | undefined => vscode.window.activeTextEditor?.document.uri;

  it('begins as a template, is created by a save, once, and goes on as the live object', async () => {
    const document = await openNew('configmaps', 'fresh');
    assert.match(document.getText(), /kind: ConfigMap\nmetadata:\n {2}name: fresh\n {2}namespace: /);
    assert.equal(document.isDirty, false);
    await replace(document, 'key: value', 'mode: fast # mine');
    assert.equal(await document.save(), true);
    const live = await fixture.other.get(pathOf('configmaps', 'fresh'));
    assert.deepEqual(live.data, { mode: 'fast' });
    assert.equal(posts('configmaps').length, 1);
    await until('the live object takes its place', () => (shownUri()?.scheme === 'k8s' ? true : undefined));
    await until('the new text is closed', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length === 1 ? true : undefined,
    );
  });

  it('I7: is not created by an auto-save', async () => {
    const files = vscode.workspace.getConfiguration('files', { languageId: 'k8s-object' });
    const global = vscode.ConfigurationTarget.Global;
    await files.update('autoSaveDelay', 50, global);
    await files.update('autoSave', 'afterDelay', global, true);
    try {
      const document = await openNew('configmaps', 'half-typed');
      const autoSaved = new Promise<void>((resolve) => {
        const subscription = vscode.workspace.onWillSaveTextDocument((event) => {
          if (event.document !== document) return;
          assert.equal(event.reason, vscode.TextDocumentSaveReason.AfterDelay);
          subscription.dispose();
          resolve();
        });
      });
      const before = posts('configmaps').length;
      await replace(document, 'key: value', 'key: half');
      await autoSaved;
      await replace(document, 'key: half', 'key: whole');
      assert.equal(document.isDirty, true);
      assert.equal(await document.save(), true);
      assert.equal(posts('configmaps').length, before + 1);
      const { data } = await fixture.other.get(pathOf('configmaps', 'half-typed'));
      assert.deepEqual(data, { key: 'whole' });
    } finally {
      await files.update('autoSave', undefined, global, true);
      await files.update('autoSaveDelay', undefined, global);
    }
  });

  it('is not created over one that exists: that is told, and the text stays', async () => {
    const { path, ref } = await fixture.create(configMap({ mode: 'a' }));
    const before = await fixture.other.get(path);
    const document = await openNew('configmaps', ref.name);
    await replace(document, 'key: value', 'key: other');
    assert.equal(await document.save(), false);
    assert.equal(document.isDirty, true);
    assert.deepEqual((await fixture.other.get(path)).data, before.data);
  });

  it('is not created in a namespace that is being deleted, which is told', async () => {
    const namespace = await createNamespace(fixture.other, 'going');
    // No namespace controller runs: it stays as it is then.
    await fixture.other.delete(`/api/v1/namespaces/${namespace}`);
    const document = await openNew('configmaps', 'late', namespace);
    await replace(document, 'key: value', 'key: other');
    const bytes = new TextEncoder().encode(document.getText());
    await assert.rejects(
      async () => vscode.workspace.fs.writeFile(document.uri, bytes),
      /Not created: .*the namespace is being deleted, and nothing can be created in it/,
    );
    assert.equal(document.isDirty, true);
  });

  it('H1: is not sent with plain text under data of a Secret, nor with errors, which are marked', async () => {
    const document = await openNew('secrets', 'fresh-secret');
    assert.match(document.getText(), /stringData:\n {2}key: value\n/);
    await replace(document, 'stringData:', 'data:');
    const before = posts('secrets').length;
    assert.equal(await document.save(), false);
    assert.equal(posts('secrets').length, before);
    const marked = vscode.languages.getDiagnostics(document.uri).map(({ code }) => code);
    assert.deepEqual(marked, ['secretNotBase64']);
    await replace(document, '\ndata:', '\nstringData:');
    assert.equal(await document.save(), true);
    const live = await fixture.other.get(pathOf('secrets', 'fresh-secret'));
    assert.deepEqual(live.data, { key: Buffer.from('value').toString('base64') });
  });

  it('is sent by no gesture but a save: not by auto-save, revert, copying, or a text written past it', async () => {
    const before = fixture.proxy.recorded('POST').length;
    const document = await openNew('configmaps', 'unsent');
    const template = document.getText();
    const files = vscode.workspace.getConfiguration('files', { languageId: 'k8s-object' });
    assert.equal(files.get('autoSave'), 'off');
    const global = vscode.ConfigurationTarget.Global;
    await files.update('autoSaveDelay', 50, global);
    await files.update('autoSave', 'afterDelay', global, true);
    try {
      const autoSaved = new Promise<void>((resolve) => {
        const subscription = vscode.workspace.onWillSaveTextDocument(({ reason }) => {
          if (reason !== vscode.TextDocumentSaveReason.AfterDelay) return;
          subscription.dispose();
          resolve();
        });
      });
      await replace(document, 'key: value', 'key: mine');
      await autoSaved;
    } finally {
      await files.update('autoSave', undefined, global, true);
      await files.update('autoSaveDelay', undefined, global);
    }
    assert.equal(document.isDirty, true);

    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const copy = vscode.Uri.joinPath(folder, 'copy.yaml');
    await vscode.workspace.fs.copy(document.uri, copy, { overwrite: true });
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(copy)), template);
    await vscode.workspace.fs.delete(copy);
    const elsewhere = document.uri.with({ path: document.uri.path.replace('unsent', 'elsewhere') });
    await assert.rejects(
      async () => vscode.workspace.fs.rename(document.uri, elsewhere),
      /cannot be renamed/,
    );
    await assert.rejects(async () => vscode.workspace.fs.delete(document.uri), /does not delete the object/);
    await assert.rejects(
      async () => vscode.workspace.fs.writeFile(elsewhere, new TextEncoder().encode(document.getText())),
      /Only a new object that is open in a tab is created/,
    );

    await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
    await until('the text is compared with its template', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff
        ? true
        : undefined,
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), template);
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal(fixture.proxy.recorded('POST').length, before);
  });

  it('is one text in a split editor, formatted on save, and created by Save All', async () => {
    const editor = vscode.workspace.getConfiguration('editor', { languageId: 'k8s-object' });
    const global = vscode.ConfigurationTarget.Global;
    await editor.update('formatOnSave', true, global, true);
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('k8s-object', {
      provideDocumentFormattingEdits: (text) => {
        const start = text.positionAt(text.getText().indexOf('key: mine'));
        return [vscode.TextEdit.replace(new vscode.Range(start, start.translate(0, 9)), 'key: formatted')];
      },
    });
    try {
      const document = await openNew('configmaps', 'split');
      await vscode.commands.executeCommand('workbench.action.splitEditor');
      await replace(document, 'key: value', 'key: mine');
      await vscode.commands.executeCommand('workbench.action.files.saveAll');
      const live = await fixture.other.get(pathOf('configmaps', 'split'));
      assert.deepEqual(live.data, { key: 'formatted' });
      const shown = (): readonly string[] =>
        vscode.window.tabGroups.all.flatMap(({ tabs }) =>
          tabs.map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.scheme : '')),
        );
      await until('the live object takes its place in both halves', () =>
        shown().every((scheme) => scheme === 'k8s') ? true : undefined,
      );
    } finally {
      formatter.dispose();
      await editor.update('formatOnSave', undefined, global, true);
    }
  });

  it('H5: is not created in a read-only context', async () => {
    const document = await openNew('configmaps', 'refused');
    await configure('readOnlyContexts', [fixture.context]);
    await replace(document, 'key: value', 'key: other');
    assert.equal(await document.save(), false);
    assert.equal((await fixture.other.request('GET', pathOf('configmaps', 'refused'))).status, 404);
  });
});
