import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { makeGate } from '../../support/gate.ts';
import { deployment, secret } from '../inHost/testObjects.ts';
import { isPutOf, sentVersion, type Target } from './liveWindow.ts';
import { useLiveWindow } from './sharedWindow.ts';

/** What of the browser a test asks for. */
interface Styles {
  getComputedStyle(element: unknown): { readonly color: string };
}

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

  it('I4: a text that VS Code has lost is offered, and restored with the base that it grew from', async () => {
    const { workbench } = live();
    const web = await openEdited();
    const before = await live().state(web);
    await untilFileHas(workbench.server.folder, 'image: web:1', /sessions.*\.json$/);
    await workbench.reopen(async () => {
      await rm(backups(), { recursive: true, force: true });
      await live().patch(web, { metadata: { labels: { tier: 'back' } } });
    });
    await live().open(web);
    const offer = workbench.notifications('There is unsaved text of Deployment');
    await offer.waitFor();
    await live().screenshot('draft-offered');
    assert.equal((await live().state(web)).isDirty, false);
    await workbench.pressInNotification('There is unsaved text', 'Restore Text');
    const restored = await live().untilState(web, ({ isDirty, phase }) => isDirty && phase === 'stale');
    assert.deepEqual(
      [restored.text, restored.baseVersion, restored.uid],
      [before.text, before.baseVersion, before.uid],
    );
    await savesBoth(web);
  });

  it('I4: a save whose window was closed before its answer is known at the next start; nothing is sent twice', async () => {
    const { workbench, proxy } = live();
    const web = await openEdited();
    await untilFileHas(backups(), 'image: web:1');
    const gate = makeGate();
    using held = proxy.inject(isPutOf(web), { kind: 'holdAnswer', until: gate.opened }, 1);
    await live().pressSave();
    await held.first;
    await until(async () => (await imageOf(web)) === 'web:1');
    await workbench.reload();
    await workbench.tab(web.tabName).click();
    await live().untilState(
      web,
      ({ isDirty, phase, liveness }) => !isDirty && phase === 'fresh' && liveness.kind === 'live',
    );
    gate.open();
    await live().screenshot('closed-during-save');
    assert.match((await live().state(web)).text, /image: web:1/);
    assert.equal(live().puts(web).length, 1);
  });

  it('I4: a save that its window’s end stopped from arriving is still to be made, and arriving late changes nothing', async () => {
    const { workbench, proxy } = live();
    const web = await openEdited();
    await untilFileHas(backups(), 'image: web:1');
    const gate = makeGate();
    using held = proxy.inject(isPutOf(web), { kind: 'hold', until: gate.opened }, 1);
    await live().pressSave();
    await held.first;
    await workbench.reload();
    await workbench.tab(web.tabName).click();
    await live().untilState(web, ({ isDirty, liveness }) => isDirty && liveness.kind === 'live');
    assert.equal(await imageOf(web), 'web:0');
    await live().patch(web, { metadata: { labels: { tier: 'back' } } });
    await savesBoth(web);
    const { metadata } = await live().other.get(web.path);
    gate.open();
    await until(() => held.met[0]?.status !== undefined);
    assert.equal(held.met[0]?.status, 409);
    assert.equal((await live().other.get(web.path)).metadata.resourceVersion, metadata.resourceVersion);
  });

  it('I4, H7: of a Secret, whose base is never on disk, is not sent over what changed while its window was closed', async () => {
    const { workbench } = live();
    const values = { mine: 'bWluZS12YWx1ZQ==', start: 'c3RhcnQtdmFsdWU=' };
    const keys = await live().createAndOpen(secret({ key: values.start, other: values.start }));
    await live().retype(`key: ${values.start}`, `key: ${values.mine}`);
    await untilFileHas(backups(), values.mine);
    const { uid } = await live().state(keys);
    await untilFileHas(workbench.server.folder, uid, /sessions.*\.json$/);
    await live().patch(keys, { data: { other: 'dGhlaXJz' } });
    await workbench.reload();
    await workbench.tab(keys.tabName).click();
    const restored = await live().untilState(
      keys,
      ({ isDirty, liveness }) => isDirty && liveness.kind === 'live',
    );
    assert.match(restored.text, new RegExp(`key: ${values.mine}`));
    await live().pressSave();
    const refusal = workbench.notifications('is no longer remembered').first();
    await refusal.waitFor();
    await live().screenshot('base-unknown');
    assert.deepEqual(live().puts(keys), []);
    for (const link of ['Compare', 'Keep Mine', 'Take Live'])
      assert.equal(await refusal.getByRole('link', { name: link, exact: true }).count(), 1, link);
    assert.equal((await live().state(keys)).isDirty, true);

    const shown = await live().other.get(keys.path);
    await refusal.getByRole('link', { name: 'Keep Mine', exact: true }).click();
    await live().untilState(keys, ({ phase, isDirty }) => phase === 'fresh' && isDirty);
    await live().pressSave();
    await live().untilState(keys, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    const { resourceVersion } = shown.metadata;
    assert.deepEqual(live().puts(keys).map(sentVersion), [{ resourceVersion, uid }]);
    const { data } = await live().other.get(keys.path);
    assert.deepEqual(data, { key: values.mine, other: values.start });
  });

  describe('while a protected context asks', () => {
    afterEach(() => live().workbench.changeSetting('kubemerge.protectedContexts', undefined));

    async function openProtected(): Promise<Target> {
      const web = await openEdited();
      const { workbench } = live();
      const colorOfTab = (): Promise<string> =>
        workbench
          .tab(web.tabName)
          .locator('.label-name')
          .evaluate((label) => (globalThis as unknown as Styles).getComputedStyle(label).color);
      const before = await colorOfTab();
      await workbench.changeSetting('kubemerge.protectedContexts', ['admin']);
      await workbench.statusBarItem('protected').and(workbench.page.locator('.warning-kind')).waitFor();
      await workbench.tab(web.tabName).locator('[aria-label*="is protected"]').waitFor();
      assert.notEqual(await colorOfTab(), before);
      return web;
    }

    it('H5: a yes does not count for what others changed since the question; it is asked again', async () => {
      const { workbench } = live();
      const web = await openProtected();
      await live().pressSave();
      await workbench.dialog('Save Deployment').waitFor();
      await live().patch(web, { metadata: { labels: { tier: 'back' } } });
      await workbench.pressInDialog('Save in admin');
      await workbench.dialog('changed since you were asked').waitFor();
      await live().screenshot('asked-again');
      assert.match(await workbench.dialog().innerText(), /comes into it: metadata\.labels\.tier/);
      await workbench.page.keyboard.press('Escape');
      const { text } = await live().untilState(web, ({ isSaving, isDirty }) => !isSaving && isDirty);
      assert.match(text, /image: web:1/);
      assert.equal(await imageOf(web), 'web:0');
      await live().pressSave();
      await workbench.pressInDialog('Save in admin');
      await live().untilState(web, ({ isSaving, isDirty }) => !isSaving && !isDirty);
      assert.equal(await imageOf(web), 'web:1');
      assert.equal((await live().other.get(web.path)).metadata.labels.tier, 'back');
    });

    it('H5: a window that is closed over the question sends nothing, and the text is back', async () => {
      const { workbench } = live();
      const web = await openProtected();
      await untilFileHas(backups(), 'image: web:1');
      await live().pressSave();
      await workbench.dialog('Save Deployment').waitFor();
      await workbench.reload();
      await workbench.tab(web.tabName).click();
      const { text } = await live().untilState(
        web,
        ({ isDirty, liveness }) => isDirty && liveness.kind === 'live',
      );
      assert.match(text, /image: web:1/);
      assert.deepEqual(live().puts(web), []);
      assert.equal(await imageOf(web), 'web:0');
    });
  });

  it('I4: of a decoded Secret is back decoded, of a new object as new, and each is saved as what it is', async () => {
    const { workbench } = live();
    const encode = (value: string): string => Buffer.from(value).toString('base64');
    const keys = await live().createAndOpen(secret({ one: encode('a'), two: encode('b') }));
    const fresh = keys.ref.name.replace('keys', 'fresh');
    await workbench.inHost(async ({ vscode }, name) => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      const query = `${name}.k8s.yaml`;
      const path = shown?.path.replace(/secrets\/.*/, `configmaps/${query}`) ?? '';
      const uri = vscode.Uri.from({ scheme: 'k8s-new', path, query });
      await vscode.window.showTextDocument(uri, { preview: false });
    }, fresh);
    await live().retype('key: value', 'key: typed');
    await live().open(keys);
    await workbench.runCommand('KubeMerge: Reveal and Edit Values Decoded');
    await live().untilState(keys, ({ text }) => text.includes('one: a\n'));
    await live().retype('one: a', 'one: mine');
    await untilFileHas(backups(), 'one: mine');
    await untilFileHas(backups(), 'key: typed');

    await workbench.reload();
    await workbench.tab(keys.tabName).click();
    await live().untilState(keys, ({ isDirty, liveness }) => isDirty && liveness.kind === 'live');
    await workbench.statusBarItem('values shown').waitFor();
    await live().screenshot('restored-decoded');
    await live().pressSave();
    const { text } = await live().untilState(keys, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    assert.match(text, /stringData:\n {2}one: mine\n {2}two: b\n/);
    const saved = (await live().other.get(keys.path)).data;
    assert.deepEqual(saved, { one: encode('mine'), two: encode('b') });
    await workbench.tab(`${fresh}.k8s.yaml`).click();
    await until(async () => (await live().activeText()).includes('key: typed'));
    await live().pressSave();
    await workbench.statusBarItem(`${fresh} · admin`).waitFor();
    const path = `/api/v1/namespaces/${live().namespace}/configmaps/${fresh}`;
    assert.deepEqual((await live().other.get(path)).data, { key: 'typed' });
  });

  it('two windows on one object follow each other’s saves, and meet in a conflict over one field', async () => {
    const web = await live().createAndOpen(deployment());
    await using second = await live().openAnother();
    await second.open(web);
    await live().retype('image: web:0', 'image: web:1');
    await second.retype('replicas: 1', 'replicas: 3');
    await live().pressSave();
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    const { foreign } = await second.untilState(web, ({ phase, isDirty }) => phase === 'stale' && isDirty);
    assert.deepEqual(
      foreign.map(({ path, manager }) => [path, manager]),
      [['spec.template.spec.containers[name=app].image', 'kubemerge']],
    );
    await second.screenshot('two-windows-stale');
    await second.pressSave();
    await second.untilState(web, ({ isDirty, phase }) => !isDirty && phase === 'fresh');
    await live().untilState(web, ({ text }) => text.includes('replicas: 3') && text.includes('web:1'));

    await live().retype('replicas: 3', 'replicas: 4');
    await second.retype('replicas: 3', 'replicas: 5');
    await live().pressSave();
    await live().untilState(web, ({ isDirty, isSaving }) => !isDirty && !isSaving);
    await second.untilState(web, ({ phase }) => phase === 'conflicted');
    await second.pressSave();
    await second.workbench.notifications('you and someone else changed the same field').waitFor();
    await second.screenshot('two-windows-conflict');
    const { isDirty, text } = await second.state(web);
    assert.ok(isDirty && text.includes('replicas: 5'));
    assert.equal((await live().other.get(web.path)).spec.replicas, 4);
    await second.reset();
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

  async function imageOf({ path }: Target): Promise<unknown> {
    return (await live().other.get(path)).spec.template.spec.containers[1].image;
  }

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
