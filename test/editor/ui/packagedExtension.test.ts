import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packVsix } from '../../../scripts/packaging/packVsix.ts';
import type { ApiClient } from '../../support/apiClient.ts';
import { createNamespace, sharedApiServer } from '../../support/sharedApiServer.ts';
import { until } from '../../support/until.ts';
import { Workbench } from '../../support/workbench.ts';

// A link to the project would hide a file that the package lacks.
describe('the packed extension, installed as a person installs it', function () {
  this.timeout(180_000);
  let folder = '';
  let workbench: Workbench;
  let other: ApiClient;
  let namespace = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubemerge-vsix-'));
    const vsix = join(folder, 'kubemerge.vsix');
    await packVsix(vsix);
    const server = await sharedApiServer();
    other = server.client();
    // Early in the alphabet: rows further down than the window's edge are not there to be found.
    namespace = await createNamespace(other, 'a-packed');
    workbench = await Workbench.start({ vsix, env: { KUBECONFIG: server.kubeconfigPath } });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.keepFailure(this.currentTest.title);
  });

  after(async () => {
    await workbench.stop();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens an object from the palette, as kubectl would name it, and saves an edit of it', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await other.create(path, { metadata: { name: 'colours' }, data: { wall: 'white' } });

    await workbench.runCommand('KubeMerge: Open Object…');
    await workbench.fillQuickInput('Type as for kubectl', `cm/colours -n ${namespace}`);
    await workbench.quickPickRow('Open cm/colours').first().click();
    await workbench.tab('colours.k8s.yaml').waitFor();
    await workbench.statusBarItem(`${namespace}/colours · admin · live`).waitFor();
    assert.match(await workbench.visibleText(), /wall: white/);

    await workbench.inHost(({ vscode }) => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) throw new Error('no editor is open');
      const start = editor.document.getText().indexOf('white');
      const position = (offset: number) => editor.document.positionAt(start + offset);
      editor.selection = new vscode.Selection(position(0), position('white'.length));
    });
    await workbench.focusEditor();
    await workbench.page.keyboard.type('green');
    await until(async () => (await workbench.tabs()).some(({ isActive, isDirty }) => isActive && isDirty));
    await workbench.page.keyboard.press('Control+s');
    await until(async () => (await other.get(`${path}/colours`)).data.wall === 'green');
    await until(async () => (await workbench.tabs()).every(({ isDirty }) => !isDirty));
  });

  it('lists the cluster in its tree', async () => {
    const { page } = workbench;
    const row = (name: string) =>
      page.locator('.pane-body .monaco-list-row').filter({ hasText: name }).first();
    // A click on the icon of the view that is shown would hide it.
    if (!(await row('admin').isVisible())) {
      await page.locator('.activitybar .action-label[aria-label^="KubeMerge"]').first().click();
    }
    await row('admin').click();
    await row(namespace).waitFor();
  });
});
