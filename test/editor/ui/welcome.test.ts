import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../../scripts/repository.ts';
import { printKubeconfig, writePrivateFile } from '../../support/kubeconfig.ts';
import { Workbench } from '../../support/workbench.ts';

describe('a window without a kubeconfig', function () {
  this.timeout(90_000);
  let folder = '';
  let workbench: Workbench | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubemerge-welcome-'));
    workbench = await Workbench.start({ env: { KUBECONFIG: join(folder, 'config') } });
  });
  after(async () => {
    await workbench?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('D10: says so and offers to choose one, and shows the contexts once there is one', async () => {
    assert.ok(workbench);
    const { page } = workbench;
    await page.locator('.activitybar .action-label[aria-label^="KubeMerge"]').first().click();
    const welcome = page.locator('.welcome-view-content');
    await welcome.getByText('No kubeconfig was found').waitFor();
    await welcome.getByText('Choose Kubeconfig…').waitFor();
    await page.screenshot({ path: join(repositoryRoot, 'out', 'ui', 'welcome.png') });
    const text = printKubeconfig({ url: 'https://127.0.0.1:1', ca: 'none', tokens: { late: 'token' } });
    await writePrivateFile(join(folder, 'config'), text);
    await welcome.getByText('Look Again').click();
    await page.locator('.pane-body .monaco-list-row', { hasText: 'late' }).waitFor();
  });
});
