import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
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
    await workbench.runCommand('KubeMerge: Show Saves…');
    await saved.hover();
    await page.locator('.quick-input-widget [aria-label="Undo This Save"]').first().click();
    await until(async () => (await live().other.get(web.path)).spec.replicas === 1);
    assert.equal((await live().other.get(web.path)).metadata.labels.tier, 'back');
  });
});
