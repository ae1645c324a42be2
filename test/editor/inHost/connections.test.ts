import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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
});
