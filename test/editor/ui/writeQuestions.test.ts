import assert from 'node:assert/strict';
import { configMap, deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('the questions before a save', () => {
  const live = useLiveWindow();

  it('warn once of who else keeps the object; a no keeps the text, a yes saves and is remembered', async () => {
    const { workbench } = live();
    const object = configMap({ mode: 'a' });
    const annotations = { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:shop/settings' };
    const target = await live().createAndOpen({
      ...object,
      metadata: { ...object.metadata, annotations },
    });
    await live().retype('mode: a', 'mode: b');
    await live().pressSave();
    await workbench.dialog(/Argo CD \(application shop\) may undo your change/).waitFor();
    await live().screenshot('keeper-warning');
    await workbench.pressInDialog('Cancel');
    await live().untilState(target, ({ isDirty, isSaving }) => isDirty && !isSaving);
    assert.equal(live().puts(target).length, 0);

    await live().pressSave();
    await workbench.pressInDialog('Save Anyway');
    await live().untilState(target, ({ isDirty }) => !isDirty);
    await live().retype('mode: b', 'mode: c');
    await live().pressSave();
    await live().untilState(target, ({ isDirty }) => !isDirty);
    assert.equal(live().puts(target).length, 2);
    await workbench.runCommand('KubeMerge: Delete Object…');
    await workbench.page.getByPlaceholder('Argo CD (application shop) may bring it back').waitFor();
    await live().screenshot('delete-kept');
    await workbench.page.keyboard.press('Escape');
  });

  it('H5: show the dry run of a save in a protected context', async () => {
    const { workbench } = live();
    const target = await live().createAndOpen(deployment());
    await workbench.changeSetting('kubemerge.protectedContexts', ['admin']);
    await workbench.changeSetting('kubemerge.save.dryRunFirst', true);
    try {
      await live().retype('image: web:0', 'image: web:1');
      await live().pressSave();
      await workbench.tab('Live ↔ Dry Run').waitFor();
      await workbench.quickPickRow(/Save in admin/).waitFor();
      await live().screenshot('dry-run-question');
      await workbench.quickPickRow(/Save in admin/).click();
      await live().untilState(target, ({ isDirty }) => !isDirty);
      assert.equal(live().puts(target).length, 2);
    } finally {
      await workbench.changeSetting('kubemerge.protectedContexts', undefined);
      await workbench.changeSetting('kubemerge.save.dryRunFirst', undefined);
    }
  });
});
