import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('a conflict', () => {
  const live = useLiveWindow();

  it('I3: is told in the toast with our own choices, and Retry does not get past the guard', async () => {
    const { workbench } = live();
    const web = await openConflicted();
    const mine = await live().activeText();
    await live().pressSave();
    const toast = workbench.notifications('Not saved: you and someone else changed the same field').first();
    await toast.waitFor();
    await live().screenshot('conflict-toast');
    assert.match(await toast.innerText(), /by hpa-controller, .*: spec\.replicas\. Nothing was sent/s);
    for (const link of ['Merge', 'Compare', 'Reload']) {
      assert.equal(await toast.getByRole('link', { name: link, exact: true }).count(), 1, link);
    }

    const saves = await countSaves();
    await workbench.pressInNotification('Not saved', 'Retry');
    await until(async () => (await saves.count()) > 0);
    await workbench.notifications('Not saved').first().waitFor();
    const report = await workbench.inHost(async ({ vscode }) => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return await vscode.commands.executeCommand<{ kind: string }>('kubemerge.save', document?.uri);
    });
    assert.equal(report.kind, 'conflict');
    assert.deepEqual(live().puts(web), []);
    const after = await live().state(web);
    assert.equal(after.text, mine);
    assert.equal(after.isDirty, true);
    assert.equal((await live().other.get(web.path)).spec.replicas, 9);
  });

  it('is decided in the merge editor by clicks; saving sends what was chosen', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await openConflicted();
    await live().pressSave();
    const toast = workbench.notifications('Not saved').first();
    await toast.getByRole('link', { name: 'Merge', exact: true }).click();
    await page.locator('.merge-editor').waitFor();
    await page.getByText('1 Conflict Remaining').waitFor();
    await live().screenshot('merge-editor');
    await page.locator('.merge-editor').getByText('Accept Mine').first().click();
    await page.getByText('0 Conflicts Remaining').waitFor();
    await page.locator('.editor-actions [aria-label^="Accept Merge"]').first().click();
    await page.locator('.merge-editor').waitFor({ state: 'detached' });

    const merged = await live().untilState(web, ({ phase, isMerging }) => phase === 'fresh' && !isMerging);
    await live().screenshot('merge-accepted');
    assert.deepEqual(
      (await workbench.tabs()).map(({ label, isActive, isDirty }) => ({ label, isActive, isDirty })),
      [{ label: web.tabName, isActive: true, isDirty: true }],
    );
    assert.match(merged.text, /replicas: 6\n/);
    assert.deepEqual(live().puts(web), []);

    const shown = await live().other.get(web.path);
    await live().pressSave();
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.deepEqual(live().puts(web).map(sentVersion), [
      { resourceVersion: shown.metadata.resourceVersion, uid: shown.metadata.uid },
    ]);
    assert.equal((await live().other.get(web.path)).spec.replicas, 6);
  });

  it('I5: stays as it was when the merge editor is closed: nothing is sent, the text is back', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await openConflicted();
    const mine = await live().activeText();
    await workbench.runCommand('KubeMerge: Merge Live into Mine');
    await page.locator('.merge-editor').waitFor();
    await page.getByText('1 Conflict Remaining').waitFor();
    const mergeTab = workbench.tab(/^Merging/);
    await mergeTab.hover();
    await mergeTab.locator('.action-label').first().click();
    await workbench.dialog('unhandled conflicts').waitFor();
    await workbench.pressInDialog('Close with Conflicts');
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
    await workbench.notifications('was closed without being accepted').first().waitFor();
    await live().screenshot('merge-closed');
    const state = await live().untilState(web, ({ isMerging }) => !isMerging);
    assert.equal(state.text, mine);
    assert.equal(state.isDirty, true);
    assert.equal(state.phase, 'conflicted');
    assert.deepEqual(live().puts(web), []);
    await workbench.statusBarItem('1 conflict').waitFor();
  });

  it('is decided by a click above the field', async () => {
    const { workbench } = live();
    const web = await openConflicted();
    const lens = workbench.page.locator('.codelens-decoration', { hasText: 'live: 9, by hpa-controller' });
    await lens.first().waitFor();
    await lens.getByText('Take live').first().click();
    const { text } = await live().untilState(web, ({ phase }) => phase !== 'conflicted');
    assert.match(text, /replicas: 9\n/);
    assert.deepEqual(live().puts(web), []);
  });

  /** Mine has 6 replicas, live has 9. */
  async function openConflicted(): Promise<Target> {
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: 6');
    await live().patch(web, { spec: { replicas: 9 } }, 'hpa-controller');
    await live().workbench.statusBarItem('1 conflict').first().waitFor();
    return web;
  }

  /** Counts from now on how often VS Code begins to save. */
  async function countSaves(): Promise<{ count(): Promise<number> }> {
    const { workbench } = live();
    const key = 'kubemergeTestSaves';
    await workbench.inHost(({ vscode }, name) => {
      const counter = { saves: 0 };
      Reflect.set(globalThis, name, counter);
      vscode.workspace.onWillSaveTextDocument(() => {
        counter.saves++;
      });
    }, key);
    return {
      count: () =>
        workbench.inHost((_, name) => (Reflect.get(globalThis, name) as { saves: number }).saves, key),
    };
  }
});
