import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readFile, stat } from 'node:fs/promises';
import { closeAll, isWatchOf, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { configMap } from './testObjects.ts';
import { until } from './until.ts';

describe('the connections of live documents', () => {
  let fixture: LiveFixture;
  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  // First, since the documents of other tests are kept by VS Code for minutes.
  it('B8: are as many after fifty openings and closings as before, and no watch is left', async () => {
    const kept = await fixture.createAndOpen(configMap({ mode: 'kept' }));
    const target = await fixture.create(configMap({ mode: 'a' }));
    // As a person opens it: a document that an extension opened is kept by VS Code for minutes.
    const uri = kept.uri.with({ path: kept.uri.path.replace(kept.ref.name, target.ref.name) });
    const openAndClose = async (): Promise<void> => {
      await vscode.commands.executeCommand('vscode.open', uri);
      await until('its watch is live', () => fixture.api.state(uri)?.liveness.kind === 'live' || undefined);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('it is closed', () => fixture.api.state(uri) === undefined || undefined);
    };
    await openAndClose();
    const watchOfKept = 1;
    const isQuiet = (): true | undefined => fixture.proxy.connectionCount <= watchOfKept + 1 || undefined;
    await until('its connection is closed', isQuiet);
    for (let round = 0; round < 50; round++) await openAndClose();
    await until('as many connections as before', isQuiet);
    assert.equal(fixture.proxy.requests.filter(isWatchOf(target)).length, 51);
  }).timeout(90_000);

  it('B6: cut in the middle of a line, a change of the gap marks a dirty text stale', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a', size: '1' }));
    await settings.replace('mode: a', 'mode: mine');
    using cut = fixture.proxy.inject(isWatchOf(settings), { kind: 'truncate', bytes: 150 }, 1);
    fixture.proxy.cutConnections();
    await settings.patch({ data: { size: '2' } });
    const { foreign } = await settings.until('stale', ({ phase }) => phase === 'stale');
    assert.deepEqual(
      foreign.map(({ path }) => path),
      ['data.size'],
    );
    await settings.until('live again', ({ liveness }) => liveness.kind === 'live');
    assert.ok(cut.met.length === 1 || settings.state.phase === 'stale');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine', size: '2' });
  });

  it('B8: down while an object is deleted, its text learns it when they are back', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    await fixture.proxy.pause();
    await settings.until('not live', ({ liveness }) => liveness.kind === 'reconnecting');
    await settings.deleteByOther();
    await fixture.proxy.resume();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    assert.equal(settings.document.isDirty, true);
  });

  it('B10: refused with 401, they are tried once more with fresh credentials, then not before a sign-in', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    using refused = fixture.proxy.inject(isWatchOf(settings), { kind: 'answer', status: 401 });
    fixture.proxy.cutConnections();
    const { liveness } = await settings.until('refused', (state) => state.liveness.kind === 'notWatched');
    assert.ok(liveness.kind === 'notWatched' && liveness.needsSignIn === true);
    const asked = refused.met.length;
    refused.dispose();
    assert.ok(asked <= 2, `${String(asked)} requests`);
    // Whatever changes in the kubeconfig may be what was wanted.
    await fixture.writeKubeconfig(fixture.proxy.url, `signed-in-${fixture.context}`);
    await settings.until('live again', (state) => state.liveness.kind === 'live');
  });

  it('D12: leave the kubeconfig as it is, whatever is done', async () => {
    const { kubeconfigPath } = fixture;
    const before = [await readFile(kubeconfigPath, 'utf8'), (await stat(kubeconfigPath)).mtimeMs];
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    await settings.patch({ data: { mode: 'theirs' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    for (const command of ['keepMine', 'save', 'reload', 'compareWithLive', 'showFullObject', 'copyLink']) {
      await vscode.commands.executeCommand(`kubemerge.${command}`, settings.uri);
    }
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    await vscode.commands.executeCommand('kubemerge.recreate', settings.uri);
    // Another context of the same file, as one switches to it.
    await fixture.open(settings, fixture.viewerContext);
    await vscode.commands.executeCommand('kubemerge.tree.refresh');
    assert.deepEqual([await readFile(kubeconfigPath, 'utf8'), (await stat(kubeconfigPath)).mtimeMs], before);
  });
});
