import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { configMap, deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('actions on an object', () => {
  const live = useLiveWindow();

  it('are listed behind the status bar as far as the server serves and allows them', async () => {
    const { workbench } = live();
    const target = await live().createAndOpen(deployment());
    await live().showActions(target);
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
    await live().showActions(settings);
    assert.equal(await workbench.quickPickRow(/Scale…|Edit Status|Show Saves…/).count(), 0);
    await keyboard.press('Escape');
    /** How many such commands the palette has; it stays open. */
    const countOffered = async (): Promise<number> => {
      await keyboard.press('F1');
      await workbench.page.locator('.quick-input-widget .quick-input-box input').fill('>KubeMerge: Save');
      await workbench.quickPickRow(/Show Saves…/).waitFor();
      return await workbench.quickPickRow(onSaves).count();
    };
    assert.equal(await countOffered(), 0);
    await keyboard.press('Escape');
    await live().retype('mode: a', 'mode: b');
    await live().pressSave();
    await live().untilState(settings, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    await until(async () => {
      // An open palette does not follow.
      if ((await countOffered()) === 2) return true;
      await keyboard.press('Escape');
      return false;
    });
    await live().screenshot('palette-saved');
    await keyboard.press('Escape');
    await live().showActions(settings);
    await workbench.quickPickRow(/Show Saves…/).click();
    await workbench.page.getByText('Saves of').first().waitFor();
    await live().screenshot('saves-listed');
    await keyboard.press('Escape');
  });

  it('delete in a protected context what is named by typing it, as it was seen, with what it owns first', async () => {
    const { workbench, proxy } = live();
    const { page } = workbench;
    const target = await live().createAndOpen(deployment());
    await workbench.changeSetting('kubemerge.protectedContexts', ['admin']);
    try {
      await workbench.statusBarItem('protected').waitFor();
      await workbench.statusBarItem(target.ref.name).first().click();
      await workbench.quickPickRow(/Delete Object…/).click();
      await workbench.quickPickRow(/Delete what it owns first/).click();
      await page.getByText(`Type ${target.ref.name} to confirm`).waitFor();
      await page.keyboard.type('web');
      await page.getByText('This is not the name').waitFor();
      await live().screenshot('delete-protected');
      await page.keyboard.press('Enter');
      assert.deepEqual(proxy.recorded('DELETE', target.path), []);
      await page.keyboard.type(target.ref.name.slice('web'.length));
      await page.getByText('This is not the name').waitFor({ state: 'hidden' });
      const { metadata } = await live().other.get(target.path);
      await page.keyboard.press('Enter');
      await live().untilState(target, ({ phase }) => phase === 'terminating' || phase === 'deleted');
      const [sent, ...more] = proxy.recorded('DELETE', target.path);
      assert.equal(more.length, 0);
      const { uid, resourceVersion } = metadata;
      const { preconditions, propagationPolicy } = JSON.parse(sent?.body ?? '') as Record<string, unknown>;
      assert.deepEqual(preconditions, { uid, resourceVersion });
      assert.equal(propagationPolicy, 'Foreground');
    } finally {
      await workbench.changeSetting('kubemerge.protectedContexts', undefined);
      // Nobody collects what waits for its dependents here.
      await live().other.patch(target.path, { metadata: { finalizers: null } });
    }
  });

  it('are offered as far as the user’s rights go', async () => {
    const { workbench, other, namespace } = live();
    const target = await live().create(deployment());
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const metadata = { name: 'nobody-deletes' };
    const verbs = ['get', 'list', 'watch', 'update', 'delete'];
    await other.create(`${rbac}/roles`, {
      metadata,
      rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs }],
    });
    await other.create(`${rbac}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nobody' }],
    });
    try {
      await workbench.inHost(
        async ({ api }, ref) => {
          await api.open(ref);
        },
        { ...target.ref, context: 'nobody' },
      );
      const item = workbench.statusBarItem(`${target.ref.name} · nobody · live`);
      await item.waitFor();
      const deletion = workbench.quickPickRow(/Delete Object…/);
      await until(async () => {
        await item.click();
        await workbench.quickPickRow(/Show Full Object/).waitFor();
        // The answer about the rights may not have come yet.
        if ((await deletion.count()) > 0) return true;
        await workbench.page.keyboard.press('Escape');
        return false;
      });
      assert.equal(await workbench.quickPickRow(/Scale…|Edit Status|Create a Copy/).count(), 0);
    } finally {
      await other.delete(`${rbac}/rolebindings/${metadata.name}`);
      await other.delete(`${rbac}/roles/${metadata.name}`);
    }
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
    const mark = page.getByText('New object, not on the cluster yet');
    await until(async () => {
      // A hover that began before the mark was there does not show it.
      await page.mouse.move(700, 700);
      await workbench.tab('nightly.k8s.yaml').hover();
      return await mark.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
    await live().screenshot('create');
    await page.locator('.editor-actions [aria-label^="Create in Cluster"]').click();
    await workbench.statusBarItem('nightly · admin').waitFor();
    const path = `/apis/batch/v1/namespaces/${live().namespace}/cronjobs/nightly`;
    assert.equal((await live().other.get(path)).spec.schedule, '0 3 * * *');
    await workbench.notifications('Created CronJob nightly').waitFor();
  });
});
