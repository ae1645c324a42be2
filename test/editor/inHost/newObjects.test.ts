import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
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
  async function openNew(resource: 'configmaps' | 'secrets', name: string): Promise<vscode.TextDocument> {
    const path = `/${fixture.context}/${clusterId}/${fixture.namespace}/-/v1/${resource}/${name}.k8s.yaml`;
    const uri = vscode.Uri.from({ scheme: 'k8s-new', path });
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

  it('is not created over one that exists: that is told, and the text stays', async () => {
    const { path, ref } = await fixture.create(configMap({ mode: 'a' }));
    const before = await fixture.other.get(path);
    const document = await openNew('configmaps', ref.name);
    await replace(document, 'key: value', 'key: other');
    assert.equal(await document.save(), false);
    assert.equal(document.isDirty, true);
    assert.deepEqual((await fixture.other.get(path)).data, before.data);
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

  it('H5: is not created in a read-only context', async () => {
    const document = await openNew('configmaps', 'refused');
    await configure('readOnlyContexts', [fixture.context]);
    await replace(document, 'key: value', 'key: other');
    assert.equal(await document.save(), false);
    assert.equal((await fixture.other.request('GET', pathOf('configmaps', 'refused'))).status, 404);
  });
});
