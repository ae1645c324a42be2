import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { acceptQuestion, leaveQuestion } from './answering.ts';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';
import { until } from './until.ts';

/** Agrees to what is asked, a few times; where the questions do not end, they are left. */
async function agree(running: PromiseLike<unknown>): Promise<void> {
  let isOver = false;
  const ending = Promise.resolve(running).finally(() => (isOver = true));
  let asked = 0;
  await until('the command ends', async () => {
    await vscode.commands.executeCommand(asked++ < 30 ? acceptQuestion : leaveQuestion);
    return isOver;
  });
  await ending;
}

describe('what may not be written', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(async () => {
    await configure('readOnlyContexts', undefined);
    await closeAll();
  });

  /** All but reads, trials and the reviews of access, which store nothing. */
  const writes = (): readonly string[] =>
    fixture.proxy.requests
      .filter(({ method, path }) => method !== 'GET' && !/accessreviews|dryRun=All/.test(path))
      .map(({ method, path }) => `${method} ${path}`);

  const openDirty = async (): Promise<OpenObject> => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 6');
    return web;
  };

  // A test of all commands on an ordinary object is in secretSafety.test.ts.
  it('H5: is not written in any phase by what writes there, every question agreed to', async () => {
    const dirty = await openDirty();
    const conflicted = await openDirty();
    const gone = await openDirty();
    const terminating = await fixture.createAndOpen({
      ...configMap({ mode: 'a' }),
      metadata: { name: 'held', finalizers: ['test.kubemerge.example/hold'] },
    });
    await conflicted.patch({ spec: { replicas: 9 } });
    await conflicted.until('conflicted', ({ phase }) => phase === 'conflicted');
    await gone.deleteByOther();
    await gone.until('deleted', ({ phase }) => phase === 'deleted');
    await terminating.deleteByOther();
    await terminating.until('terminating', ({ phase }) => phase === 'terminating');
    await configure('readOnlyContexts', [fixture.context]);
    await dirty.until('read-only', ({ readOnlyReason }) => readOnlyReason !== undefined);
    const before = writes();

    const tried: readonly (readonly [string, OpenObject])[] = [
      ['save', dirty],
      ['createCopy', dirty],
      ['scale', dirty],
      ['recreate', gone],
      ['createCopy', gone],
      ['save', gone],
      ['keepMine', conflicted],
      ['save', conflicted],
      ['removeFinalizers', terminating],
      ['delete', terminating],
    ];
    for (const [command, object] of tried) {
      await agree(vscode.commands.executeCommand(`kubemerge.${command}`, object.uri));
      assert.deepEqual(writes(), before, command);
    }
    await vscode.commands.executeCommand('kubemerge.merge', conflicted.uri);
    await agree(vscode.commands.executeCommand('kubemerge.acceptMerge'));
    assert.deepEqual(writes(), before);
    assert.equal((await dirty.live()).spec.replicas, 1);
    assert.equal((await conflicted.live()).spec.replicas, 9);
    assert.equal((await terminating.live()).metadata.finalizers.length, 1);
    assert.equal((await fixture.other.request('GET', gone.path)).status, 404);
    await terminating.patch({ metadata: { finalizers: null } });
  });

  it('I6: follows rights that are given and taken while it is open', async () => {
    const target = await fixture.create(configMap({ mode: 'a' }));
    const settings = await fixture.open(target, fixture.viewerContext);
    const other = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const turnTo = async (isLocked: boolean): Promise<void> => {
      await other.show();
      await settings.show();
      await settings.until('it follows', ({ readOnlyReason }) => (readOnlyReason !== undefined) === isLocked);
      const { permissions } = await vscode.workspace.fs.stat(settings.uri);
      assert.equal(permissions === vscode.FilePermission.Readonly, isLocked);
    };
    await turnTo(true);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${fixture.namespace}`;
    const metadata = { name: 'viewer-edits-for-a-while' };
    await fixture.other.create(`${rbac}/roles`, {
      metadata,
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['update'] }],
    });
    await fixture.other.create(`${rbac}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    });
    await until('the right is known', async () => {
      await other.show();
      await settings.show();
      return settings.state.readOnlyReason === undefined;
    });
    await turnTo(false);
    await settings.replace('mode: a', 'mode: b');
    await settings.saveAndLand();
    await settings.untilCurrent();
    await fixture.other.delete(`${rbac}/rolebindings/${metadata.name}`);
    await until('the loss is known', async () => {
      await other.show();
      await settings.show();
      return settings.state.readOnlyReason !== undefined;
    });
    await turnTo(true);
  });

  it('I6: follows the setting and a deletion, each way, while it is open', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const isLocked = async (): Promise<boolean> => {
      const { permissions } = await vscode.workspace.fs.stat(settings.uri);
      return permissions === vscode.FilePermission.Readonly;
    };
    assert.equal(await isLocked(), false);
    const mtimes = [(await vscode.workspace.fs.stat(settings.uri)).mtime];

    await configure('readOnlyContexts', [fixture.context]);
    await until('it is locked', isLocked);
    await configure('readOnlyContexts', undefined);
    await until('it is unlocked', async () => !(await isLocked()));
    mtimes.push((await vscode.workspace.fs.stat(settings.uri)).mtime);
    await settings.replace('mode: a', 'mode: b');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'b' });

    // Back to what it was: the older state is followed as any.
    await settings.untilCurrent();
    await settings.patch({ data: { mode: 'a' } });
    await settings.untilText('the older value is followed', (text) => text.includes('mode: a'));
    mtimes.push((await vscode.workspace.fs.stat(settings.uri)).mtime);
    assert.deepEqual(
      mtimes,
      mtimes.toSorted((one, other) => one - other),
    );

    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(settings.uri)), /EntryNotFound/);
    assert.match(settings.text, /mode: a/);
  });
});
