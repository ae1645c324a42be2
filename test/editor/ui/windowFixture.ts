import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { ApiState } from '../../../src/editor/extensionApi.ts';
import type { ApiClient } from '../../support/apiClient.ts';
import { FaultProxy } from '../../support/faultProxy.ts';
import { createNamespace, sharedApiServer } from '../../support/sharedApiServer.ts';
import { Workbench } from '../../support/workbench.ts';

/** How long anything may take to show, in ms. */
const patienceMs = 20_000;

/** A VS Code window as a person has it, on the real API server behind a proxy that records. */
export class WindowFixture implements AsyncDisposable {
  readonly workbench: Workbench;
  readonly proxy: FaultProxy;
  /** Another writer, straight to the server. */
  readonly other: ApiClient;
  readonly namespace: string;
  readonly #folder: string;

  private constructor(parts: {
    readonly workbench: Workbench;
    readonly proxy: FaultProxy;
    readonly other: ApiClient;
    readonly namespace: string;
    readonly folder: string;
  }) {
    this.workbench = parts.workbench;
    this.proxy = parts.proxy;
    this.other = parts.other;
    this.namespace = parts.namespace;
    this.#folder = parts.folder;
  }

  static async start(): Promise<WindowFixture> {
    const server = await sharedApiServer();
    const proxy = await FaultProxy.start({ target: server });
    const other = server.client();
    const namespace = await createNamespace(other, 'ui');
    const folder = await mkdtemp(join(tmpdir(), 'kubemerge-ui-'));
    const kubeconfig = join(folder, 'config');
    const text = await readFile(server.kubeconfigPath, 'utf8');
    await writeFile(kubeconfig, text.replaceAll(server.url, proxy.url));
    const workbench = await Workbench.start({ env: { KUBECONFIG: kubeconfig } });
    return new WindowFixture({ workbench, proxy, other, namespace, folder });
  }

  /** A row of the tree, by how its text begins: the label, and right behind it the description. */
  row(text: string): Locator {
    const rows = this.workbench.page.locator('.pane-body .monaco-list-row');
    return rows.filter({ hasText: new RegExp(`^\\s*${text}`) }).first();
  }

  async createConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.other.create(`/api/v1/namespaces/${this.namespace}/configmaps`, { metadata: { name }, data });
  }

  /** The path of a ConfigMap on the server. */
  pathOf(name: string): string {
    return `/api/v1/namespaces/${this.namespace}/configmaps/${name}`;
  }

  async open(name: string): Promise<void> {
    await this.workbench.inHost(
      async ({ api }, ref) => {
        await api.open(ref);
      },
      { context: 'admin', namespace: this.namespace, group: '', version: 'v1', resource: 'configmaps', name },
    );
    await this.until('its watch is live', async () => (await this.state()).liveness.kind === 'live');
  }

  /** The state of the only live document that is open. */
  async state(): Promise<ApiState> {
    const state = await this.workbench.inHost(({ vscode, api }): unknown => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'k8s');
      return document === undefined ? null : (api.state(document.uri) ?? null);
    });
    assert.ok(state, 'a live document is open');
    return state as ApiState;
  }

  /** Types over a text of the active editor, as a person does. */
  async retype(from: string, to: string): Promise<void> {
    await this.workbench.inHost(({ vscode }, search) => {
      const editor = vscode.window.activeTextEditor;
      const offset = editor?.document.getText().indexOf(search) ?? -1;
      if (editor === undefined || offset < 0) throw new Error(`the text has no ${search}`);
      const start = editor.document.positionAt(offset);
      editor.selection = new vscode.Selection(start, editor.document.positionAt(offset + search.length));
    }, from);
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.type(to);
    await this.untilText(to);
  }

  text(): Promise<string> {
    return this.workbench.inHost(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
  }

  async untilText(part: string): Promise<void> {
    await this.until(`the editor shows ${part}`, async () => (await this.text()).includes(part));
  }

  async save(): Promise<void> {
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.press('Control+s');
  }

  async clearNotifications(): Promise<void> {
    await this.workbench.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('notifications.clearAll');
    });
  }

  /** Closes every editor; unsaved text is dropped without a question. */
  async closeAll(): Promise<void> {
    await this.clearNotifications();
    await this.workbench.inHost(async ({ vscode }) => {
      for (
        let tries = 0;
        tries < 20 && vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
        tries++
      ) {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    });
  }

  /** Waits until VS Code has put the unsaved text where a reload finds it. */
  async untilBackedUp(): Promise<void> {
    const folder = join(this.workbench.server.folder, 'User', 'Backups');
    await this.until('the unsaved text is backed up', async () => {
      const files = await readdir(folder, { recursive: true }).catch(() => []);
      return files.some((file) => /\bk8s\b./.test(file));
    });
  }

  async until(what: string, isMet: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!(await isMet())) {
      assert.ok(Date.now() < deadline, `waited in vain: ${what}`);
      await pause(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workbench.stop();
    await this.proxy[Symbol.asyncDispose]();
    this.other.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
