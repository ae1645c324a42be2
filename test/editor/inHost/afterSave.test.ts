import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { deployment } from './testObjects.ts';
import { until } from './until.ts';

describe('after a save', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('what a controller has set back is shown beside what was saved', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 3');
    await web.saveAndLand();
    await web.untilCurrent();
    await web.patch({ spec: { replicas: 1 } }, 'hpa-controller');
    await web.untilCurrent();
    await vscode.commands.executeCommand('kubemerge.compareWithSaved', web.uri);
    const input = await until('the comparison is shown', () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const [saved, live] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.match(saved?.getText() ?? '', /replicas: 3\n/);
    assert.match(live?.getText() ?? '', /replicas: 1\n/);
  });
});
