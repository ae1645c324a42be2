import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { deployment, secret } from '../inHost/testObjects.ts';
import { sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('unsaved text', () => {
  const live = useLiveWindow();
  const backups = (): string => join(live().workbench.server.folder, 'User', 'Backups');

  it('I4: is whole after a reload with the cluster out of reach; the first save is as conditional as ever', async () => {
    const { workbench, proxy } = live();
    const web = await openEdited();
    const before = await live().state(web);
    await untilFileHas(backups(), 'image: web:1');
    await proxy.pause();
    try {
      await live().patch(web, { metadata: { labels: { tier: 'back' } } });
      await workbench.reload();
      await workbench.tab(web.tabName).click();
      const restored = await live().untilState(web, ({ isDirty }) => isDirty);
      await live().screenshot('restored-unreachable');
      assert.deepEqual(
        [restored.text, restored.baseVersion, restored.uid],
        [before.text, before.baseVersion, before.uid],
      );
      assert.notEqual(restored.liveness.kind, 'live');
    } finally {
      await proxy.resume();
    }
    await savesBoth(web);
  });

  it('I4: outlives a crash of the extension host, with its base', async () => {
    const { workbench } = live();
    const web = await openEdited();
    const before = await live().state(web);
    await untilFileHas(workbench.server.folder, 'image: web:1', /sessions.*\.json$/);
    await workbench.crashExtensionHost();
    await live().patch(web, { metadata: { labels: { tier: 'back' } } });
    const restored = await live().untilState(web, ({ isDirty, phase }) => isDirty && phase === 'stale');
    await live().screenshot('restored-host');
    assert.deepEqual(
      [restored.text, restored.baseVersion, restored.uid],
      [before.text, before.baseVersion, before.uid],
    );
    await savesBoth(web);
  });

  it('H7: the result of a Secret’s merge is on disk with its values hidden only', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const values = { start: 'c3RhcnQtdmFsdWU=', mine: 'bWluZS12YWx1ZQ==', theirs: 'dGhlaXJzLXZhbHVl' };
    const keys = await live().createAndOpen(secret({ key: values.start }));
    await live().retype(values.start, values.mine);
    await live().patch(keys, { data: { key: values.theirs } });
    await workbench.statusBarItem('1 conflict').first().waitFor();
    await workbench.runCommand('KubeMerge: Merge Live into Mine');
    await page.getByText('1 Conflict Remaining').waitFor();
    await page.locator('.merge-editor').getByText('Accept Mine').first().click();
    await page.getByText('0 Conflicts Remaining').waitFor();
    await live().screenshot('merge-secret');
    await untilFileHas(backups(), 'k8s-merge:');
    for (const { text } of await filesBelow(backups())) {
      if (!text.startsWith('k8s-merge:')) continue;
      for (const value of Object.values(values)) assert.ok(!text.includes(value), value);
    }
    for (const { path, text } of await filesBelow(workbench.server.folder)) {
      if (!/sessions.*\.json$/.test(path)) continue;
      for (const value of Object.values(values)) assert.ok(!text.includes(value), value);
    }
    await page.locator('.editor-actions [aria-label^="Accept Merge"]').first().click();
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
  });

  async function openEdited(): Promise<Target> {
    const web = await live().createAndOpen(deployment());
    await live().retype('image: web:0', 'image: web:1');
    return web;
  }

  /** One save carries mine and what someone else changed, on the version that was live. */
  async function savesBoth(web: Target): Promise<void> {
    const sentBefore = live()
      .puts(web)
      .filter(({ body }) => body.includes('web:1')).length;
    await live().untilState(web, ({ phase, liveness }) => phase === 'stale' && liveness.kind === 'live');
    const { metadata } = await live().other.get(web.path);
    await live().pressSave();
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    const [put, ...more] = live()
      .puts(web)
      .filter(({ body }) => body.includes('web:1'))
      .slice(sentBefore);
    assert.equal(more.length, 0);
    assert.deepEqual(sentVersion(put), { resourceVersion: metadata.resourceVersion, uid: metadata.uid });
    const saved = await live().other.get(web.path);
    assert.equal(saved.metadata.labels.tier, 'back');
    assert.equal(saved.spec.template.spec.containers[1].image, 'web:1');
  }

  async function filesBelow(
    folder: string,
  ): Promise<readonly { readonly path: string; readonly text: string }[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('/extensions/'));
    return await Promise.all(
      files.map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path, text: await readFile(path, 'utf8').catch(() => '') };
      }),
    );
  }

  /** Waits until a file below the folder holds a text: what a reload finds. */
  function untilFileHas(folder: string, text: string, name = /./): Promise<void> {
    return until(async () =>
      (await filesBelow(folder)).some((file) => name.test(file.path) && file.text.includes(text)),
    );
  }
});
