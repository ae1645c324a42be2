import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

/** What the product promises, in ms. */
const staleWithinMs = 2_000;

describe('a change by someone else', () => {
  const live = useLiveWindow();

  it('B12: shows in status bar and tab within 2 s, and survives a reload: the first save is conditional', async () => {
    const { workbench } = live();
    const web = await live().createAndOpen(deployment());
    const before = await live().state(web);
    await live().retype('image: web:0', 'image: web:1');
    await live().patch(web, { metadata: { labels: { tier: 'back' } } }, 'kubectl-label');
    const stale = workbench.statusBarItem('Stale: 1 field changed by kubectl-label').first();
    const staleTab = workbench.tab(web.tabName).locator('[aria-label*="Stale: 1 field changed"]');
    await stale.waitFor({ timeout: staleWithinMs });
    await staleTab.waitFor({ timeout: staleWithinMs });
    await live().screenshot('stale');
    const stayed = await live().state(web);
    assert.equal(stayed.text, before.text.replace('image: web:0', 'image: web:1'));

    await untilBackedUp(web, 'image: web:1');
    await workbench.reload();
    await workbench.tab(web.tabName).click();
    await stale.waitFor();
    await staleTab.waitFor();
    await live().screenshot('stale-reloaded');
    const restored = await live().untilState(web, ({ phase }) => phase === 'stale');
    assert.equal(restored.text, stayed.text);
    assert.equal(restored.isDirty, true);
    assert.equal(restored.baseVersion, before.baseVersion);
    assert.equal(restored.uid, before.uid);

    const shown = await live().other.get(web.path);
    await live().pressSave();
    await workbench.notifications('Merged in 1 field from kubectl-label').first().waitFor();
    const [put, ...more] = live().puts(web);
    assert.equal(more.length, 0);
    assert.deepEqual(sentVersion(put), {
      resourceVersion: shown.metadata.resourceVersion,
      uid: before.uid,
    });
    const saved = await live().other.get(web.path);
    assert.equal(saved.metadata.labels.tier, 'back');
    assert.equal(saved.spec.template.spec.containers[1].image, 'web:1');
  });

  it('shows at once in an editor without changes of one’s own', async () => {
    const { workbench } = live();
    const web = await live().createAndOpen(deployment());
    await live().patch(web, { spec: { replicas: 7 } });
    await workbench.page.locator('.view-line', { hasText: 'replicas: 7' }).waitFor();
    assert.deepEqual(
      (await workbench.tabs()).map(({ isDirty }) => isDirty),
      [false],
    );
    assert.equal((await live().state(web)).phase, 'fresh');
  });

  /** Waits until VS Code has put unsaved text where a reload finds it. */
  function untilBackedUp({ tabName }: Target, text: string): Promise<void> {
    const folder = join(live().workbench.server.folder, 'User', 'Backups');
    return until(async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries.filter((candidate) => candidate.isFile())) {
        const backup = await readFile(join(entry.parentPath, entry.name), 'utf8').catch(() => '');
        if (backup.includes(`/${tabName}`) && backup.includes(text)) return true;
      }
      return false;
    });
  }
});
