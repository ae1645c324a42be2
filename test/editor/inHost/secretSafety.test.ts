import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import packageJson from '../../../package.json' with { type: 'json' };
import { editorFolderVariable } from '../../support/inHostResult.ts';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { discardMerge, readMerge } from './mergeTab.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, secret, type TestObject } from './testObjects.ts';
import { until } from './until.ts';

const encode = (value: string): string => Buffer.from(value).toString('base64');

describe('what must not get out', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(async () => {
    await configure('readOnlyContexts', undefined);
    await closeAll();
  });

  const values = {
    same: 'same-value',
    changed: 'old-value-of-some-length',
    applied: 'value-in-last-applied',
    mine: 'mine-x',
    theirs: 'theirs-and-much-longer-than-mine',
  };
  /** A value, plain or encoded, in a text. */
  const valueIn = (text: string): string | undefined =>
    Object.values(values).find((value) => text.includes(value) || text.includes(encode(value)));

  function secretWithHistory(): TestObject {
    const lastApplied = JSON.stringify({ data: { changed: encode(values.applied) } });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': lastApplied };
    const { metadata, ...rest } = secret({ same: encode(values.same), changed: encode(values.changed) });
    return { ...rest, metadata: { ...metadata, annotations } };
  }

  /** The texts of the active tab: both sides of a comparison, or the one that it shows. */
  async function shownTexts(): Promise<readonly string[]> {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uris =
      input instanceof vscode.TabInputTextDiff
        ? [input.original, input.modified]
        : input instanceof vscode.TabInputText
          ? [input.uri]
          : [];
    const documents = await Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(uri)));
    return documents.map((document) => document.getText());
  }
  const maskOf = (text: string | undefined, key: string): string =>
    new RegExp(`\\n  ${key}: (.*)\\n`).exec(text ?? '')?.[1] ?? '';

  it('H4: compared, whole, blamed, merged and refused, a Secret shows masks that tell change alone; the log is clean', async () => {
    const keys = await fixture.createAndOpen(secretWithHistory());
    await keys.replace(encode(values.changed), encode(values.mine));
    const run = (command: string): Thenable<unknown> =>
      vscode.commands.executeCommand(`kubemerge.${command}`, keys.uri);

    await run('compareWithLive');
    const [live, mine] = await shownTexts();
    assert.equal(maskOf(live, 'same'), maskOf(mine, 'same'));
    assert.notEqual(maskOf(live, 'changed'), maskOf(mine, 'changed'));
    for (const mask of [live, mine].flatMap((text) => [maskOf(text, 'same'), maskOf(text, 'changed')])) {
      assert.match(mask, /^•{8} \(value \d\)$/);
    }

    await run('showFullObject');
    const [whole = ''] = await shownTexts();
    assert.match(whole, /last-applied-configuration: •{8}/);

    await keys.patch({ data: { changed: encode(values.theirs) } });
    await keys.until('conflicted', ({ phase }) => phase === 'conflicted');
    await run('showLiveChanges');
    const [base, since] = await shownTexts();
    assert.notEqual(maskOf(base, 'changed'), maskOf(since, 'changed'));
    const refused = await keys.save();
    assert.equal(refused.kind, 'conflict');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      keys.uri,
    );
    const place = keys.document.positionAt(keys.text.indexOf('changed:') + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      keys.uri,
      place,
    );
    await run('history');
    await run('merge');
    const merge = await readMerge(keys.uri);
    const sides = [merge.base, merge.incoming, merge.mine].map((text) => maskOf(text, 'changed'));
    assert.equal(new Set(sides).size, 3);
    assert.match(maskOf(merge.result.getText(), 'changed'), /^•{8}/);

    const shown = [
      ...[live, mine, whole, base, since].map((text) => text ?? ''),
      refused.message,
      JSON.stringify(lenses.map(({ command }) => command)),
      JSON.stringify(hovers.map(({ contents }) => contents)),
      ...vscode.languages.getDiagnostics(keys.uri).map(({ message }) => message),
      // What comparisons and merges were given, and every URI.
      ...vscode.workspace.textDocuments.map((document) =>
        document.uri.scheme === 'k8s'
          ? document.uri.toString(true)
          : `${document.uri.toString(true)}\n${document.getText()}`,
      ),
    ];
    assert.deepEqual(
      shown.filter((text) => valueIn(text) !== undefined),
      [],
    );
    await discardMerge(merge);

    const logs = await until('the requests are logged', async () => {
      const found = (await filesBelow(editorFolder())).filter(({ path }) =>
        /kubemerge[^/]*\/[^/]*\.log$/i.test(path),
      );
      return found.some(({ text }) => text.includes(`PUT ${keys.path}`) || text.includes(`GET ${keys.path}`))
        ? found
        : undefined;
    });
    assert.deepEqual(
      logs.filter(({ text }) => valueIn(text) !== undefined).map(({ path }) => path),
      [],
    );
  });

  it('H7: of a dirty Secret, decoded or not, no value is in a file of this extension; VS Code’s own backup is told of', async () => {
    for (const isDecoded of [false, true]) {
      const keys = await fixture.createAndOpen(secretWithHistory());
      if (isDecoded) {
        await vscode.commands.executeCommand('kubemerge.decodeSecretValues', keys.uri);
        await keys.untilText('the values are decoded', (text) => text.includes('stringData:'));
      }
      await keys.replace(
        isDecoded ? values.changed : encode(values.changed),
        isDecoded ? values.mine : encode(values.mine),
      );
      // What is kept of it, its version alone, is on disk by then.
      const uid = keys.state.uid;
      const kept = await until('the session is kept', async () => {
        const files = await ownFiles();
        return files.some(({ text }) => text.includes(uid)) ? files : undefined;
      });
      assert.deepEqual(
        kept.filter(({ text }) => valueIn(text) !== undefined).map(({ path }) => path),
        [],
      );
      await keys.saveAndLand();
      await keys.untilCurrent();
      const after = await ownFiles();
      assert.deepEqual(
        after.filter(({ text }) => valueIn(text) !== undefined).map(({ path }) => path),
        [],
      );
    }
    const readme = vscode.Uri.joinPath(
      vscode.extensions.getExtension('kubemerge.kubemerge')?.extensionUri ?? vscode.Uri.file('/'),
      'README.md',
    );
    const words = new TextDecoder()
      .decode(await vscode.workspace.fs.readFile(readme))
      .replaceAll(/\s+/g, ' ');
    assert.match(words, /VS Code itself keeps the _unsaved_ text of any document in its backups, readable/);
  });

  it('H5: in a read-only context no command of the palette sends anything that changes an object', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    const clean = await fixture.createAndOpen(configMap({ mode: 'b' }));
    await configure('readOnlyContexts', [fixture.context]);
    await settings.until('read-only', ({ readOnlyReason }) => readOnlyReason !== undefined);
    const before = changes().length;
    const left = new Set(['kubemerge.chooseKubeconfig', 'kubemerge.signIn']);
    for (const { command } of packageJson.contributes.commands) {
      if (left.has(command)) continue;
      for (const { uri } of [settings, clean]) await runToItsEnd(command, uri);
    }
    assert.deepEqual(
      changes()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`),
      [],
    );
    assert.deepEqual((await settings.live()).data, { mode: 'a' });
    const reopened = await fixture.open(clean);
    const { permissions } = await vscode.workspace.fs.stat(reopened.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  /** All requests that could change something; access reviews are asked by POST. */
  function changes(): readonly { readonly method: string; readonly path: string }[] {
    return fixture.proxy.requests.filter(
      ({ method, path }) => method !== 'GET' && !path.includes('selfsubjectaccessreviews'),
    );
  }

  /** Runs a command, and accepts what it suggests, wherever it asks. */
  async function runToItsEnd(command: string, uri: OpenObject['uri']): Promise<void> {
    let isDone = false;
    const running = Promise.resolve(vscode.commands.executeCommand(command, uri)).finally(
      () => (isDone = true),
    );
    for (let answers = 0; answers < 3; answers++) {
      await Promise.race([
        running,
        vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem'),
      ]);
    }
    await until(`${command} ends`, async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isDone ? true : undefined;
    });
    await running;
  }
});

function editorFolder(): string {
  const folder = process.env[editorFolderVariable];
  assert.ok(folder);
  return folder;
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What this extension has written: its storage, for the workspace and for all. */
async function ownFiles(): Promise<readonly TextFile[]> {
  const files = await filesBelow(editorFolder());
  return files.filter(({ path }) => /\/(?:workspaceStorage|globalStorage)\/.*kubemerge/i.test(path));
}

async function filesBelow(folder: string): Promise<readonly TextFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(
    // A file may be gone again.
    paths.map(async (path) => ({ path, text: await readFile(path, 'utf8').catch(() => '') })),
  );
}
