import assert from 'node:assert/strict';
import { configMap, deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('KubeMerge: Open Object…', () => {
  const live = useLiveWindow();

  it('leads to an object by context, namespace, kind and name', async () => {
    const { workbench, namespace } = live();
    const settings = await live().create(configMap({ mode: 'a' }));
    await workbench.runCommand('KubeMerge: Open Object…');
    await live().pick('admin');
    await live().pick(namespace);
    await workbench.quickPickRow('ConfigMap').first().waitFor();
    await live().screenshot('palette-kinds');
    await workbench.fillQuickInput('Choose a kind', 'ConfigMap');
    await live().pick('ConfigMap');
    await live().pick(settings.ref.name);
    await workbench.tab(settings.tabName).waitFor();
    await workbench.statusBarItem(`${namespace}/${settings.ref.name} · admin · live`).waitFor();
  });

  it('takes what one types for kubectl, and offers the object first the next time', async () => {
    const { workbench, namespace } = live();
    const older = await live().createAndOpen(deployment());
    const web = await live().create(deployment());
    await workbench.runCommand('KubeMerge: Open Object…');
    await workbench.fillQuickInput('Type as for kubectl', `deploy/${web.ref.name} -n ${namespace}`);
    await workbench.quickPickRow(`Open deploy/${web.ref.name}`).first().waitFor();
    await live().screenshot('palette-typed');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(web.tabName).waitFor();
    await workbench.statusBarItem(`${namespace}/${web.ref.name} · admin · live`).waitFor();

    await workbench.runCommand('KubeMerge: Open Object…');
    await workbench.quickPickRow(older.ref.name).first().waitFor();
    await live().screenshot('palette-recent');
    const labelAt = (index: number): Promise<string | null> =>
      workbench.page
        .locator(`.quick-input-widget .monaco-list-row[data-index="${String(index)}"] .label-name`)
        .first()
        .textContent();
    assert.equal(await labelAt(0), web.ref.name);
    assert.equal(await labelAt(1), older.ref.name);
    await live().pick(older.ref.name);
    await workbench.statusBarItem(`${namespace}/${older.ref.name} · admin · live`).waitFor();
  });
});
