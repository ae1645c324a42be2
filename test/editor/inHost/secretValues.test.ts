import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { secret } from './testObjects.ts';
import { until } from './until.ts';

const encode = (value: string | readonly number[]): string => Buffer.from(value as string).toString('base64');

describe('a Secret’s values, decoded', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  const blob = encode([0, 255, 10, 200]);

  async function openDecoded(data: Readonly<Record<string, string>>): Promise<OpenObject> {
    const keys = await fixture.createAndOpen(secret(data));
    await decode(keys);
    return keys;
  }
  async function decode(keys: OpenObject): Promise<void> {
    await vscode.commands.executeCommand('kubemerge.decodeSecretValues', keys.uri);
    await keys.untilText('the values are decoded', (text) => text.includes('stringData:'));
  }

  it('H1: are edited as text, saved as base64 once, and leave every other key’s bytes as they are', async () => {
    const data = { blob, one: encode('a'), two: encode('multi\nline\n') };
    // The server folds stringData into data.
    const made = { ...secret(data), stringData: { three: 'from stringData' } };
    const keys = await fixture.createAndOpen(made);
    assert.doesNotMatch(keys.text, /stringData|multi/);
    await decode(keys);
    assert.equal(keys.document.isDirty, false);
    assert.match(keys.text, /\ndata:\n {2}blob: AP8KyA==\n/);
    assert.match(keys.text, /\n {2}two: \|\n {4}multi\n {4}line\n/);
    await keys.replace('one: a', 'one: "pass: word" # mine');
    await keys.saveAndLand();
    const expected = { ...data, one: encode('pass: word'), three: encode('from stringData') };
    const [put] = fixture.puts(keys);
    const sent = JSON.parse(put?.body ?? '');
    assert.deepEqual(sent.data, expected);
    assert.equal(sent.stringData, undefined);
    assert.ok(sent.metadata.resourceVersion !== '' && sent.metadata.uid === keys.state.uid);
    assert.deepEqual((await keys.live()).data, expected);
    await keys.untilCurrent();
    assert.match(keys.text, /\n {2}one: "pass: word" # mine\n/);

    await vscode.commands.executeCommand('kubemerge.encodeSecretValues', keys.uri);
    await keys.untilText('the values are encoded', (text) => !text.includes('stringData:'));
    assert.equal(keys.document.isDirty, false);
    assert.match(keys.text, new RegExp(`\\n  two: ${encode('multi\nline\n')}\\n`));
    await keys.save();
    assert.equal(fixture.puts(keys).length, 1);
  });

  it('H1: are shown and hidden in a text with unsaved changes, which stay, as one undo step each', async () => {
    const keys = await fixture.createAndOpen(secret({ one: encode('a'), two: encode('b') }));
    await keys.replace(encode('a'), encode('mine'));
    const before = keys.text;
    await decode(keys);
    assert.match(keys.text, /stringData:\n {2}one: mine\n {2}two: b\n/);
    await keys.undo();
    assert.equal(keys.text, before);
    await keys.run('redo');
    await keys.saveAndLand();
    assert.deepEqual((await keys.live()).data, { one: encode('mine'), two: encode('b') });
  });

  it('H1: follow what others change, merge with it, and conflict by key', async () => {
    const keys = await openDecoded({ one: encode('a'), two: encode('b') });
    await keys.patch({ data: { three: encode('theirs') } });
    await keys.untilText('a clean text follows', (text) => text.includes('three: theirs'));
    await keys.replace('one: a', 'one: mine');
    await keys.patch({ data: { two: encode('theirs too') } });
    await keys.until('stale', ({ phase }) => phase === 'stale');
    await keys.saveAndLand();
    const expected = { one: encode('mine'), two: encode('theirs too'), three: encode('theirs') };
    assert.deepEqual((await keys.live()).data, expected);
    await keys.untilText('what came in is decoded', (text) => text.includes('two: theirs too'));

    await keys.untilCurrent();
    await keys.replace('one: mine', 'one: mine again');
    await keys.patch({ data: { one: encode('not mine') } });
    await keys.until('conflicted', ({ phase }) => phase === 'conflicted');
    const refused = await keys.save();
    assert.equal(refused.kind, 'conflict');
    assert.match(keys.diagnostics[0]?.line ?? '', /^one: mine again/);
    for (const words of [refused.message, ...keys.diagnostics.map(({ message }) => message)]) {
      assert.doesNotMatch(words, /not mine|mine again/);
    }
    await vscode.commands.executeCommand('kubemerge.takeLive', keys.uri);
    assert.match(keys.text, /\n {2}one: not mine\n/);
  });

  it('H1: tell what is binary before it, and a plain text under data with a fix that encodes it', async () => {
    const keys = await openDecoded({ blob, one: encode('a') });
    const all = new vscode.Range(0, 0, keys.document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      keys.uri,
      all,
    );
    assert.deepEqual(
      hints.map(({ label, position }) => [label, keys.document.lineAt(position.line).text.trim()]),
      [['binary, 4 bytes', `blob: ${blob}`]],
    );
    await keys.replace(blob, 'plain text');
    const refused = await keys.save();
    assert.equal(refused.kind, 'invalidText');
    assert.equal(fixture.puts(keys).length, 0);
    const [diagnostic] = vscode.languages.getDiagnostics(keys.uri);
    assert.ok(diagnostic);
    const [fix] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      keys.uri,
      diagnostic.range,
    );
    assert.equal(fix?.title, 'Encode this value as base64');
    assert.ok(fix.edit);
    await vscode.workspace.applyEdit(fix.edit);
    await keys.saveAndLand();
    assert.deepEqual((await keys.live()).data, { blob: encode('plain text'), one: encode('a') });
  });

  it('H1: are what the editor’s own gestures work on: Revert, Save All, a copy, a split editor', async () => {
    const keys = await openDecoded({ one: encode('a'), two: encode('b') });
    await keys.replace('one: a', 'one: mine');
    await keys.run('workbench.action.files.revert');
    assert.match(keys.text, /stringData:\n {2}one: a\n {2}two: b\n/);
    // Decoded only once there are unsaved changes.
    await vscode.commands.executeCommand('kubemerge.encodeSecretValues', keys.uri);
    await keys.untilText('the values are encoded', (text) => !text.includes('stringData:'));
    await keys.replace(encode('a'), encode('mine'));
    await decode(keys);
    await keys.run('workbench.action.files.revert');
    assert.match(keys.text, /stringData:\n {2}one: a\n {2}two: b\n/);
    assert.equal(keys.document.isDirty, false);
    assert.equal(fixture.puts(keys).length, 0);

    const file = new TextDecoder().decode(await vscode.workspace.fs.readFile(keys.uri));
    assert.equal(file, keys.text);
    await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
    await until('the text is compared with itself as saved', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff
        ? true
        : undefined,
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.match(keys.text, /stringData:/);

    await keys.run('workbench.action.splitEditor');
    await keys.replace('one: a', 'one: split');
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
    await keys.until('it is saved', ({ isDirty, isSaving }) => !isDirty && !isSaving);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await keys.patch({ data: { two: encode('other') } });
    await keys.untilText('the other half follows', (text) => text.includes('two: other'));
    assert.deepEqual((await keys.live()).data, { one: encode('split'), two: encode('other') });
  });

  it('H4: are revealed in that editor alone, and until it is closed', async () => {
    const keys = await openDecoded({ one: encode('hidden-elsewhere') });
    const other = await fixture.createAndOpen(secret({ one: encode('other') }));
    assert.doesNotMatch(other.text, /stringData/);
    await keys.replace('one: hidden-elsewhere', 'one: mine-value');
    await vscode.commands.executeCommand('kubemerge.compareWithLive', keys.uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    for (const uri of [input.original, input.modified]) {
      const shown = (await vscode.workspace.openTextDocument(uri)).getText();
      assert.match(shown, /one: •{8} \(value \d\)/);
      assert.doesNotMatch(shown, /hidden-elsewhere|mine-value/);
    }
    await vscode.commands.executeCommand('kubemerge.revealSecretValues', keys.uri);
    assert.match(await compareAndRead(keys), /one: hidden-elsewhere\n/);
    assert.match(await compareAndRead(other), /one: •{8}/);
    await vscode.commands.executeCommand('kubemerge.hideSecretValues', keys.uri);
    assert.match(await compareAndRead(keys), /one: •{8}/);
    await vscode.commands.executeCommand('kubemerge.revealSecretValues', keys.uri);
    await closeAll();
    await until('the document is encoded again', () => {
      const kept = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === keys.uri.toString());
      return !kept?.getText().includes('stringData') ? true : undefined;
    });
    const again = await fixture.open(keys);
    assert.match(again.text, new RegExp(`\\n  one: ${encode('hidden-elsewhere')}\\n`));
    assert.match(await compareAndRead(again), /one: •{8}/);
  });

  /** Live's side of the comparison. */
  async function compareAndRead({ uri }: OpenObject): Promise<string> {
    await vscode.commands.executeCommand('kubemerge.compareWithLive', uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    return (await vscode.workspace.openTextDocument(input.original)).getText();
  }
});
