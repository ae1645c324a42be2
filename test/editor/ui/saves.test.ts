import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { sentVersion } from './liveWindow.ts';
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

    await workbench.tab(web.tabName).click();
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
