import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../support/until.ts';
import { configMap } from '../inHost/testObjects.ts';
import { sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('what the workbench can do with any document', () => {
  const live = useLiveWindow();

  it('Replace All of the search view saves each live document that it changed, as a save of its own', async () => {
    const { workbench } = live();
    const targets: Target[] = [];
    for (const _ of [1, 2]) targets.push(await live().createAndOpen(configMap({ mode: 'needle-a' })));
    const [one] = targets;
    assert.ok(one);
    await live().patch(one, { metadata: { labels: { team: 'red' } } });
    await workbench.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('workbench.action.findInFiles', {
        query: 'needle-a',
        replace: 'needle-b',
        onlyOpenEditors: true,
        triggerSearch: true,
      });
    });
    await workbench.page.locator('.search-view .monaco-list-row').nth(1).waitFor();
    await live().screenshot('replace-all');
    await workbench.page.locator('.search-view .codicon-search-replace-all').first().click();
    await workbench.pressInDialog('Replace');
    for (const target of targets) {
      await live().untilState(
        target,
        ({ isDirty, isSaving, text }) => !isDirty && !isSaving && text.includes('needle-b'),
      );
      const { data, metadata } = await live().other.get(target.path);
      assert.deepEqual(data, { mode: 'needle-b' });
      const [put, ...more] = live().puts(target);
      assert.equal(more.length, 0);
      assert.equal(sentVersion(put).uid, metadata.uid);
    }
    assert.equal((await live().other.get(one.path)).metadata.labels.team, 'red');
  });

  it('Save As under another name is refused, in words, and touches nothing; under its own name it is a save', async () => {
    const { workbench, proxy } = live();
    const settings = await live().createAndOpen(configMap({ mode: 'a' }));
    await live().retype('mode: a', 'mode: mine');
    const before = proxy.requests.filter(({ method }) => method !== 'GET').length;
    const path = await askWhere();
    await nameInput().fill(path.replace(settings.ref.name, 'another'));
    await workbench.page.keyboard.press('Enter');
    await workbench.notifications('create a copy').waitFor();
    await live().screenshot('save-as-refused');
    assert.equal(proxy.requests.filter(({ method }) => method !== 'GET').length, before);
    const { isDirty, text } = await live().state(settings);
    assert.ok(isDirty && text.includes('mode: mine'));

    await askWhere();
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByText('already exists').waitFor();
    await workbench.page.keyboard.press('Enter');
    await live().untilState(settings, (state) => !state.isDirty && !state.isSaving);
    const [put, ...more] = live().puts(settings);
    assert.equal(more.length, 0);
    const { data, metadata } = await live().other.get(settings.path);
    assert.deepEqual(data, { mode: 'mine' });
    assert.equal(sentVersion(put).uid, metadata.uid);
  });

  it('I7: auto-save onWindowChange writes nothing when the window loses the focus', async () => {
    const { workbench } = live();
    const settings = await live().createAndOpen(configMap({ mode: 'a' }));
    const setAutoSave = async (value: string | null): Promise<void> => {
      await workbench.inHost(async ({ vscode }, kind) => {
        const files = vscode.workspace.getConfiguration('files', { languageId: 'k8s-object' });
        await files.update('autoSave', kind ?? undefined, vscode.ConfigurationTarget.Global, true);
      }, value);
    };
    await setAutoSave('onWindowChange');
    try {
      await live().retype('mode: a', 'mode: half');
      const reasons = 'kubemergeTestReasons';
      await workbench.inHost(({ vscode }, name) => {
        const seen: number[] = [];
        Reflect.set(globalThis, name, seen);
        vscode.workspace.onWillSaveTextDocument(({ reason }) => seen.push(reason));
      }, reasons);
      await workbench.page.evaluate(
        "document.hasFocus = () => false; window.dispatchEvent(new Event('blur'))",
      );
      await workbench.notifications('auto-save never writes to a cluster').waitFor();
      const seen = await workbench.inHost((_, name) => Reflect.get(globalThis, name) as number[], reasons);
      // TextDocumentSaveReason.FocusOut
      assert.deepEqual(new Set(seen), new Set([3]));
      assert.deepEqual(live().puts(settings), []);
      assert.equal((await live().state(settings)).isDirty, true);
    } finally {
      await setAutoSave(null);
      await workbench.page.evaluate("delete document.hasFocus; window.dispatchEvent(new Event('focus'))");
    }
  });

  it('Save As of a new object under another name is refused, in words; under its own name it is a save', async () => {
    const { workbench, proxy } = live();
    const settings = await live().createAndOpen(configMap({ mode: 'a' }));
    await workbench.inHost(async ({ vscode }, name) => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      const path = shown?.path.replace(name, `fresh-${name}`) ?? '';
      const uri = vscode.Uri.from({ scheme: 'k8s-new', path, query: `fresh-${name}.k8s.yaml` });
      await vscode.window.showTextDocument(uri, { preview: false });
    }, settings.ref.name);
    await live().retype('key: value', 'key: mine');
    const posts = (): number =>
      proxy.recorded('POST').filter((one) => one.path.includes('/configmaps')).length;
    const before = posts();
    const path = await askWhere();
    await nameInput().fill(path.replace('fresh-', 'another-'));
    await workbench.page.keyboard.press('Enter');
    await workbench.notifications('open in a tab is created, by a save there').waitFor();
    await live().screenshot('save-as-new-refused');
    assert.equal(posts(), before);
    assert.match(await live().activeText(), /key: mine/);

    await askWhere();
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByText('already exists').waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.statusBarItem(`fresh-${settings.ref.name} · admin`).waitFor();
    const { data } = await live().other.get(
      settings.path.replace(settings.ref.name, `fresh-${settings.ref.name}`),
    );
    assert.deepEqual(data, { key: 'mine' });
  });

  const nameInput = (): Locator => live().workbench.page.locator('.quick-input-widget input').first();

  /** Opens “Save As…”. @returns the place that it suggests */
  async function askWhere(): Promise<string> {
    await live().workbench.inHost(({ vscode }) => {
      void vscode.commands.executeCommand('workbench.action.files.saveAs');
    });
    await nameInput().waitFor();
    let path = '';
    await until(async () => {
      path = await nameInput().inputValue();
      return path.includes('/configmaps/');
    });
    return path;
  }
});
