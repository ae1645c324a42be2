import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { autoscaler, configMap } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('an object’s versions, and its end', () => {
  const live = useLiveWindow();

  it('says once what a version that is not the preferred one does not show, and opens the other', async () => {
    const { workbench } = live();
    const scaler = await live().create(autoscaler());
    const older = { ...scaler, ref: { ...scaler.ref, version: 'v1' } };
    await live().open(older);
    const hint = workbench.notifications('is open as autoscaling/v1; the server prefers autoscaling/v2');
    await hint.first().waitFor();
    await live().screenshot('other-version');
    assert.match(await hint.first().innerText(), /shows spec\.metrics in another form or not at all/);
    await workbench.pressInNotification('is open as autoscaling/v1', 'Open as autoscaling/v2');
    const shown = (): Promise<string> =>
      workbench.inHost(({ vscode }) => vscode.window.activeTextEditor?.document.uri.path ?? '');
    await until(async () => (await shown()).includes('/autoscaling/v2/'));

    await live().reset();
    await live().open(older);
    assert.equal(await hint.count(), 0);
  });

  it('shows that an object is being deleted, and that the save which frees it has let it go', async () => {
    const { workbench } = live();
    const object = configMap({ mode: 'a' });
    const finalizers = ['test.kubemerge.example/hold'];
    const held = await live().createAndOpen({ ...object, metadata: { ...object.metadata, finalizers } });
    await live().other.delete(held.path);
    await workbench.statusBarItem('Being deleted').waitFor();
    await workbench.tab(held.tabName).locator('[aria-label*="Being deleted"]').waitFor();
    await live().screenshot('terminating');
    await workbench.inHost(async ({ vscode }) => {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.document.getText() ?? '';
      const lines = /^ {2}finalizers:\n {2}- .*\n/m.exec(text);
      if (editor === undefined || lines === null) throw new Error(text);
      const [start, end] = [lines.index, lines.index + lines[0].length].map((offset) =>
        editor.document.positionAt(offset),
      );
      if (start !== undefined && end !== undefined)
        await editor.edit((builder) => {
          builder.delete(new vscode.Range(start, end));
        });
    });
    await live().pressSave();
    await workbench.notifications('is gone now that its last finalizer is removed').waitFor();
    await workbench.statusBarItem('Deleted').waitFor();
    await live().screenshot('gone');
    assert.equal(await workbench.notifications('Failed to save').count(), 0);
    assert.deepEqual(
      (await workbench.tabs()).map(({ isDirty }) => isDirty),
      [false],
    );
  });
});
