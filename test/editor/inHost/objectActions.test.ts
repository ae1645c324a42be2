import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { acceptQuestion, whileAnswering } from './answering.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, type TestObject } from './testObjects.ts';
import { until } from './until.ts';

describe('actions on a live object', () => {
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

  const isThere = async ({ path }: OpenObject): Promise<boolean> =>
    (await fixture.other.request('GET', path)).status === 200;
  const deletes = (): number => fixture.proxy.recorded('DELETE').length;

  it('deletes the object and keeps the unsaved text, which is said to be of a deleted object', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    await whileAnswering(vscode.commands.executeCommand('kubemerge.delete', settings.uri), acceptQuestion);
    assert.equal(await isThere(settings), false);
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    assert.match(settings.text, /mode: mine/);
    assert.equal(settings.document.isDirty, true);
  });

  it('H5: deletes nothing in a read-only context, and asks nothing before it says so', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await configure('readOnlyContexts', [fixture.context]);
    const before = deletes();
    // A question would never be answered.
    await vscode.commands.executeCommand('kubemerge.delete', settings.uri);
    assert.equal(deletes(), before);
    assert.equal(await isThere(settings), true);
  });

  it('H5: deletes nothing in a protected context when its name is not typed', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await configure('protectedContexts', [fixture.context]);
    const before = deletes();
    await whileAnswering(vscode.commands.executeCommand('kubemerge.delete', settings.uri), acceptQuestion);
    assert.equal(deletes(), before);
    assert.equal(await isThere(settings), true);
  });

  it('removes the finalizers that are chosen of an object that is being deleted, which lets it go', async () => {
    const object = configMap({ mode: 'a' });
    const finalizers = ['test.kubemerge.example/hold'];
    const held = await fixture.createAndOpen({ ...object, metadata: { ...object.metadata, finalizers } });
    const removing = (): Thenable<unknown> =>
      vscode.commands.executeCommand('kubemerge.removeFinalizers', held.uri);
    // It is not held up in its deletion yet: a question would never be answered.
    await removing();
    await held.deleteByOther();
    const { liveVersion } = await held.until('terminating', ({ phase }) => phase === 'terminating');
    // Nothing is ticked before the person ticks it.
    await whileAnswering(removing(), acceptQuestion);
    assert.equal(await isThere(held), true);
    assert.equal(fixture.puts(held).length, 0);
    const tickAndAccept = async (): Promise<void> => {
      for (const key of ['quickOpenSelectNext', 'quickPickManyToggle', 'acceptSelectedQuickOpenItem'])
        await vscode.commands.executeCommand(`workbench.action.${key}`);
    };
    await until('it is let go', async () => {
      // Keys that come before the question are lost, so nothing may have been ticked.
      await whileAnswering(removing(), tickAndAccept);
      return !(await isThere(held));
    });
    const [put, ...more] = fixture.puts(held);
    assert.equal(more.length, 0);
    const { metadata } = JSON.parse(put?.body ?? '');
    assert.deepEqual([metadata.resourceVersion, metadata.uid], [liveVersion, held.state.uid]);
    await held.until('gone', ({ phase }) => phase === 'deleted');
  });

  it('I6: a mirror pod opens read-only, and says where it is changed', async () => {
    const pod = await fixture.createAndOpen({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'static', annotations: { 'kubernetes.io/config.mirror': 'hash' } },
      spec: { nodeName: 'node', containers: [{ name: 'app', image: 'web:0' }] },
    } as TestObject);
    assert.match(pod.state.readOnlyReason ?? '', /mirror of a static pod/);
    const { permissions } = await vscode.workspace.fs.stat(pod.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });
});
