import assert from 'node:assert/strict';
import { WindowFixture } from './windowFixture.ts';

describe('a VS Code window', function () {
  this.timeout(60_000);
  let fixture: WindowFixture;

  before(async () => {
    fixture = await WindowFixture.start();
    await fixture.createConfigMap('settings', { a: '1', b: '1' });
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await fixture.workbench.keepFailure(this.currentTest.title);
    await fixture.closeAll();
    fixture.proxy.requests.length = 0;
  });

  it('D11: shows the contexts and asks no cluster before one is expanded', async () => {
    const { page } = fixture.workbench;
    await page.locator('.activitybar .action-label[aria-label^="KubeMerge"]').first().click();
    await fixture.row('admin').waitFor();
    await fixture.row('viewer').waitFor();
    assert.deepEqual(fixture.proxy.requests, []);
  });

  it('opens an object by the tree, which is live', async () => {
    for (const row of ['admin', fixture.namespace, 'Config', 'ConfigMaps']) await fixture.row(row).click();
    await fixture.row('settings').click();
    await fixture.workbench.tab('settings.k8s.yaml').waitFor();
    await fixture.createConfigMap('added-by-another', {});
    await fixture.row('added-by-another').waitFor();
    await fixture.other.delete(fixture.pathOf('added-by-another'));
    await fixture.row('added-by-another').waitFor({ state: 'detached' });
    await fixture.row('admin').click();
  });

  it('opens an object as it is named for kubectl, and offers it first the next time', async () => {
    const { workbench } = fixture;
    await workbench.runCommand('KubeMerge: Open Object…');
    await workbench.fillQuickInput(`cm/settings -n ${fixture.namespace}`);
    await workbench.quickPickRow('Open cm/settings').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('settings.k8s.yaml').waitFor();
    await workbench.runCommand('KubeMerge: Open Object…');
    await workbench.quickPickRow('settings').first().waitFor();
    assert.match(await workbench.quickPickRow(/./).first().innerText(), /settings/);
    await workbench.page.keyboard.press('Escape');
  });

  it('B12: shows a foreign change within 2 s, and after a reload still knows the base', async () => {
    const { workbench } = fixture;
    await fixture.open('settings');
    await fixture.retype('a: "1"', 'a: "2"');
    const { baseVersion, uid } = await fixture.state();
    const stale = workbench.statusBarItem('Stale: 1 field changed by other-writer');
    const startedAt = Date.now();
    await fixture.other.patch(fixture.pathOf('settings'), { data: { b: '5' } });
    await stale.first().waitFor();
    assert.ok(Date.now() - startedAt < 2000, 'stale within 2 s');

    await fixture.untilBackedUp();
    await workbench.reload();
    await workbench.tab('settings.k8s.yaml').first().click();
    await stale.first().waitFor();
    const restored = await fixture.state();
    assert.equal(restored.baseVersion, baseVersion);
    assert.equal(restored.isDirty, true);
    assert.match(await fixture.text(), /a: "2"/);

    fixture.proxy.requests.length = 0;
    await fixture.save();
    await workbench.notifications('Merged in 1 field').first().waitFor();
    const live = await fixture.other.get(fixture.pathOf('settings'));
    assert.deepEqual(live.data, { a: '2', b: '5' });
    const [put] = fixture.proxy.recorded('PUT');
    assert.ok(put);
    const sent = JSON.parse(put.body) as { metadata: { uid: string; resourceVersion: string } };
    assert.equal(sent.metadata.uid, uid);
    assert.notEqual(sent.metadata.resourceVersion, '');
  });

  it('I3: a conflict offers our own choices, and Retry sends nothing', async () => {
    const { workbench } = fixture;
    await conflict('i3');
    await fixture.save();
    const toast = workbench.notifications('Not saved: you and someone else changed the same field').first();
    await toast.waitFor();
    for (const choice of ['Merge', 'Compare', 'Reload']) {
      await toast.getByText(choice, { exact: true }).first().waitFor();
    }
    await workbench.pressInNotification('Not saved', 'Retry');
    await workbench.notifications('Not saved').first().waitFor();
    assert.equal(fixture.proxy.recorded('PUT').length, 0);
    assert.match(await fixture.text(), /a: mine/);
  });

  /** Opens a new object whose field `a` mine and live have changed differently. */
  async function conflict(name: string): Promise<void> {
    await fixture.createConfigMap(name, { a: 'base' });
    await fixture.open(name);
    await fixture.retype('a: base', 'a: mine');
    await fixture.other.patch(fixture.pathOf(name), { data: { a: 'live' } });
    await fixture.workbench.statusBarItem('1 conflict').first().waitFor();
  }
});
