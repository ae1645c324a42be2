import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FaultProxy } from '../../support/faultProxy.ts';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap } from './testObjects.ts';

describe('the context of a live document', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(async () => {
    await configure('readOnlyContexts', undefined);
    await configure('protectedContexts', undefined);
    await closeAll();
  });

  const writes = (): number => fixture.proxy.requests.filter(({ method }) => isWrite(method)).length;

  it('H5: opens documents read-only where the setting says so', async () => {
    await configure('readOnlyContexts', ['admin-*']);
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    assert.match(settings.state.readOnlyReason ?? '', /read-only.*"admin-\*"/);
    const { permissions } = await vscode.workspace.fs.stat(settings.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('H5: lets no command write where it is read-only, not even of a text that is dirty already', async () => {
    const dirty = await openDirty();
    const gone = await openDirty();
    const conflicted = await openDirty();
    await gone.deleteByOther();
    await gone.until('deleted', ({ phase }) => phase === 'deleted');
    await conflicted.patch({ data: { mode: 'theirs' } });
    await conflicted.until('conflicted', ({ phase }) => phase === 'conflicted');
    await configure('readOnlyContexts', [fixture.context]);
    await dirty.until('read-only', ({ readOnlyReason }) => readOnlyReason !== undefined);
    const before = writes();
    const { text } = dirty;
    const { kind, message } = await dirty.save();
    assert.equal(kind, 'readOnly');
    assert.match(message, /Context admin-\S+ is read-only/);
    assert.equal(dirty.text, text);
    assert.equal(dirty.document.isDirty, true);
    assert.equal(await dirty.document.save(), false);

    await run('recreate', gone);
    assert.equal((await fixture.other.request('GET', gone.path)).status, 404);
    await run('keepMine', conflicted);
    assert.equal((await conflicted.save()).kind, 'readOnly');
    assert.deepEqual((await conflicted.live()).data, { mode: 'theirs' });
    const bytes = new TextEncoder().encode(dirty.text);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(dirty.uri, bytes)));
    assert.equal(writes(), before);

    await configure('readOnlyContexts', []);
    await dirty.until('writable', ({ readOnlyReason }) => readOnlyReason === undefined);
    await dirty.saveAndLand();
    assert.deepEqual((await dirty.live()).data, { mode: 'mine' });
  });

  it('H5: says of a read-only context’s clean text why it is not saved', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await configure('readOnlyContexts', [fixture.context]);
    await settings.until('read-only', ({ readOnlyReason }) => readOnlyReason !== undefined);
    const { kind } = await settings.save();
    assert.ok(kind === 'readOnly' || kind === 'unchanged', kind);
    assert.equal(fixture.puts(settings).length, 0);
  });

  it('H5: sends no save of a protected context while nobody can be asked, and keeps the text', async () => {
    const dirty = await openDirty();
    const gone = await openDirty();
    await gone.deleteByOther();
    await gone.until('deleted', ({ phase }) => phase === 'deleted');
    await configure('protectedContexts', ['admin-*']);
    const before = writes();
    // Test mode answers each dialog with a no.
    assert.equal((await dirty.save()).kind, 'cancelled');
    await run('recreate', gone);
    assert.equal(writes(), before);
    assert.equal(dirty.document.isDirty, true);
    await configure('protectedContexts', undefined);
    await dirty.saveAndLand();
    assert.deepEqual((await dirty.live()).data, { mode: 'mine' });
  });

  it('H6: stays what it was when another becomes the current one; the message names it', async () => {
    const settings = await openDirty();
    const newer = `newer-${fixture.context}`;
    await fixture.writeKubeconfig(fixture.proxy.url, newer);
    // It can be opened once the kubeconfig's change was noticed.
    await fixture.open(await fixture.create(configMap({})), newer);
    const { message } = await settings.saveAndLand();
    assert.match(message, new RegExp(`in ${fixture.namespace} · ${fixture.context}\\.`));
    assert.ok(settings.uri.path.startsWith(`/${fixture.context}/`));
    assert.equal(fixture.puts(settings).length, 1);
  });

  it('H6: refuses saves once it points to another server, and takes them again once it is back', async () => {
    const settings = await openDirty();
    const { text } = settings;
    await using elsewhere = await FaultProxy.start({ target: fixture.server });
    await fixture.writeKubeconfig(elsewhere.url);
    const { readOnlyReason } = await settings.until('refused', (state) => state.readOnlyReason !== undefined);
    assert.match(readOnlyReason ?? '', /now points to another cluster/);
    const before = writes();
    const { kind, message } = await settings.save();
    assert.equal(kind, 'readOnly');
    assert.match(message, /now points to another cluster/);
    assert.equal(settings.text, text);
    assert.equal(settings.document.isDirty, true);
    assert.equal(writes(), before);
    assert.equal(elsewhere.requests.length, 0);

    await fixture.writeKubeconfig(fixture.proxy.url);
    await settings.until('writable', (state) => state.readOnlyReason === undefined);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
  });

  it('H6: sends nothing to another server, also before the kubeconfig’s change was noticed', async () => {
    const settings = await openDirty();
    await using elsewhere = await FaultProxy.start({ target: fixture.server });
    await fixture.writeKubeconfig(elsewhere.url);
    const report = await settings.save();
    assert.ok(['readOnly', 'committed'].includes(report.kind), report.kind);
    assert.equal(elsewhere.requests.length, 0);
    await fixture.writeKubeconfig(fixture.proxy.url);
    await settings.until('writable', (state) => state.readOnlyReason === undefined);
  });

  async function openDirty(): Promise<OpenObject> {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    return settings;
  }

  async function run(command: string, object: OpenObject): Promise<void> {
    await vscode.commands.executeCommand(`kubemerge.${command}`, object.uri);
  }
});

/** Access reviews are asked by POST, and write nothing. */
function isWrite(method: string): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE';
}
