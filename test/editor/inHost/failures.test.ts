import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, isPutOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';
import { until } from './until.ts';

describe('a save that fails', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  const openDirty = async (): Promise<OpenObject> => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine # kept');
    return settings;
  };

  /** After a failed save: the text is as it was and dirty; once more, without a keystroke, lands. */
  async function retryLands(settings: OpenObject, text: string): Promise<void> {
    assert.equal(settings.text, text);
    assert.equal(settings.document.isDirty, true);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
  }

  it('G1: for an unknown field marks its line, until it is mended', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 1\n  replicaz: 3 # typo');
    const { text } = web;
    const { kind, message } = await web.save();
    assert.equal(kind, 'rejected');
    assert.match(message, /the server refused Deployment .*spec\.replicaz/);
    assert.deepEqual(
      web.diagnostics.map(({ line }) => line),
      ['replicaz: 3 # typo'],
    );
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [400],
    );
    await web.replace('  replicaz: 3 # typo\n', '');
    assert.deepEqual(web.diagnostics, []);
    await web.replace('replicas: 1', 'replicas: 3');
    await web.saveAndLand();
  });

  it('G4, A6: for invalid values marks each line, calls it no conflict, and removes nothing', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('matchLabels:\n      app: web', 'matchLabels:\n      app: other');
    await web.replace('- image: log:0', '- image: ""');
    const { text } = web;
    const { kind, message } = await web.save();
    assert.equal(kind, 'rejected');
    assert.doesNotMatch(message, /conflict/i);
    assert.match(message, /and \d more problem/);
    const lines = web.diagnostics.map(({ line }) => line);
    assert.ok(lines.includes('selector:'), lines.join());
    assert.ok(lines.includes('- image: ""'), lines.join());
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [422],
    );
    assert.equal(web.text, text);
    assert.equal(web.state.phase, 'fresh');

    assert.equal((await web.save()).kind, 'rejected');
    assert.equal(fixture.puts(web).length, 2, 'saving again asks the server again');
  });

  it('A6: because the server refuses, fails or goes away keeps the text; the next save lands', async () => {
    const status = (code: number, reason: string): string =>
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message: `told to answer ${String(code)}`,
        reason,
        code,
      });
    const faults = [
      [{ kind: 'answer', status: 409, body: status(409, 'Conflict') }, 'preconditionFailed', 5],
      [{ kind: 'answer', status: 422, body: status(422, 'Invalid') }, 'rejected', 1],
      [{ kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, 'throttled', 4],
      [{ kind: 'answer', status: 500, body: status(500, 'InternalError') }, 'unknown', 4],
      [{ kind: 'answer', status: 502, body: '<html><b>Bad Gateway</b></html>' }, 'unknown', 4],
      [{ kind: 'cutBefore' }, 'unknown', 4],
    ] as const;
    const opened: { readonly settings: OpenObject; readonly text: string }[] = [];
    for (const [] of faults) {
      const settings = await openDirty();
      opened.push({ settings, text: settings.text });
    }
    const injected = faults.map(([fault], index) => {
      const settings = opened[index]?.settings;
      assert.ok(settings);
      return fixture.proxy.inject(isPutOf(settings), fault);
    });
    const reports = await Promise.all(opened.map(({ settings }) => settings.save()));
    assert.deepEqual(
      reports.map(({ kind }) => kind),
      faults.map(([, kind]) => kind),
    );
    for (const { message } of reports) {
      assert.match(message, /Your text is kept/);
      assert.doesNotMatch(message, /<html>/);
    }
    assert.deepEqual(
      injected.map(({ met }) => met.length),
      faults.map(([, , tries]) => tries),
    );
    for (const injection of injected) injection.dispose();
    for (const { settings, text } of opened) await retryLands(settings, text);
  });

  it('A6: because the server cannot be reached says so, and the next save lands', async () => {
    const settings = await openDirty();
    const { text } = settings;
    await fixture.proxy.pause();
    try {
      const { kind, message } = await settings.save();
      assert.equal(kind, 'notSent');
      assert.match(message, /no connection to the server of admin-.*Nothing was sent\. Your text is kept/);
      assert.notEqual(settings.state.liveness.kind, 'live');
    } finally {
      await fixture.proxy.resume();
    }
    await retryLands(settings, text);
  });

  it('lands by itself where the server comes back while it waits', async () => {
    const settings = await openDirty();
    await fixture.proxy.pause();
    const saving = settings.save();
    await settings.until('the watch is lost', ({ liveness }) => liveness.kind === 'reconnecting');
    await fixture.proxy.resume();
    const { kind, message } = await saving;
    assert.equal(kind, 'committed', message);
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
  });

  it('is known to have landed where only the answer was lost: no second PUT', async () => {
    const settings = await openDirty();
    using _cut = fixture.proxy.inject(isPutOf(settings), { kind: 'cutAfter' });
    await settings.saveAndLand();
    assert.equal(fixture.puts(settings).length, 1);
    await settings.untilCurrent();
    assert.equal(settings.state.phase, 'fresh');
    assert.match(settings.text, /mode: mine # kept/);
  });

  it('is repeated where the request was lost', async () => {
    const settings = await openDirty();
    using _cut = fixture.proxy.inject(isPutOf(settings), { kind: 'cutBefore' }, 1);
    await settings.saveAndLand();
    const puts = fixture.puts(settings);
    assert.equal(puts.length, 2);
    assert.equal(puts[0]?.body, puts[1]?.body);
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
  });

  it('is left to the user where the request was lost and someone else wrote since', async () => {
    const settings = await openDirty();
    const gate = makeGate();
    using cut = fixture.proxy.inject(isPutOf(settings), { kind: 'cutBefore' }, 1);
    using _read = fixture.proxy.inject(
      ({ method, path }) => method === 'GET' && path === settings.path,
      { kind: 'hold', until: gate.opened },
      1,
    );
    const saving = settings.save();
    await cut.first;
    await settings.patch({ data: { theirs: 'b' } });
    gate.open();
    const { kind, message } = await saving;
    assert.equal(kind, 'unknown');
    assert.match(message, /It is not known whether .*Compare/);
    assert.equal(fixture.puts(settings).length, 1);
    assert.equal(settings.document.isDirty, true);
    await settings.until('stale', ({ phase }) => phase === 'stale');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine', theirs: 'b' });
  });

  it('for a missing right says so; the dirty text stays writable, and the right once given, the save lands', async () => {
    const target = await fixture.create(configMap({ mode: 'a' }));
    const allowed = JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {},
      status: { allowed: true },
    });
    using _review = fixture.proxy.inject(({ path }) => path.includes('selfsubjectaccessreviews'), {
      kind: 'answer',
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: allowed,
    });
    const settings = await fixture.open(target, fixture.viewerContext);
    await settings.replace('mode: a', 'mode: mine');
    const { text } = settings;
    const { kind, message } = await settings.save();
    assert.equal(kind, 'forbidden');
    assert.match(message, /you are not allowed to: .*cannot update resource/);
    assert.equal(settings.text, text);
    assert.equal(settings.document.isDirty, true);
    assert.match(settings.state.readOnlyReason ?? '', /cannot update resource/);
    await settings.replace('mode: mine', 'mode: mine # still typing');

    await allowViewerToUpdate();
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
    await settings.until('no longer read-only', ({ readOnlyReason }) => readOnlyReason === undefined);
  });

  it('I6: a clean text that may not be saved is read-only, and says why', async () => {
    const target = await fixture.create(deployment());
    const web = await fixture.open(target, fixture.viewerContext);
    const { readOnlyReason } = await web.until('read-only', (state) => state.readOnlyReason !== undefined);
    assert.match(readOnlyReason ?? '', /not allowed to update/);
    const { permissions } = await vscode.workspace.fs.stat(web.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('I9: started by code leaves the document dirty, and the code is told', async () => {
    const settings = await openDirty();
    await settings.patch({ data: { mode: 'theirs' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    assert.equal(await settings.document.save(), false);
    assert.equal(settings.document.isDirty, true);
    assert.equal(settings.isTabDirty, true);
    assert.equal(fixture.puts(settings).length, 0);
    assert.ok(settings.diagnostics.some(({ code }) => code === 'conflict'));
  });

  it('I9: by code that writes another text past the editor is refused, dirty or clean', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    for (const shown of ['mode: a', 'mode: b']) {
      if (!settings.text.includes(shown)) await settings.replace('mode: a', shown);
      const { text } = settings;
      const bytes = new TextEncoder().encode(text.replace(shown, 'mode: theirs'));
      const writing = Promise.resolve(vscode.workspace.fs.writeFile(settings.uri, bytes));
      await assert.rejects(writing, /open in an editor/);
      assert.equal(settings.text, text);
    }
    assert.equal(fixture.puts(settings).length, 0);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'b' });
  });

  it('I3: offers our own ways on, and nothing that VS Code offers gets past the check', async () => {
    const settings = await openDirty();
    const { size } = await vscode.workspace.fs.stat(settings.uri);
    await settings.patch({ data: { mode: 'theirs, and a good deal longer' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    assert.equal((await vscode.workspace.fs.stat(settings.uri)).size, size);
    // What Retry and Overwrite do: save again, and write whatever the file's time and size.
    await settings.run('workbench.action.files.save');
    const bytes = new TextEncoder().encode(settings.text);
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(settings.uri, bytes)),
      ({ message }: Error) => {
        for (const command of ['merge', 'compareWithLive', 'reload']) {
          assert.match(message, new RegExp(`\\]\\(command:kubemerge\\.${command}\\?`));
        }
        return true;
      },
    );
    assert.equal(fixture.puts(settings).length, 0);
    assert.equal(settings.document.isDirty, true);
    assert.deepEqual((await settings.live()).data, { mode: 'theirs, and a good deal longer' });
  });

  for (const [kind, reason] of [
    ['afterDelay', vscode.TextDocumentSaveReason.AfterDelay],
    ['onFocusChange', vscode.TextDocumentSaveReason.FocusOut],
  ] as const) {
    it(`I7: auto-save ${kind} writes nothing, even where the user has it on for live documents`, async () => {
      const files = vscode.workspace.getConfiguration('files', { languageId: 'k8s-object' });
      const global = vscode.ConfigurationTarget.Global;
      const other = await fixture.createAndOpen(configMap({ mode: 'other' }));
      await files.update('autoSaveDelay', 50, global);
      await files.update('autoSave', kind, global, true);
      try {
        const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
        const autoSaved = new Promise<void>((resolve) => {
          const subscription = vscode.workspace.onWillSaveTextDocument((event) => {
            if (event.document !== settings.document || event.reason !== reason) return;
            subscription.dispose();
            resolve();
          });
        });
        await settings.replace('mode: a', 'mode: half');
        if (kind === 'onFocusChange') await other.show();
        await autoSaved;
        await settings.show();
        assert.equal(fixture.puts(settings).length, 0);
        assert.equal(settings.document.isDirty, true);
        await settings.replace('mode: half', 'mode: whole');
        await settings.saveAndLand();
        assert.deepEqual(
          fixture.puts(settings).map(({ body }) => JSON.parse(body).data),
          [{ mode: 'whole' }],
        );
      } finally {
        await files.update('autoSave', undefined, global, true);
        await files.update('autoSaveDelay', undefined, global);
      }
    });
  }

  it('I7: auto-save is off for live documents, whatever it is for other files', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
    try {
      const settings = await openDirty();
      const effective = vscode.workspace.getConfiguration('files', settings.document).get('autoSave');
      assert.equal(settings.document.languageId, 'k8s-object');
      assert.equal(effective, 'off');
    } finally {
      await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('I11: a document that is closed unsaved leaves the cluster untouched', async () => {
    const settings = await openDirty();
    await settings.run('workbench.action.revertAndCloseActiveEditor');
    await until('the tab is closed', () => (settings.isTabDirty ? undefined : true));
    assert.equal(fixture.puts(settings).length, 0);
    assert.deepEqual((await settings.live()).data, { mode: 'a' });
    const again = await fixture.open(settings);
    assert.match(again.text, /mode: a\n/);
    assert.equal(again.document.isDirty, false);
  });

  async function allowViewerToUpdate(): Promise<void> {
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${fixture.namespace}`;
    const metadata = { name: 'viewer-edits' };
    await fixture.other.create(`${rbac}/roles`, {
      metadata,
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['update'] }],
    });
    await fixture.other.create(`${rbac}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    });
  }
});
