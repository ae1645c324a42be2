import assert from 'node:assert/strict';
import { configMap, deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('actions on an object', () => {
  const live = useLiveWindow();

  it('are listed behind the status bar as far as the server serves and allows them', async () => {
    const { workbench } = live();
    const target = await live().createAndOpen(deployment());
    await workbench.statusBarItem(target.ref.name).first().click();
    await workbench.quickPickRow(/Delete Object…/).waitFor();
    await live().screenshot('actions');
    for (const title of [/Scale…/, /Edit Status/, /Create a Copy…/]) {
      assert.ok(await workbench.quickPickRow(title).isVisible(), String(title));
    }
    assert.equal(await workbench.quickPickRow(/Remove Finalizers/).count(), 0);
    await workbench
      .quickPickRow(/Scale…/)
      .first()
      .click();
    await workbench.page.getByText('Replicas, 1 now').waitFor();
    await workbench.page.keyboard.type('5');
    await workbench.page.getByText('From 1 to 5 replicas').waitFor();
    await live().screenshot('scale');
    await workbench.page.keyboard.press('Enter');
    await live().untilState(target, ({ text }) => text.includes('replicas: 5'));
    assert.equal((await live().other.get(target.path)).spec.replicas, 5);
  });

  it('on saves are offered once a save is kept of the object: in the palette and behind the status bar', async () => {
    const { workbench } = live();
    const { keyboard } = workbench.page;
    const onSaves = /Undo Last Save|Compare Your Last Save with Live/;
    const settings = await live().createAndOpen(configMap({ mode: 'a' }));
    await workbench.statusBarItem(settings.ref.name).first().click();
    await workbench.quickPickRow(/Delete Object…/).waitFor();
    assert.equal(await workbench.quickPickRow(/Scale…|Edit Status|Show Saves…/).count(), 0);
    await keyboard.press('Escape');
    await keyboard.press('F1');
    await keyboard.type('KubeMerge: Save');
    await workbench.quickPickRow(/Show Saves…/).waitFor();
    assert.equal(await workbench.quickPickRow(onSaves).count(), 0);
    await keyboard.press('Escape');
    await live().retype('mode: a', 'mode: b');
    await live().pressSave();
    await live().untilState(settings, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    await keyboard.press('F1');
    await keyboard.type('KubeMerge: Save');
    await workbench.quickPickRow(onSaves).nth(1).waitFor();
    await live().screenshot('palette-saved');
    await keyboard.press('Escape');
    await workbench.statusBarItem(settings.ref.name).first().click();
    await workbench.quickPickRow(/Show Saves…/).click();
    await workbench.page.getByText('Saves of').first().waitFor();
    await live().screenshot('saves-listed');
    await keyboard.press('Escape');
  });

  it('create an object from a template, which a save sends', async () => {
    const { workbench } = live();
    const { page } = workbench;
    await workbench.runCommand('KubeMerge: Create Object…');
    await live().pick('admin');
    await live().pick('CronJob');
    await live().pick(live().namespace);
    await page.getByText('A template opens').waitFor();
    await page.keyboard.type('nightly');
    await page.keyboard.press('Enter');
    await workbench.tab('nightly.k8s.yaml').waitFor();
    await page.locator('.editor-actions [aria-label^="Create in Cluster"]').waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'schedule' }).waitFor();
    await live().screenshot('create');
    await page.locator('.editor-actions [aria-label^="Create in Cluster"]').click();
    await workbench.statusBarItem('nightly · admin').waitFor();
    const path = `/apis/batch/v1/namespaces/${live().namespace}/cronjobs/nightly`;
    assert.equal((await live().other.get(path)).spec.schedule, '0 3 * * *');
    await workbench.notifications('Created CronJob nightly').waitFor();
  });
});
