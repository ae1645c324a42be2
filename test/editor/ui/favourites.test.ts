import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { configMap } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('favourites', () => {
  const live = useLiveWindow();

  /** A row of the view of favourites, by its label. */
  function favourite(label: string): Locator {
    return live().row(label, 'Favourites');
  }

  async function star(row: Locator): Promise<void> {
    await row.hover();
    await row.locator('.action-label[aria-label="Add to Favourites"]').click();
  }

  it('D11: are kept over a reload, ask nothing of the cluster until they are opened, and go to their place', async () => {
    const { workbench, namespace } = live();
    const settings = await live().create(configMap({ mode: 'a' }));
    await live().showTree();
    // What an earlier test has expanded would push the rows out of sight.
    await live().collapseAll();
    await live().expand('admin', namespace);
    if ((await live().row(namespace).filter({ hasText: 'favourite' }).count()) === 0)
      await star(live().row(namespace));
    await live().row(namespace).filter({ hasText: 'favourite' }).waitFor();
    await live().expand('Config', 'ConfigMaps');
    await star(live().row(settings.ref.name));
    await favourite(settings.ref.name).waitFor();
    await live().screenshot('favourites');
    await live().collapseAll();

    const before = live().proxy.requests.length;
    await workbench.reload();
    await favourite(settings.ref.name)
      .filter({ hasText: `configmaps · ${namespace} · admin` })
      .waitFor();
    await favourite(namespace).filter({ hasText: 'admin' }).waitFor();
    // VS Code may bring back an editor of an earlier test, and reads its object.
    const asked = live().proxy.requests.slice(before);
    assert.deepEqual(
      asked.filter(({ path }) => /configmaps|\/namespaces(\?|$)/.test(path)),
      [],
    );

    await favourite(settings.ref.name).click();
    await workbench.statusBarItem(`${namespace}/${settings.ref.name} · admin · live`).waitFor();
    await favourite(namespace).click();
    await live().row('Config').waitFor();

    await workbench.runCommand('KubeMerge: Remove from Favourites');
    await favourite(settings.ref.name).waitFor({ state: 'detached' });
    await favourite(namespace).hover();
    await favourite(namespace).locator('.action-label[aria-label="Remove from Favourites"]').click();
    await favourite(namespace).waitFor({ state: 'detached' });
    await live().collapseAll();
  });
});
