import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DryRunReport } from '../../../src/editor/commandMap.ts';
import { closeAll, isPutOf, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { deployment, secret } from './testObjects.ts';

describe('a dry run', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  async function dryRun(object: OpenObject): Promise<DryRunReport> {
    const report = await vscode.commands.executeCommand<DryRunReport | undefined>(
      'kubemerge.dryRun',
      object.uri,
    );
    assert.ok(report);
    return report;
  }

  /** The texts of the comparison that is shown. */
  async function shownTexts(): Promise<readonly [string, string]> {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff, 'a comparison is shown');
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    return [left?.getText() ?? '', right?.getText() ?? ''];
  }

  it('shows live beside the result, defaults and foreign changes included, and writes nothing', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:1 # mine\n        ports:\n        - containerPort: 80');
    await web.patch({ spec: { replicas: 5 } }, 'hpa-controller');
    await web.untilSeen();
    const { text } = web;
    const before = await web.live();
    const { kind, message } = await dryRun(web);
    assert.equal(kind, 'previewed', message);
    assert.match(message, /Nothing was written/);
    const [live, result] = await shownTexts();
    assert.match(live, /image: web:0 /);
    assert.match(result, /image: web:1 # mine/);
    assert.match(result, /protocol: TCP/);
    assert.match(result, /replicas: 5/);
    const [put, ...more] = fixture.puts(web);
    assert.match(put?.path ?? '', /[?&]dryRun=All\b/);
    assert.equal(more.length, 0);
    assert.equal((await web.live()).metadata.resourceVersion, before.metadata.resourceVersion);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
  });

  it('marks what the server refuses, as a save would', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: -1');
    const { kind, message } = await dryRun(web);
    assert.equal(kind, 'rejected');
    assert.match(message, /^Dry run: the server refused/);
    assert.deepEqual(
      web.diagnostics.map(({ line }) => line),
      ['replicas: -1'],
    );
    await web.replace('replicas: -1', 'replicas: 2');
    assert.deepEqual(web.diagnostics, []);
  });

  it('that a webhook does not support is told, with what that means for a save', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    const headers = { 'content-type': 'application/json' };
    const message = 'admission webhook "audit.example.com" does not support dry run';
    const body = JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      reason: 'BadRequest',
      code: 400,
      message,
    });
    using _hook = fixture.proxy.inject(isPutOf(web), { kind: 'answer', status: 400, headers, body });
    const refused = await dryRun(web);
    assert.equal(refused.kind, 'rejected');
    assert.match(refused.message, /^Dry run: the admission webhook audit\.example\.com has side effects/);
    assert.match(refused.message, /tries nothing past it\. A save would call it/);
    assert.equal(web.document.isDirty, true);
  });

  it('H4: hides the values of a Secret, also in what the server refuses', async () => {
    const keys = await fixture.createAndOpen(secret({ password: 'aHVudGVyMg==' }));
    await keys.replace('aHVudGVyMg==', 'aHVudGVyMw==');
    assert.equal((await dryRun(keys)).kind, 'previewed');
    const shown = (await shownTexts()).join('');
    assert.doesNotMatch(shown, /aHVudGVyM/);
    await keys.replace('type: Opaque', 'type: swordfish');
    await dryRun(keys);
    assert.ok(keys.diagnostics.length > 0);
    assert.doesNotMatch(keys.diagnostics.map(({ message }) => message).join(' '), /swordfish/);
  });
});
