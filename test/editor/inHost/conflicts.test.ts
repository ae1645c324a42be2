import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, configure, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { acceptMerge, closeMerge, discardMerge, editResult, findMergeTabs, readMerge } from './mergeTab.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment, widget } from './testObjects.ts';
import { until } from './until.ts';
import { serveWidgets } from './widgets.ts';

describe('a change of the same field by someone else', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** Mine has image web:2, live has web:1; live alone has 5 replicas, mine alone another tier. */
  async function openConflicted(): Promise<OpenObject> {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2 # mine');
    await web.replace('tier: front', 'tier: back');
    const containers = [
      { name: 'log', image: 'log:0' },
      { name: 'app', image: 'web:1' },
    ];
    await web.patch({ spec: { replicas: 5, template: { spec: { containers } } } }, 'kubectl-edit');
    await web.until('conflicted', ({ phase }) => phase === 'conflicted');
    return web;
  }

  it('A2, B13: is a conflict with both values: nothing is sent, and the message says by whom', async () => {
    const web = await openConflicted();
    const { text } = web;
    assert.deepEqual(web.state.conflicts, [
      {
        path: 'spec.template.spec.containers[name=app].image',
        base: 'web:0',
        mine: 'web:2',
        live: 'web:1',
      },
    ]);
    const { kind, message } = await web.save();
    assert.equal(kind, 'conflict');
    assert.match(message, /the same field of Deployment .* \(by kubectl-edit, /);
    assert.match(message, /spec\.template\.spec\.containers\[name=app\]\.image/);
    assert.equal(fixture.puts(web).length, 0);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
    const [diagnostic] = web.diagnostics.filter(({ code }) => code === 'conflict');
    assert.equal(diagnostic?.line, '- image: web:2 # mine');
    assert.match(diagnostic.message, /live: web:1, by kubectl-edit/);
  });

  it('opens a merge editor on three texts that differ in what was changed only', async () => {
    const web = await openConflicted();
    const { text } = web;
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const merge = await readMerge();
    assert.equal(web.state.isMerging, true);
    const mine = text.replace(/ {2}resourceVersion: .*\n {2}uid: .*\n/, '');
    assert.equal(merge.mine, mine);
    assert.equal(
      merge.base,
      mine.replace('tier: back', 'tier: front').replace('image: web:2', 'image: web:0'),
    );
    assert.equal(
      merge.incoming,
      mine
        .replace('tier: back', 'tier: front')
        .replace('image: web:2', 'image: web:1')
        .replace('replicas: 1', 'replicas: 5'),
    );
    assert.equal(
      merge.result.getText(),
      mine.replace('image: web:2', 'image: web:0').replace('replicas: 1', 'replicas: 5'),
    );
    assert.equal(merge.result.isDirty, false);
  });

  it('is settled by accepting a result: one edit that undo takes back, and the save sends it', async () => {
    const web = await openConflicted();
    const { text } = web;
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const merge = await readMerge();
    await editResult(merge, 'image: web:0', 'image: web:3');
    await acceptMerge(merge);
    await web.until('merged', ({ phase, isMerging }) => phase === 'fresh' && !isMerging);
    assert.equal(findMergeTabs().length, 0);
    assert.match(web.text, /image: web:3 # mine/);
    assert.match(web.text, /replicas: 5/);
    assert.match(web.text, new RegExp(`resourceVersion: "${web.state.liveVersion}"`));
    assert.equal(fixture.puts(web).length, 0);
    const merged = web.text;
    await web.undo();
    assert.equal(web.text, text);
    await web.until('conflicted again', ({ phase }) => phase === 'conflicted');
    await web.run('redo');
    assert.equal(web.text, merged);

    await web.saveAndLand();
    const live = await web.live();
    assert.equal(live.spec.template.spec.containers[1].image, 'web:3');
    assert.equal(live.spec.replicas, 5);
    assert.equal(live.metadata.labels.tier, 'back');
    assert.equal(fixture.puts(web).length, 1);
  });

  it('I5: stays as it is when the merge editor is closed: nothing is sent, the text is untouched', async () => {
    const web = await openConflicted();
    const { text } = web;
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    await closeMerge(await readMerge());
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const merge = await readMerge();
    await editResult(merge, 'image: web:0', 'image: web:3');
    await discardMerge(merge);
    await web.until('no longer merging', ({ isMerging }) => !isMerging);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
    assert.equal(web.state.phase, 'conflicted');
    assert.equal((await web.save()).kind, 'conflict');
    assert.equal(fixture.puts(web).length, 0);
  });

  it('I5: is not decided by accepting a result that nobody touched, nor one with markers', async () => {
    const web = await openConflicted();
    const { text } = web;
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const merge = await readMerge();
    // The question whether that was meant cannot be answered here: it counts as no.
    await acceptMerge(merge);
    assert.equal(web.text, text);
    assert.equal(findMergeTabs().length, 1);
    await editResult(merge, '      - image: web:0', '<<<<<<< mine\n      - image: web:2\n=======');
    await acceptMerge(merge);
    assert.equal(web.text, text);
    await discardMerge(merge);
    assert.equal(fixture.puts(web).length, 0);
  });

  it('I5: may be settled for base’s own value', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    await settings.patch({ data: { mode: 'c' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    await vscode.commands.executeCommand('kubemerge.merge', settings.uri);
    const merge = await readMerge();
    await editResult(merge, 'mode: a', 'mode: "a"');
    await acceptMerge(merge);
    await settings.until('merged', ({ phase }) => phase === 'fresh');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'a' });
  });

  it('I5: is merged anew where live moved on while the merge was open', async () => {
    const web = await openConflicted();
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const first = await readMerge();
    await editResult(first, 'image: web:0', 'image: web:3');
    await web.patch({ metadata: { labels: { tier: 'middle' } } });
    await web.untilSeen();
    await acceptMerge(first);
    const second = await until('a merge editor on new inputs', async () => {
      const shown = await readMerge();
      return shown.result.uri.toString() === first.result.uri.toString() ? undefined : shown;
    });
    assert.match(second.incoming, /tier: middle/);
    assert.match(second.mine, /image: web:3/);
    await editResult(second, 'tier: front', 'tier: agreed');
    await acceptMerge(second);
    await web.until('merged', ({ phase }) => phase === 'fresh');
    await web.saveAndLand();
    const live = await web.live();
    assert.equal(live.metadata.labels.tier, 'agreed');
    assert.equal(live.spec.template.spec.containers[1].image, 'web:3');
  });

  it('I5: a merge keeps what was typed into the text while it was open', async () => {
    const web = await openConflicted();
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    const merge = await readMerge();
    await editResult(merge, 'image: web:0', 'image: web:3');
    await web.replace('app: web\n    tier', 'app: web\n    owner: me\n    tier');
    await acceptMerge(merge);
    await web.until('merged', ({ phase }) => phase === 'fresh');
    await web.saveAndLand();
    const live = await web.live();
    assert.equal(live.metadata.labels.owner, 'me');
    assert.equal(live.spec.template.spec.containers[1].image, 'web:3');
  });

  it('is shown in a comparison where the user prefers that to the merge editor', async () => {
    await configure('merge.editor', 'compare');
    try {
      const web = await openConflicted();
      await vscode.commands.executeCommand('kubemerge.merge', web.uri);
      const diff = await until('a comparison opens', () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff ? input : undefined;
      });
      assert.equal(diff.modified.toString(), web.uri.toString());
      const left = await vscode.workspace.openTextDocument(diff.original);
      assert.match(left.getText(), /image: web:1/);
      assert.equal(web.state.isMerging, false);
    } finally {
      await configure('merge.editor', undefined);
    }
  });

  it('in a list that no schema describes is none where the setting merges such lists by name', async () => {
    await serveWidgets(fixture.other);
    const parts = (left: number, right: number): unknown[] => [
      { name: 'left', length: left },
      { name: 'right', length: right },
    ];
    const object = await fixture.createAndOpen(widget({ parts: parts(10, 20) }));
    await object.replace('length: 10', 'length: 11');
    await object.patch({ spec: { parts: parts(10, 21) } });
    const { conflicts } = await object.until('conflicted', ({ phase }) => phase === 'conflicted');
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['spec.parts'],
    );
    await configure('merge.namedLists', true);
    try {
      await object.until('stale', ({ phase }) => phase === 'stale');
      const { message } = await object.saveAndLand();
      assert.match(message, /spec\.parts\[name=right\]/);
      assert.deepEqual((await object.live()).spec.parts, parts(11, 21));
    } finally {
      await configure('merge.namedLists', undefined);
    }
  });

  it('in a large text is marked at its line, read on another thread', async () => {
    const settings = await fixture.createAndOpen(configMap({ big: 'word '.repeat(24_000), mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    await settings.patch({ data: { mode: 'c' } });
    await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
    const found = await until('the line is marked', () =>
      settings.diagnostics.find(({ line }) => line.includes('mode: b')),
    );
    assert.match(found.message, /data\.mode/);
  });

  describe('decided without the merge editor', () => {
    /** Two conflicts, at `data.color` and `data.size`; live alone changed `data.shape`. */
    async function openTwice(): Promise<OpenObject> {
      const settings = await fixture.createAndOpen(configMap({ color: 'red', shape: 'round', size: 's' }));
      await settings.replace('color: red', 'color: green # mine');
      await settings.replace('size: s', 'size: m');
      await settings.patch({ data: { color: 'blue', shape: 'square', size: 'l' } });
      const { conflicts } = await settings.until('conflicted', ({ phase }) => phase === 'conflicted');
      assert.deepEqual(
        conflicts.map(({ path }) => path),
        ['data.color', 'data.size'],
      );
      return settings;
    }

    const run = async (command: string, object: OpenObject, ...more: string[]): Promise<void> => {
      await vscode.commands.executeCommand(`kubemerge.${command}`, object.uri, ...more);
    };

    it('by keeping mine everywhere', async () => {
      const settings = await openTwice();
      await run('keepMine', settings);
      assert.deepEqual(settings.state.conflicts, []);
      assert.match(settings.text, /color: green # mine/);
      await settings.saveAndLand();
      assert.deepEqual((await settings.live()).data, { color: 'green', shape: 'square', size: 'm' });
    });

    it('by taking live everywhere', async () => {
      const settings = await openTwice();
      await run('takeLive', settings);
      assert.deepEqual(settings.state.conflicts, []);
      assert.match(settings.text, /color: blue # mine/);
      const { kind } = await settings.save();
      assert.equal(kind, 'unchanged');
      assert.equal(fixture.puts(settings).length, 0);
      assert.equal(settings.document.isDirty, false);
    });

    it('field by field', async () => {
      const settings = await openTwice();
      await run('keepMine', settings, 'data.color');
      assert.deepEqual(
        settings.state.conflicts.map(({ path }) => path),
        ['data.size'],
      );
      assert.equal((await settings.save()).kind, 'conflict');
      await run('takeLive', settings, 'data.size');
      assert.deepEqual(settings.state.conflicts, []);
      assert.match(settings.text, /size: l/);
      await settings.saveAndLand();
      assert.deepEqual((await settings.live()).data, { color: 'green', shape: 'square', size: 'l' });
      assert.deepEqual(
        fixture.puts(settings).map(({ status }) => status),
        [200],
      );
    });

    it('for live at one field: what was taken is no change of mine, and goes where live goes', async () => {
      const settings = await openTwice();
      await run('takeLive', settings, 'data.color');
      assert.match(settings.text, /color: blue # mine/);
      await settings.patch({ data: { color: 'red' } });
      await settings.untilSeen();
      await run('keepMine', settings, 'data.size');
      await settings.saveAndLand();
      assert.deepEqual((await settings.live()).data, { color: 'red', shape: 'square', size: 'm' });
    });

    it('by discarding mine: the text is live’s, and clean', async () => {
      const settings = await openTwice();
      await run('reload', settings);
      await settings.untilCurrent();
      assert.match(settings.text, /color: blue/);
      assert.equal(settings.state.phase, 'fresh');
      assert.equal(fixture.puts(settings).length, 0);
    });
  });
});
