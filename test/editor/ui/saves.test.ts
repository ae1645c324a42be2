import assert from 'node:assert/strict';
import type { Fault } from '../../support/faultProxy.ts';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { isPutOf, sentVersion } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('a save', () => {
  const live = useLiveWindow();

  it('G1: that the server refuses is told at the field, until that is mended', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: -1');
    await live().pressSave();
    await workbench.notifications('spec.replicas: Invalid value: -1').first().waitFor();
    await page.locator('.squiggly-error').first().waitFor();
    await live().screenshot('refused-field');
    assert.equal((await live().state(web)).isDirty, true);
    await live().retype('replicas: -1', 'replicas: 3');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await live().pressSave();
    await until(async () => (await live().other.get(web.path)).spec.replicas === 3);
  });

  it('or an action that a webhook denies stays told until that is dismissed, and is read whole behind a click', async () => {
    const { workbench, proxy } = live();
    const { page } = workbench;
    const web = await live().createAndOpen(deployment());
    const deny = (reason: string): Fault => {
      const message = `admission webhook "guard.example.com" denied the request: ${reason}`;
      const status = { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message };
      const headers = { 'content-type': 'application/json' };
      return { kind: 'answer', status: 403, headers, body: JSON.stringify(status) };
    };
    const long = `${'no object may have this. '.repeat(60)}Ask the platform team.`;
    using _save = proxy.inject(isPutOf(web), deny(long));
    using _scale = proxy.inject(({ path }) => path.startsWith(`${web.path}/scale`), deny('too many'));
    // What goes by itself after some seconds goes at once.
    await page.evaluate(
      'window.unhurried = window.setTimeout; window.setTimeout = (run, ms, ...rest) => window.unhurried(run, ms >= 8000 && ms <= 20000 ? 100 : ms, ...rest)',
    );
    try {
      await workbench.inHost(({ vscode }) => void vscode.commands.executeCommand('kubemerge.scale'));
      await page.getByText('Replicas, 1 now').waitFor();
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      const action = workbench.notifications('Not scaled: the server refused Deployment');
      await action.waitFor();
      await live().retype('replicas: 1', 'replicas: 6');
      await live().pressSave();
      const save = workbench.notifications('Not saved: the server refused Deployment');
      await save.waitFor();
      await workbench.inHost(({ vscode }) => {
        void vscode.window.showWarningMessage('This one goes by itself');
      });
      const passing = workbench.notifications('This one goes by itself');
      await passing.waitFor();
      await passing.waitFor({ state: 'detached' });
      await live().screenshot('denied');
      assert.deepEqual([await action.count(), await save.count()], [1, 1]);
      await save.getByRole('link', { name: 'Show Full Message' }).click();
    } finally {
      await page.evaluate('window.setTimeout = window.unhurried');
    }
    await workbench.tab('Full Message').waitFor();
    const words = (await live().activeText()).replaceAll(/\s+/g, ' ');
    assert.match(words, /Ask the platform team\. Your text is kept/);
    assert.equal((await live().state(web)).isDirty, true);
  });

  it('is listed with what it changed, compared, and taken back by its button', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: 4');
    await live().pressSave();
    await until(async () => (await live().other.get(web.path)).spec.replicas === 4);
    await live().patch(web, { metadata: { labels: { tier: 'back' } } });
    await live().untilState(web, ({ text }) => text.includes('tier: back'));

    await workbench.runCommand('KubeMerge: Show Saves…');
    const saved = workbench.quickPickRow('spec.replicas').first();
    await saved.waitFor();
    await live().screenshot('saves');
    await saved.click();
    await page.getByText('Before ↔ After the Save').first().waitFor();
    await page.locator('.modified .view-line', { hasText: 'replicas: 4' }).first().waitFor();
    await live().screenshot('save-compared');

    await workbench.inHost(({ vscode }) =>
      vscode.commands.executeCommand('workbench.action.closeAllEditors'),
    );
    await workbench.runCommand('KubeMerge: Show Saves…');
    // Without a document it is asked whose.
    await live().pick(`${live().namespace}/${web.ref.name}`);
    await saved.waitFor();
    await page.keyboard.press('Escape');

    await live().open(web);
    await live().showTree();
    await live().collapseAll();
    await live().expand('admin', live().namespace, 'Workloads', 'Deployments');
    await live().row(web.ref.name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show Saves of This Object' }).click();
    const { metadata } = await live().other.get(web.path);
    await saved.hover();
    await saved.getByRole('button', { name: 'Undo This Save' }).click();
    await live().untilState(web, ({ text, isDirty }) => text.includes('replicas: 1\n') && !isDirty);
    const [, undo, ...more] = live().puts(web);
    assert.equal(more.length, 0);
    const { resourceVersion, uid } = metadata;
    assert.deepEqual(sentVersion(undo), { resourceVersion, uid });
    const undone = await live().other.get(web.path);
    assert.deepEqual([undone.spec.replicas, undone.metadata.labels.tier], [1, 'back']);
  });

  it('is told of where a controller sets it back, with which field and by whom; one click shows both', async () => {
    const { workbench } = live();
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: 3');
    await live().pressSave();
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    await live().patch(web, { spec: { replicas: 1 } }, 'hpa-controller');
    const told = workbench.notifications('Right after your save, spec.replicas of Deployment').first();
    await told.waitFor();
    await live().screenshot('overturned');
    assert.match(await told.innerText(), /was set back by hpa-controller.*You saved 3, it now holds 1/s);
    await workbench.pressInNotification('Right after your save', 'Show Diff');
    await workbench.tab('What You Saved ↔ Live').waitFor();
    const side = (name: string, line: string): Promise<void> =>
      workbench.page.locator(`.${name} .view-line`, { hasText: line }).first().waitFor();
    await side('original', 'replicas: 3');
    await side('modified', 'replicas: 1');
  });
});
