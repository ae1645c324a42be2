import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('a merge', () => {
  const live = useLiveWindow();

  it('I5: is found, decided, accepted and saved with the keyboard alone', async () => {
    const { page } = live().workbench;
    const web = await openConflicted();
    const shown = await live().other.get(web.path);
    await page.keyboard.press('Control+s');
    await live().workbench.notifications('Not saved').first().waitFor();
    await openMerge();
    await runByKeyboard('Merge Editor: Go to Next Unhandled Conflict');
    await runByKeyboard('Merge Editor: Toggle Current Conflict from Right');
    await page.getByText('0 Conflicts Remaining').waitFor();
    await page.keyboard.press('Control+Enter');
    await live().untilState(web, ({ phase, isMerging }) => phase === 'fresh' && !isMerging);
    await untilBackInText();
    await page.keyboard.press('Control+s');
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.deepEqual(live().puts(web).map(sentVersion), [
      { resourceVersion: shown.metadata.resourceVersion, uid: shown.metadata.uid },
    ]);
    assert.equal((await live().other.get(web.path)).spec.replicas, 6);
  });

  it('I5: that nobody touched is asked about once; the value from before both changes can be meant', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await openConflicted();
    const mine = await live().activeText();
    await openMerge();
    await page.keyboard.press('Control+Enter');
    await workbench.dialog('neither yours nor live’s').waitFor();
    await live().screenshot('merge-undecided');
    await page.keyboard.press('Escape');
    await workbench.dialog().waitFor({ state: 'detached' });
    await page.locator('.merge-editor .monaco-editor.focused').waitFor();
    assert.equal((await live().state(web)).text, mine);
    await page.keyboard.press('Control+Enter');
    await workbench.dialog('neither yours nor live’s').waitFor();
    await page.keyboard.press('Enter');
    await live().untilState(web, ({ phase, isMerging }) => phase === 'fresh' && !isMerging);
    assert.equal(await workbench.dialog().count(), 0);
    await untilBackInText();
    await page.keyboard.press('Control+s');
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.equal(live().puts(web).length, 1);
    assert.equal((await live().other.get(web.path)).spec.replicas, 1);
  });

  it('I5: ends with its window: after a reload the text is back, unsaved, and nothing was sent', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await openConflicted();
    const mine = await live().activeText();
    await openMerge();
    await page.locator('.merge-editor').getByText('Accept Mine').first().click();
    await page.getByText('0 Conflicts Remaining').waitFor();
    await workbench.reload();
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
    await workbench.tab(web.tabName).first().click();
    const restored = await live().untilState(web, ({ phase }) => phase === 'conflicted');
    assert.equal(restored.text, mine);
    assert.equal(restored.isDirty, true);
    assert.equal(restored.isMerging, false);
    await live().screenshot('merge-reloaded');
    assert.deepEqual(live().puts(web), []);
    // Its toast may have gone by the time that the window is up.
    await workbench.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('notifications.showList');
    });
    await page
      .locator('.notifications-center .notification-list-item', { hasText: 'ended when its window closed' })
      .waitFor();
  });

  it('of other fields is shown before the save where the setting says so, and sent on a yes alone', async () => {
    const { workbench } = live();
    const { page } = workbench;
    await workbench.changeSetting('kubemerge.save.foreignChanges', 'review');
    try {
      const web = await live().createAndOpen(deployment());
      await live().retype('replicas: 1', 'replicas: 6');
      await live().patch(web, { metadata: { labels: { tier: 'back' } } }, 'kubectl-label');
      await workbench.statusBarItem('Stale: 1 field changed by kubectl-label').first().waitFor();
      await page.keyboard.press('Control+s');
      const question = page
        .locator('.quick-input-widget')
        .filter({ hasText: 'with 1 field merged in from kubectl-label' });
      await question.waitFor();
      await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      await live().screenshot('review');
      await page.keyboard.press('Escape');
      await live().untilState(web, ({ isSaving }) => !isSaving);
      assert.deepEqual(live().puts(web), []);
      assert.equal((await live().state(web)).isDirty, true);
      await until(async () => (await workbench.tabs()).length === 1);
      await workbench.focusEditor();
      await page.keyboard.press('Control+s');
      await question.waitFor();
      await page.keyboard.press('Enter');
      await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
      const saved = await live().other.get(web.path);
      assert.equal(saved.spec.replicas, 6);
      assert.equal(saved.metadata.labels.tier, 'back');
      assert.equal(live().puts(web).length, 1);
    } finally {
      await workbench.changeSetting('kubemerge.save.foreignChanges', undefined);
    }
  });

  /** Mine has 6 replicas, live has 9. */
  async function openConflicted(): Promise<Target> {
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: 6');
    await live().patch(web, { spec: { replicas: 9 } }, 'hpa-controller');
    await live().workbench.statusBarItem('1 conflict').first().waitFor();
    return web;
  }

  async function openMerge(): Promise<void> {
    const { page } = live().workbench;
    await runByKeyboard('KubeMerge: Merge Live into Mine');
    await page.getByText('1 Conflict Remaining').waitFor();
    // Its result has the keyboard.
    await page.locator('.merge-editor .code-view.result .monaco-editor.focused').waitFor();
  }

  /** The merge editor is gone, and the document has the keyboard. */
  async function untilBackInText(): Promise<void> {
    const { page } = live().workbench;
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  async function runByKeyboard(title: string): Promise<void> {
    const { page } = live().workbench;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget .quick-input-box input').waitFor();
    await page.keyboard.type(title);
    await live().workbench.quickPickRow(title).and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
  }
});
