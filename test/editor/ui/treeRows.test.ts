import assert from 'node:assert/strict';
import { configMap } from '../inHost/testObjects.ts';
import { until } from '../../support/until.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('rows of the tree', () => {
  const live = useLiveWindow();

  beforeEach(async () => {
    await live().showTree();
    await live().collapseAll();
  });

  it('say in words what is open, edited here, stale, managed by another object, or terminating', async () => {
    const { namespace, other } = live();
    const settings = await live().create(configMap({ mode: 'a' }));
    const owners = [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4b', uid: 'u', controller: true },
    ];
    const managed = await live().create(configMap({ mode: 'a' }));
    await other.patch(managed.path, {
      metadata: { ownerReferences: owners, finalizers: ['example.com/hold'] },
    });
    await live().expand('admin', namespace, 'Config', 'ConfigMaps');
    const row = live().row(settings.ref.name);
    await row.click();
    await row.filter({ hasText: 'open here' }).waitFor();
    await live().retype('mode: a', 'mode: b');
    await row.filter({ hasText: 'unsaved here' }).waitFor();
    await live().patch(settings, { data: { other: 'x' } });
    await row.filter({ hasText: 'stale · unsaved here' }).waitFor();
    assert.match(
      (await row.getAttribute('aria-label')) ?? '',
      /^settings-\d+, ConfigMap, stale, unsaved here/,
    );

    const owned = live().row(managed.ref.name);
    await owned.filter({ hasText: '↳ ReplicaSet web-5d4b' }).waitFor();
    await other.delete(managed.path);
    await owned.filter({ hasText: 'terminating' }).waitFor();
    assert.match(
      (await owned.getAttribute('aria-label')) ?? '',
      /terminating.*managed by ReplicaSet web-5d4b/,
    );
    await live().screenshot('tree-marks');
    await other.patch(managed.path, { metadata: { finalizers: null } });
    await owned.waitFor({ state: 'detached' });
  });

  it('E8: keep the selection and the place in the list while objects come, change and go', async () => {
    const { namespace, other } = live();
    const folder = `/api/v1/namespaces/${namespace}/configmaps`;
    const { name: start } = (await live().create(configMap({ a: 'b' }))).ref;
    const name = (index: number): string => `a-${start}-${String(index).padStart(3, '0')}`;
    const create = (index: number): Promise<unknown> =>
      other.create(folder, { metadata: { name: name(index) }, data: { a: 'b' } });
    await Promise.all(Array.from({ length: 80 }, (_, index) => create(2 * index)));
    await live().expand('admin', namespace, 'Config', 'ConfigMaps');
    await live().row('ConfigMaps').hover();
    const chosen = live().row(name(100));
    await until(async () => {
      await live().workbench.page.mouse.wheel(0, 150);
      // With room below it.
      return await live().row(name(110)).isVisible();
    });
    const selected = live().rows().and(live().workbench.page.locator('.selected'));
    const firstShown = async (): Promise<string> => {
      const shown = await live()
        .rows()
        .evaluateAll((rows) =>
          rows
            .map((element) => ({
              top: element.getBoundingClientRect().top,
              label: element.querySelector('.label-name')?.textContent ?? '',
            }))
            .sort((left, right) => left.top - right.top)
            .map(({ label }) => label),
        );
      return shown[0] ?? '';
    };
    await chosen.click();
    await selected.filter({ hasText: name(100) }).waitFor();
    const before = await firstShown();
    // Below what is shown, and in it: the place stays.
    await other.patch(`${folder}/${name(100)}`, { data: { a: 'c', more: 'd' } });
    await chosen.filter({ hasText: '2 data' }).waitFor();
    await create(101);
    await live().row(name(101)).waitFor();
    assert.equal(await firstShown(), before);
    assert.equal(await selected.locator('.label-name').textContent(), name(100));
    // Above it: rows move, the selection goes with its object.
    await create(1);
    await other.delete(`${folder}/${name(98)}`);
    await live().row(name(98)).waitFor({ state: 'detached' });
    assert.equal(await selected.locator('.label-name').textContent(), name(100));
    await live().screenshot('tree-selection');
  });
});
