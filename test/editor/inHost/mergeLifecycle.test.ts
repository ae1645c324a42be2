import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import {
  acceptMerge,
  closeMerge,
  discardMerge,
  editResult,
  findMergeTabs,
  readMerge,
  type ShownMerge,
} from './mergeTab.ts';
import type { OpenObject } from './openObject.ts';
import { configMap } from './testObjects.ts';
import { until } from './until.ts';

describe('a merge under way', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** Mine has mode b, live has mode c; base had a. */
  async function openConflicted(): Promise<OpenObject> {
    const settings = await fixture.createAndOpen(configMap({ level: 'low', mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    await settings.patch({ data: { mode: 'c' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    return settings;
  }

  async function merge({ uri }: OpenObject): Promise<ShownMerge> {
    await vscode.commands.executeCommand('kubemerge.merge', uri);
    return await readMerge(uri);
  }

  async function untilMerged(object: OpenObject): Promise<void> {
    await object.until('merged', ({ phase, isMerging }) => phase === 'fresh' && !isMerging);
  }

  it('I5: beside another one: each result goes into its own document', async () => {
    const one = await openConflicted();
    const two = await openConflicted();
    const first = await merge(one);
    const second = await merge(two);
    assert.equal(findMergeTabs().length, 2);
    await editResult(first, 'mode: a', 'mode: one');
    await editResult(second, 'mode: a', 'mode: two');
    await acceptMerge(first);
    await untilMerged(one);
    assert.match(one.text, /mode: one/);
    assert.match(two.text, /mode: b/);
    assert.equal(two.state.isMerging, true);
    await acceptMerge(second);
    await untilMerged(two);
    for (const object of [one, two]) await object.saveAndLand();
    assert.equal((await one.live()).data.mode, 'one');
    assert.equal((await two.live()).data.mode, 'two');
    assert.deepEqual([fixture.puts(one).length, fixture.puts(two).length], [1, 1]);
  });

  it('is named after its object, not after its file', async () => {
    const settings = await openConflicted();
    const { tab } = await merge(settings);
    const { name, namespace, context } = settings.ref;
    assert.equal(tab.label, `Merging: ${name} (ConfigMap in ${String(namespace)} · ${context})`);
  });

  it('I5: is shown again, not begun anew, where it is asked for twice', async () => {
    const settings = await openConflicted();
    const first = await merge(settings);
    await editResult(first, 'mode: a', 'mode: decided');
    await settings.show();
    const second = await merge(settings);
    assert.equal(second.result.uri.toString(), first.result.uri.toString());
    assert.match(second.result.getText(), /mode: decided/);
    await discardMerge(second);
  });

  it('I5: begins on fresh inputs after an earlier one was closed', async () => {
    const settings = await openConflicted();
    const first = await merge(settings);
    await closeMerge(first);
    await settings.replace('mode: b', 'mode: bb');
    await settings.patch({ data: { mode: 'cc', level: 'high' } });
    await settings.untilSeen();
    const second = await merge(settings);
    assert.notEqual(second.result.uri.toString(), first.result.uri.toString());
    assert.match(second.incoming, /level: high\n {2}mode: cc/);
    assert.match(second.mine, /level: low\n {2}mode: bb/);
    assert.match(second.result.getText(), /level: high\n {2}mode: a/);
  });

  it('I5: is refused where the text got another value at a field that the result decides', async () => {
    const settings = await openConflicted();
    const open = await merge(settings);
    await editResult(open, 'mode: a', 'mode: decided');
    await settings.replace('mode: b', 'mode: typed');
    const { text } = settings;
    await acceptMerge(open);
    assert.equal(settings.text, text);
    assert.equal(findMergeTabs().length, 1);
    assert.equal(settings.state.isMerging, true);
    await settings.replace('mode: typed', 'mode: b');
    await acceptMerge(open);
    await untilMerged(settings);
    assert.match(settings.text, /mode: decided/);
  });

  for (const [what, comesBack] of [
    ['deleted', false],
    ['deleted and created anew', true],
  ] as const) {
    it(`I5: cannot be accepted once the object was ${what}; the text is kept`, async () => {
      const settings = await openConflicted();
      const { text } = settings;
      const { name } = settings.ref;
      const open = await merge(settings);
      await editResult(open, 'mode: a', 'mode: decided');
      await settings.deleteByOther();
      if (comesBack) {
        const collection = settings.path.slice(0, settings.path.lastIndexOf('/'));
        const object = configMap({ mode: 'new' });
        await fixture.other.create(collection, { ...object, metadata: { ...object.metadata, name } });
      }
      await settings.until('gone', ({ phase }) => phase === (comesBack ? 'recreated' : 'deleted'));
      await acceptMerge(open);
      assert.equal(settings.text, text);
      assert.equal(findMergeTabs().length, 1);
      await discardMerge(open);
      assert.equal(settings.text, text);
      assert.equal(settings.document.isDirty, true);
      assert.equal(fixture.puts(settings).length, 0);
    });
  }

  it('I5: auto-save of its result decides and sends nothing; the result can be used after the editor is closed', async () => {
    const configuration = vscode.workspace.getConfiguration('files', { languageId: 'k8s-object' });
    const set = async (key: string, value: unknown): Promise<void> => {
      await configuration.update(key, value, vscode.ConfigurationTarget.Global, true);
    };
    await set('autoSave', 'afterDelay');
    await set('autoSaveDelay', 50);
    try {
      const settings = await openConflicted();
      const { text } = settings;
      const open = await merge(settings);
      await editResult(open, 'mode: a', 'mode: decided');
      await until('the result is saved', () => (open.result.isDirty ? undefined : true));
      await closeMerge(open);
      await settings.until('no longer merging', ({ isMerging }) => !isMerging);
      assert.equal(settings.text, text);
      assert.equal(settings.document.isDirty, true);
      assert.equal(settings.state.phase, 'conflicted');
      await vscode.commands.executeCommand('kubemerge.acceptMerge', settings.uri);
      await untilMerged(settings);
      assert.match(settings.text, /mode: decided/);
      assert.equal(fixture.puts(settings).length, 0);
    } finally {
      await set('autoSave', undefined);
      await set('autoSaveDelay', undefined);
    }
  });

  it('I5: is decided in a comparison where VS Code has no merge editor', async () => {
    // The extension under test and its tests share one copy of the API.
    const { getCommands } = vscode.commands;
    Object.defineProperty(vscode.commands, 'getCommands', {
      configurable: true,
      value: async (...args: Parameters<typeof getCommands>) =>
        (await getCommands(...args)).filter((name) => name !== '_open.mergeEditor'),
    });
    try {
      const settings = await openConflicted();
      await vscode.commands.executeCommand('kubemerge.merge', settings.uri);
      const diff = await until('a comparison opens', () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff ? input : undefined;
      });
      assert.equal(diff.modified.toString(), settings.uri.toString());
      assert.equal(findMergeTabs().length, 0);
      assert.equal(settings.state.isMerging, false);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        settings.uri,
      );
      const keepMine = lenses.find(({ command }) => command?.title === 'Keep mine')?.command;
      assert.ok(keepMine, 'the field offers Keep mine');
      await vscode.commands.executeCommand(keepMine.command, ...(keepMine.arguments ?? []));
      await settings.saveAndLand();
      assert.equal((await settings.live()).data.mode, 'b');
    } finally {
      Object.defineProperty(vscode.commands, 'getCommands', { configurable: true, value: getCommands });
    }
  });

  describe('where accepting it also saves', () => {
    before(() => configure('merge.saveOnAccept', true));
    after(() => configure('merge.saveOnAccept', undefined));

    it('lands what was decided in one conditional write', async () => {
      const settings = await openConflicted();
      const open = await merge(settings);
      await editResult(open, 'mode: a', 'mode: decided');
      const { metadata } = await settings.live();
      await acceptMerge(open);
      const [put, ...more] = fixture.puts(settings);
      assert.ok(put);
      assert.equal(more.length, 0);
      const sent = JSON.parse(put.body) as { metadata: { resourceVersion: string; uid: string } };
      assert.equal(sent.metadata.resourceVersion, metadata.resourceVersion);
      assert.equal(sent.metadata.uid, metadata.uid);
      assert.equal((await settings.live()).data.mode, 'decided');
      assert.equal(settings.document.isDirty, false);
    });

    it('sends nothing while something is undecided', async () => {
      const settings = await openConflicted();
      const open = await merge(settings);
      await acceptMerge(open);
      await settings.patch({ data: { mode: 'd' } });
      await settings.untilSeen();
      await editResult(open, 'mode: a', 'mode: decided');
      await acceptMerge(open);
      const again = await until('a merge on new inputs', async () => {
        const shown = await readMerge(settings.uri);
        return shown.result.uri.toString() === open.result.uri.toString() ? undefined : shown;
      });
      assert.match(again.incoming, /mode: d\n/);
      await discardMerge(again);
      assert.equal(fixture.puts(settings).length, 0);
      assert.equal(settings.document.isDirty, true);
    });
  });
});
