import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../support/until.ts';
import { deployment } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';

describe('without sight of colours, or without a pointer', () => {
  const live = useLiveWindow();

  it('the palette over a plain file offers only what needs no live document', async () => {
    const { workbench } = live();
    await workbench.runCommand('File: New Untitled Text File');
    assert.deepEqual(await offered(''), [
      'KubeMerge: Choose Kubeconfig…',
      'KubeMerge: Create Object…',
      'KubeMerge: Open Object…',
      'KubeMerge: Refresh',
      'KubeMerge: Show Saves…',
      'KubeMerge: Sign In in a Terminal…',
    ]);
  });

  it('the palette over a live document offers what applies to it as it stands', async () => {
    const web = await live().createAndOpen(deployment());
    // What the server allows is known a moment after the document is shown.
    for (const title of ['Save to Cluster', 'Delete Object…', 'Scale…']) await until(() => isOffered(title));
    const ofConflicts = [
      'Merge Live into Mine',
      'Keep Mine at All Conflicts',
      'Who Changed This?',
      'Dry Run',
    ];
    for (const title of [
      ...ofConflicts.slice(0, 2),
      'Recreate Deleted Object',
      'Restore Unsaved Text',
      'Accept Merge',
    ])
      assert.ok(!(await isOffered(title)), title);
    await live().retype('replicas: 1', 'replicas: 6');
    await live().patch(web, { spec: { replicas: 9 } }, 'hpa-controller');
    await live().workbench.statusBarItem('1 conflict').first().waitFor();
    for (const title of ofConflicts) assert.ok(await isOffered(title), title);

    await live().workbench.runCommand('KubeMerge: Who Changed This?');
    const change = live().workbench.quickPickRow('spec.replicas');
    await change.waitFor();
    assert.match(await change.innerText(), /hpa-controller, (?:\d+ s ago|just now).*live: 9/s);
    await change.click();
    await until(async () => (await selectedLine()).includes('replicas: 6'));
  });

  it('state is told in words: in the tree, the tab, the status bar, above the field and in its problem', async () => {
    const { workbench } = live();
    const { page } = workbench;
    await live().showTree();
    const web = await live().create(deployment());
    const { name } = web.ref;
    await live().expand('admin', live().namespace, 'Workloads', 'Deployments');
    await treeItem(/^Context admin \(current\)/).waitFor();
    await treeItem(new RegExp(`^Namespace ${live().namespace}`)).waitFor();
    await live().row(name).click();
    await treeItem(new RegExp(`^${name}, Deployment, open here, 0/1 ready`)).waitFor();
    await workbench.statusBarItem(`${name} · admin · live`).waitFor();
    await page.locator('.monaco-breadcrumb-item').filter({ hasText: 'admin' }).waitFor();
    await live().retype('replicas: 1', 'replicas: 6');
    await live().patch(web, { metadata: { labels: { tier: 'back' } } }, 'kubectl-label');
    await treeItem(new RegExp(`^${name}, Deployment, stale, unsaved here`)).waitFor();
    await tabSaying(/Stale: 1 field changed by kubectl-label/).waitFor();
    await page
      .getByRole('button', {
        name: new RegExp(`^Deployment ${name}: Stale: 1 field changed by kubectl-label`),
      })
      .waitFor();
    await live().patch(web, { spec: { replicas: 9 } }, 'hpa-controller');
    await treeItem(new RegExp(`^${name}, Deployment, in conflict, unsaved here`)).waitFor();
    await tabSaying(/1 conflict/).waitFor();
    await page.getByRole('button', { name: new RegExp(`^Deployment ${name}: 1 conflict`) }).waitFor();
    for (const lens of [/^live: 9, by hpa-controller/, 'Keep mine', 'Take live', 'Compare'])
      await page.locator('.codelens-decoration').getByRole('button', { name: lens }).first().waitFor();
    const problems = await workbench.inHost(({ vscode }) =>
      vscode.languages
        .getDiagnostics(vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.parse('none:'))
        .map(({ message }) => message),
    );
    assert.match(problems.join('\n'), /live: 9, by hpa-controller/);
    await live().screenshot('accessible-conflict');
  });

  function selectedLine(): Promise<string> {
    return live().workbench.inHost(({ vscode }) => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.lineAt(editor.selection.active.line).text ?? '';
    });
  }

  function treeItem(name: string | RegExp): Locator {
    return live().workbench.page.getByRole('treeitem', { name, exact: true });
  }

  /** A tab's own name is VS Code's; what decorates it is told by the label in it. */
  function tabSaying(words: RegExp): Locator {
    const { page } = live().workbench;
    return page.getByRole('tab').filter({ has: page.getByLabel(words) });
  }

  async function isOffered(title: string): Promise<boolean> {
    return (await offered(title)).includes(`KubeMerge: ${title}`);
  }

  /** What the palette offers under our name now, as far as it fits into its list. */
  async function offered(title: string): Promise<readonly string[]> {
    const { page } = live().workbench;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill(`>KubeMerge: ${title}`);
    const rows = page.locator('.quick-input-widget .monaco-list-row');
    // "No matching commands" is a row, too.
    const isAnswer = title === '' ? 'KubeMerge: Open Object…' : /./;
    await rows.filter({ hasText: isAnswer }).first().waitFor();
    const labels = await rows.locator('.label-name').allInnerTexts();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    return [...new Set(labels.filter((label) => /^KubeMerge: (?!Focus on )/.test(label)))].sort();
  }
});
