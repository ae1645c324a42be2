import assert from 'node:assert/strict';
import { secret } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('a Secret', () => {
  const live = useLiveWindow();

  it('H4: is compared with its values masked, and what changed can be told from what did not', async () => {
    const { workbench } = live();
    const values = { changed: 'b2xkLXZhbHVl', same: 'c2FtZS12YWx1ZQ==' };
    const mine = 'bmV3LXZhbHVl';
    await live().createAndOpen(secret(values));
    await live().retype(values.changed, mine);
    await workbench.runCommand('KubeMerge: Compare with Live');
    await workbench.tab('Live ↔ Mine').waitFor();
    const lines = workbench.page.locator('.monaco-diff-editor .view-line');
    await lines
      .filter({ hasText: /changed:\s•{8}/ })
      .nth(1)
      .waitFor();
    await live().screenshot('secret-compare');
    const shown = (await lines.allInnerTexts()).map((line) => line.replaceAll('\u00a0', ' ').trim());
    assert.equal(new Set(shown.filter((line) => line.startsWith('changed: '))).size, 2);
    assert.equal(new Set(shown.filter((line) => line.startsWith('same: '))).size, 1);
    const window = await workbench.page.locator('body').innerText();
    for (const value of [...Object.values(values), mine]) assert.ok(!window.includes(value), value);
  });

  it('H4: shows its values as text where its eye is pressed, in that editor alone, and hides them again', async () => {
    const { workbench } = live();
    const { page } = workbench;
    const encoded = Buffer.from('correct horse').toString('base64');
    await live().createAndOpen(secret({ blob: 'AP8KyA==', certificate: 'YQpiCg==', password: encoded }));
    await page.locator('.editor-actions [aria-label^="Reveal and Edit Values Decoded"]').click();
    const lines = page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /password:\scorrect\shorse/ }).waitFor();
    await lines.filter({ hasText: /blob:\s*binary,\s4\sbytes\s*AP8KyA==/ }).waitFor();
    await workbench.statusBarItem('values shown').waitFor();
    await live().screenshot('secret-decoded');
    await page.locator('.editor-actions [aria-label^="Hide Decoded Values"]').click();
    await lines.filter({ hasText: encoded }).waitFor();
    assert.ok(!(await workbench.visibleText()).includes('correct horse'));
  });
});
