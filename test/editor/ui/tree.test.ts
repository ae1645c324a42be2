import assert from 'node:assert/strict';
import { autoscaler, deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('the tree', () => {
  const live = useLiveWindow();

  beforeEach(async () => {
    await live().showTree();
    await live().collapseAll();
  });

  it('D11: shows each context; before one is expanded, no cluster is asked and no credential plugin run', async () => {
    for (const context of ['admin', 'nobody', 'offline']) await live().row(context).waitFor();
    assert.match(await live().row('admin').innerText(), /current/);
    assert.equal(live().requestsAtStart, 0);
    assert.equal(live().pluginRunsAtStart, 0);
    await live().screenshot('tree-contexts');
  });

  it('H5: tells of each context whether it is protected or read-only, as the settings change', async () => {
    const { workbench } = live();
    await workbench.changeSetting('kubemerge.protectedContexts', ['adm*']);
    await workbench.changeSetting('kubemerge.readOnlyContexts', ['nobody']);
    await live().row('admin').filter({ hasText: 'current · protected' }).waitFor();
    await live().row('nobody').filter({ hasText: 'read-only' }).waitFor();
    await live().screenshot('tree-protected');
    await workbench.changeSetting('kubemerge.protectedContexts', undefined);
    await workbench.changeSetting('kubemerge.readOnlyContexts', undefined);
    await live().row('admin').filter({ hasText: 'current', hasNotText: 'protected' }).waitFor();
  });

  it('leads from a context down to an object, which a click opens', async () => {
    const web = await live().create(deployment());
    await live().expand('admin', live().namespace, 'Workloads', 'Deployments');
    await live().row(web.ref.name).click();
    await live().workbench.tab(web.tabName).waitFor();
    await live().workbench.statusBarItem(`${live().namespace}/${web.ref.name} · admin · live`).waitFor();
    assert.match(await live().activeText(), new RegExp(`name: ${web.ref.name}\n`));
    await live().screenshot('tree-open');
  });

  it('follows what others create and delete', async () => {
    await live().expand('admin', live().namespace, 'Workloads', 'Deployments');
    const web = await live().create(deployment());
    await live().row(web.ref.name).waitFor();
    await live().other.delete(web.path);
    await live().row(web.ref.name).waitFor({ state: 'detached' });
  });

  it('shows what is forbidden where it is, and lists it after a retry once it is allowed', async () => {
    const { other, namespace } = live();
    const web = await live().create(deployment());
    await live().expand('nobody');
    await live().row('Namespaces cannot be listed').waitFor();
    // Its row learns last that it may not list; what is expanded before may be forgotten then.
    await live().row('nobody').hover();
    await live().row('nobody').locator('.action-label[aria-label^="Add Namespace"]').waitFor();
    await live().expand(namespace, 'Workloads', 'Deployments');
    const forbidden = live().row(/^Forbidden: /);
    await forbidden.waitFor();
    await live().screenshot('tree-forbidden');

    const rbac = { apiGroup: 'rbac.authorization.k8s.io' };
    await other.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
      metadata: { name: 'nobody-views' },
      roleRef: { ...rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ ...rbac, kind: 'User', name: 'nobody' }],
    });
    await forbidden.hover();
    await forbidden.locator('.action-label[aria-label^="Try Again"]').click();
    await live().row(web.ref.name).waitFor();
    // Its rows may fill the view.
    await live().row('Workloads').click();
    await live().row('Namespaces cannot be listed').waitFor();
  });

  it('shows an unreachable cluster in its own place, and comes back by a retry', async () => {
    await live().expand('offline');
    const failure = live().row(/ECONNREFUSED|refused/);
    await failure.waitFor();
    assert.equal(await live().pluginRuns(), 1);
    await live().screenshot('tree-unreachable');
    await live().expand('admin');
    await live().row(live().namespace).waitFor();
    await live().collapseAll();

    await live().offline.resume();
    await live().expand('offline');
    await failure.hover();
    await failure.locator('.action-label[aria-label^="Try Again"]').click();
    await live().row(live().namespace).waitFor();
  });

  it('narrows a list by its filter, and opens an object in another version', async () => {
    const { workbench, namespace } = live();
    const scaler = await live().create(autoscaler());
    const twin = await live().create(autoscaler());
    await live().expand('admin', namespace, 'Workloads', 'HorizontalPodAutoscalers');
    const kind = live().row('HorizontalPodAutoscalers');
    await live().row(twin.ref.name).waitFor();
    await kind.hover();
    await kind.locator('.action-label[aria-label^="Filter"]').click();
    await workbench.page.getByText('Shows only objects whose name').waitFor();
    await workbench.page.keyboard.type(scaler.ref.name.toUpperCase());
    await workbench.page.keyboard.press('Enter');
    await live().row(twin.ref.name).waitFor({ state: 'detached' });
    await live().screenshot('tree-filter');
    await live().row(scaler.ref.name).click({ button: 'right' });
    await workbench.page
      .locator('.monaco-menu .action-label', { hasText: 'Open as Version' })
      .first()
      .click();
    await live().pick('v1');
    await workbench.statusBarItem(`${scaler.ref.name} · admin · live`).waitFor();
    assert.match(await live().activeText(), /^apiVersion: autoscaling\/v1\n/);
    await kind.hover();
    await kind.locator('.action-label[aria-label^="Clear Filter"]').click();
    await live().row(twin.ref.name).waitFor();
  });
});
