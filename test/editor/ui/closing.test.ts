import assert from 'node:assert/strict';
import { deployment } from '../inHost/testObjects.ts';
import { type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('closing an editor with unsaved changes', () => {
  const live = useLiveWindow();

  it('I11: asks, and Don’t Save leaves the cluster untouched', async () => {
    const web = await openEdited();
    const { metadata } = await live().other.get(web.path);
    await pressClose(web);
    await live().screenshot('closing');
    await live().workbench.pressInDialog("Don't Save");
    await live().workbench.tab(web.tabName).waitFor({ state: 'detached' });
    assert.deepEqual(live().puts(web), []);
    assert.equal((await live().other.get(web.path)).metadata.resourceVersion, metadata.resourceVersion);
  });

  it('I11: Cancel keeps the text, and Save sends it', async () => {
    const web = await openEdited();
    await pressClose(web);
    await live().workbench.pressInDialog('Cancel');
    assert.match((await live().state(web)).text, /replicas: 6\n/);
    assert.deepEqual(live().puts(web), []);
    await pressClose(web);
    await live().workbench.dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await live().workbench.tab(web.tabName).waitFor({ state: 'detached' });
    assert.equal((await live().other.get(web.path)).spec.replicas, 6);
    assert.equal(live().puts(web).length, 1);
  });

  async function openEdited(): Promise<Target> {
    const web = await live().createAndOpen(deployment());
    await live().retype('replicas: 1', 'replicas: 6');
    return web;
  }

  async function pressClose({ tabName }: Target): Promise<void> {
    const tab = live().workbench.tab(tabName);
    await tab.hover();
    await tab.locator('.action-label').first().click();
    await live().workbench.dialog(`save the changes you made to ${tabName}`).waitFor();
  }
});
