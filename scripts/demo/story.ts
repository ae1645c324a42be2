import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../test/support/apiClient.ts';
import type { ApiServer } from '../../test/support/apiServer.ts';
import { Workbench } from '../../test/support/workbench.ts';
import { progress } from '../bootstrap/cache.mjs';

const webPath = '/apis/apps/v1/namespaces/shop/deployments/web';

/** What the story looks at of the Deployment. */
interface Web {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly replicas: number };
}

/** How long a step of the story may take to show, in ms. */
const patienceMs = 20_000;

/**
 * Plays the main job in a real editor as a person would, with another writer beside: open, edit, stale, merge at
 * save, conflict, merge editor, save. Each step is checked and photographed, dark and light.
 *
 * @param folder receives the screenshots; emptied first
 * @throws Error at the first step that does not hold
 */
export async function playStory(
  server: ApiServer,
  other: ApiClient,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  progress('starting VS Code');
  await using workbench = await Workbench.start({ env: { KUBECONFIG: server.kubeconfigPath } });
  const story = new Story(workbench, other, folder, signal);
  try {
    await story.play();
  } catch (error) {
    await workbench.screenshot(join(folder, 'failed.png'));
    throw error;
  }
}

class Story {
  readonly #workbench: Workbench;
  readonly #other: ApiClient;
  readonly #folder: string;
  readonly #signal: AbortSignal;

  constructor(workbench: Workbench, other: ApiClient, folder: string, signal: AbortSignal) {
    this.#workbench = workbench;
    this.#other = other;
    this.#folder = folder;
    this.#signal = signal;
  }

  async play(): Promise<void> {
    await this.#open();
    await this.#mergeAtSave();
    await this.#resolveConflict();
  }

  async #open(): Promise<void> {
    const { page } = this.#workbench;
    await page.locator('.activitybar .action-label[aria-label^="KubeMerge"]').first().click();
    for (const row of ['admin', 'shop', 'Workloads', 'Deployments']) await this.#row(row).click();
    await this.#row('web').click();
    await this.#workbench.tab('web.k8s.yaml').waitFor();
    await this.#workbench.statusBarItem('shop/web · admin · live').waitFor();
    await this.#keep('open', 'the tree lists the shop, and Deployment web is open and live');
  }

  async #mergeAtSave(): Promise<void> {
    const { page } = this.#workbench;
    await this.#retype('replicas: 3', 'replicas: 5');
    await this.#other.patch(webPath, { metadata: { labels: { tier: 'edge' } } }, 'kubectl-label');
    await this.#workbench.statusBarItem('Stale: 1 field changed by kubectl-label').waitFor();
    await this.#keep('stale', 'another writer changed a label: the editor is stale, and the text untouched');

    await page.keyboard.press('Control+s');
    await this.#workbench.dialog(/may undo your change/).waitFor();
    await this.#keep('warning', 'the autoscaler may undo a change of replicas: the save asks once');
    await this.#workbench.pressInDialog('Save Anyway');
    await this.#workbench.notifications('Merged in 1 field from kubectl-label').first().waitFor();
    const live = await this.#web();
    assert.equal(live.spec.replicas, 5, 'the save carried my change');
    assert.equal(live.metadata.labels.tier, 'edge', 'the save kept the other change');
    await this.#keep('merged', 'one save carried both changes');
    await this.#workbench.runCommand('Notifications: Clear All Notifications');
  }

  async #resolveConflict(): Promise<void> {
    const { page } = this.#workbench;
    await this.#untilText('replicas: 5');
    await this.#retype('replicas: 5', 'replicas: 6');
    await this.#other.patch(webPath, { spec: { replicas: 9 } }, 'hpa-controller');
    await this.#workbench.statusBarItem('1 conflict').waitFor();
    await page.locator('.codelens-decoration', { hasText: 'live: 9, by hpa-controller' }).first().waitFor();
    await this.#keep('conflict', 'the same field changed on both sides: both values are shown');

    await page.keyboard.press('Control+s');
    await this.#workbench.notifications('Not saved').first().waitFor();
    assert.equal((await this.#web()).spec.replicas, 9, 'nothing was sent');
    await this.#keep('refused', 'the save sent nothing and says why');
    await this.#workbench.runCommand('Notifications: Clear All Notifications');

    await this.#workbench.runCommand('KubeMerge: Merge Live into Mine');
    await page.locator('.merge-editor').waitFor();
    await page.getByText('1 Conflict Remaining').waitFor();
    await this.#keep('merge-editor', 'the merge editor shows live, mine and the result');
    await page.locator('.merge-editor').getByText('Accept Mine').first().click();
    await page.locator('.editor-actions [aria-label^="Accept Merge"]').first().click();
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
    await this.#until('the live document is back', () =>
      this.#workbench.inHost(({ vscode }) => vscode.window.activeTextEditor?.document.uri.scheme === 'k8s'),
    );
    await this.#untilText('replicas: 6');
    assert.equal((await this.#web()).spec.replicas, 9, 'accepting sent nothing');
    await this.#workbench.focusEditor();
    await page.keyboard.press('Control+s');
    await this.#until('the choice is saved', async () => {
      const { spec } = await this.#web();
      return spec.replicas === 6;
    });
    await this.#workbench.statusBarItem('shop/web · admin · live').waitFor();
    await this.#keep('resolved', 'the accepted result is on the server');
  }

  #row(text: string): ReturnType<Workbench['page']['locator']> {
    // A row's text is its label and, right behind it, its description.
    const rows = this.#workbench.page.locator('.pane-body .monaco-list-row');
    return rows.filter({ hasText: new RegExp(`^\\s*${text}`) }).first();
  }

  /** The Deployment as the server has it. */
  async #web(): Promise<Web> {
    return (await this.#other.get(webPath)) as Web;
  }

  /** Types over a text of the active document. */
  async #retype(from: string, to: string): Promise<void> {
    await this.#workbench.inHost(({ vscode }, search) => {
      const editor = vscode.window.activeTextEditor;
      const offset = editor?.document.getText().indexOf(search) ?? -1;
      if (editor === undefined || offset < 0) throw new Error(`the text has no ${search}`);
      const { document } = editor;
      const range = new vscode.Range(
        document.positionAt(offset),
        document.positionAt(offset + search.length),
      );
      editor.selection = new vscode.Selection(range.start, range.end);
      editor.revealRange(range);
    }, from);
    await this.#workbench.focusEditor();
    await this.#workbench.page.keyboard.type(to);
    await this.#untilText(to);
  }

  async #untilText(text: string): Promise<void> {
    await this.#until(`the editor shows ${text}`, () =>
      this.#workbench.inHost(
        ({ vscode }, wanted) => vscode.window.activeTextEditor?.document.getText().includes(wanted) ?? false,
        text,
      ),
    );
  }

  async #until(what: string, isMet: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!(await isMet())) {
      if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
      await pause(50);
    }
  }

  /** Photographs the window in both themes. */
  async #keep(name: string, what: string): Promise<void> {
    this.#signal.throwIfAborted();
    for (const theme of ['light', 'dark'] as const) {
      await this.#workbench.setTheme(theme);
      // The theme's colours fade in.
      await pause(400);
      await this.#workbench.screenshot(join(this.#folder, `${name}-${theme}.png`));
    }
    console.log(`✔ ${what}`);
  }
}
