import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { repositoryRoot } from '../../../scripts/repository.ts';
import type { ApiRef, ApiState } from '../../../src/editor/extensionApi.ts';
import type { ApiClient } from '../../support/apiClient.ts';
import { FaultProxy, type RecordedRequest } from '../../support/faultProxy.ts';
import { writePrivateFile } from '../../support/kubeconfig.ts';
import { createNamespace, sharedApiServer } from '../../support/sharedApiServer.ts';
import { until } from '../../support/until.ts';
import { firstTheme } from '../../support/vscodeServer.ts';
import { Workbench } from '../../support/workbench.ts';
import { resourceOf, type TestObject } from '../inHost/testObjects.ts';
import { execApiVersion, printContexts } from './windowContexts.ts';

/** An object on the server. */
export interface Target {
  /** Its path in the API. */
  readonly path: string;
  readonly ref: ApiRef;
  readonly tabName: string;
}

/** A document's state and text, as the extension host has them. */
export interface DocumentState extends ApiState {
  readonly text: string;
}

const kubeMergeIcon = '.activitybar .action-label[aria-label^="KubeMerge"]';

/**
 * A VS Code window on the real API server. Its contexts are `admin`, through a recording proxy; `nobody`, whose
 * user has no rights; and `offline`, behind a proxy that refuses connections until a test resumes it, with a user
 * whom a credential plugin signs in.
 */
export class LiveWindow implements AsyncDisposable {
  readonly workbench: Workbench;
  readonly proxy: FaultProxy;
  readonly offline: FaultProxy;
  /** Another writer, straight to the server. */
  readonly other: ApiClient;
  /** The contexts' own namespace, for all that the tests create. */
  readonly namespace: string;
  /** How many requests the clusters had met when the window was up, its tree shown and nothing touched yet. */
  readonly requestsAtStart: number;
  /** How often the credential plugin had been run by then. */
  readonly pluginRunsAtStart: number;
  readonly #folder: string;
  readonly #isGuest: boolean;
  #count = 0;

  static async start(): Promise<LiveWindow> {
    const server = await sharedApiServer();
    const proxy = await FaultProxy.start({ target: server });
    const offline = await FaultProxy.start({ target: server });
    await offline.pause();
    const other = server.client();
    const namespace = await createNamespace(other, 'ui');
    const folder = await mkdtemp(join(tmpdir(), 'kubemerge-ui-'));
    const kubeconfig = join(folder, 'config');
    const plugin = await writePlugin(folder, server.tokens.admin ?? '');
    await writePrivateFile(kubeconfig, printContexts(server, namespace, { proxy, offline, plugin }));
    const workbench = await Workbench.start({ env: { KUBECONFIG: kubeconfig } });
    const rows = workbench.page.locator('.pane-body .monaco-list-row');
    await workbench.page.locator(kubeMergeIcon).first().click();
    await rows.nth(2).waitFor();
    const requestsAtStart = proxy.requests.length + offline.requests.length;
    const atStart = { requestsAtStart, pluginRunsAtStart: await countPluginRuns(folder) };
    return new LiveWindow({ workbench, proxy, offline, other, namespace, ...atStart, folder });
  }

  private constructor(parts: {
    readonly workbench: Workbench;
    readonly proxy: FaultProxy;
    readonly offline: FaultProxy;
    readonly other: ApiClient;
    readonly namespace: string;
    readonly requestsAtStart: number;
    readonly pluginRunsAtStart: number;
    readonly folder: string;
    readonly isGuest?: boolean;
  }) {
    this.#isGuest = parts.isGuest === true;
    this.workbench = parts.workbench;
    this.proxy = parts.proxy;
    this.offline = parts.offline;
    this.other = parts.other;
    this.namespace = parts.namespace;
    this.requestsAtStart = parts.requestsAtStart;
    this.pluginRunsAtStart = parts.pluginRunsAtStart;
    this.#folder = parts.folder;
  }

  /** Another window of the same person: same folder, kubeconfig and proxies. */
  async openAnother(): Promise<LiveWindow> {
    const { proxy, offline, other, namespace, requestsAtStart, pluginRunsAtStart } = this;
    const workbench = await this.workbench.openAnother();
    const shared = {
      proxy,
      offline,
      other,
      namespace,
      requestsAtStart,
      pluginRunsAtStart,
      folder: this.#folder,
    };
    return new LiveWindow({ ...shared, workbench, isGuest: true });
  }

  /** How often the credential plugin of `offline` has been run. */
  pluginRuns(): Promise<number> {
    return countPluginRuns(this.#folder);
  }

  /** Creates an object as someone else, under a name of its own. */
  async create(object: TestObject): Promise<Target> {
    const { group, version, resource } = resourceOf(object);
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const name = `${object.metadata.name}-${String(++this.#count)}`;
    const collection = `${root}/namespaces/${this.namespace}/${resource}`;
    const metadata = { ...object.metadata, name };
    await this.other.create(`${collection}?fieldManager=creator`, { ...object, metadata });
    const ref: ApiRef = { context: 'admin', namespace: this.namespace, group, version, resource, name };
    return { path: `${collection}/${name}`, ref, tabName: `${name}.k8s.yaml` };
  }

  /** Opens an object and waits until the window shows that it is live. */
  async open(target: Target): Promise<void> {
    await this.workbench.inHost(async ({ api }, ref) => {
      await api.open(ref);
    }, target.ref);
    await this.workbench.statusBarItem(`${target.ref.name} · admin · live`).waitFor();
  }

  async createAndOpen(object: TestObject): Promise<Target> {
    const target = await this.create(object);
    await this.open(target);
    return target;
  }

  /** A change by someone else. */
  patch({ path }: Target, body: unknown, manager = 'other-writer'): Promise<unknown> {
    return this.other.patch(path, body, manager);
  }

  /** The PUTs of an object that came through the proxy. */
  puts({ path }: Target): readonly RecordedRequest[] {
    return this.proxy.recorded('PUT').filter((request) => request.path.startsWith(`${path}?`));
  }

  /** Types over the first occurrence of a text in the active editor. */
  async retype(from: string, to: string): Promise<void> {
    await this.workbench.inHost(({ vscode }, search) => {
      const editor = vscode.window.activeTextEditor;
      const offset = editor?.document.getText().indexOf(search) ?? -1;
      if (editor === undefined || offset < 0) throw new Error(`the text has no ${search}`);
      const { document } = editor;
      const start = document.positionAt(offset);
      const end = document.positionAt(offset + search.length);
      editor.selection = new vscode.Selection(start, end);
      editor.revealRange(new vscode.Range(start, end));
    }, from);
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.type(to);
    await until(async () => (await this.activeText()).includes(to));
  }

  /**
   * Opens the list behind the status bar, of an object that may be deleted. Opened while the window still moves its
   * focus, or before the rights are known, it is opened again.
   */
  async showActions({ ref }: Target): Promise<void> {
    const last = this.workbench.quickPickRow(/Delete Object…/);
    await until(async () => {
      await this.workbench.statusBarItem(ref.name).first().click();
      const isShown = await last.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      if (!isShown) await this.workbench.page.keyboard.press('Escape');
      return isShown;
    });
  }

  activeText(): Promise<string> {
    return this.workbench.inHost(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
  }

  async pressSave(): Promise<void> {
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.press('Control+s');
  }

  state({ tabName }: Target): Promise<DocumentState> {
    return this.workbench.inHost(({ vscode, api }, name) => {
      const document = vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'k8s' && uri.path.endsWith(`/${name}`),
      );
      if (document === undefined) throw new Error(`${name} is not open`);
      return { ...api.state(document.uri), text: document.getText() };
    }, tabName);
  }

  async untilState(target: Target, isMet: (state: DocumentState) => boolean): Promise<DocumentState> {
    let state = await this.state(target);
    await until(
      async () => {
        state = await this.state(target);
        return isMet(state);
      },
      { describe: () => JSON.stringify(state) },
    );
    return state;
  }

  /** Chooses the row of the open quick pick that begins with a label. */
  async pick(label: string): Promise<void> {
    const row = this.workbench.quickPickRow(/./).filter({
      has: this.#label(label),
    });
    await row.first().click();
  }

  /** Shows the tree. */
  async showTree(): Promise<void> {
    const row = this.row('admin');
    if (!(await row.isVisible())) await this.workbench.page.locator(kubeMergeIcon).first().click();
    await row.waitFor();
  }

  /** A row of the tree, or of another view beside it, by its label; its description follows in its text. */
  row(label: string | RegExp, view = 'Objects'): Locator {
    return this.rows(view)
      .filter({ has: this.#label(label) })
      .first();
  }

  /** The rows of a view that are scrolled into sight. */
  rows(view = 'Objects'): Locator {
    return this.workbench.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  }

  /** Expands rows, each of them inside the one before. */
  async expand(...labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const row = this.row(label);
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
      await this.rows()
        .and(this.workbench.page.locator('[aria-expanded="true"]'))
        .filter({ has: this.#label(label) })
        .first()
        .waitFor();
    }
  }

  async collapseAll(): Promise<void> {
    await this.workbench.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('workbench.actions.treeView.kubemerge.objects.collapseAll');
    });
  }

  /** Closes the quick pick, every editor without saving, and every notification. */
  async reset(): Promise<void> {
    if (await this.workbench.dialog().isVisible()) await this.workbench.page.keyboard.press('Escape');
    await this.workbench.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      for (const document of vscode.workspace.textDocuments) {
        if (document.uri.scheme !== 'k8s-merge') continue;
        if (document.isDirty) await document.save();
        // Closes its merge editor without the question that undecided conflicts raise.
        const edit = new vscode.WorkspaceEdit();
        edit.deleteFile(document.uri, { ignoreIfNotExists: true });
        await vscode.workspace.applyEdit(edit);
      }
      for (const { tabs } of vscode.window.tabGroups.all) {
        for (const tab of tabs) {
          if (!tab.isDirty || !(tab.input instanceof vscode.TabInputText)) continue;
          await vscode.window.showTextDocument(tab.input.uri);
          await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        }
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('notifications.clearAll');
    });
    await this.workbench.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }

  #label(label: string | RegExp): Locator {
    const hasText =
      typeof label === 'string' ? new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : label;
    return this.workbench.page.locator('.label-name', { hasText });
  }

  /** Kept as out/ui/NAME-THEME.png. */
  screenshot(name: string): Promise<void> {
    return this.workbench.screenshot(join(repositoryRoot, 'out', 'ui', `${name}-${firstTheme()}.png`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workbench.stop();
    if (this.#isGuest) return;
    await this.proxy[Symbol.asyncDispose]();
    await this.offline[Symbol.asyncDispose]();
    this.other.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The precondition that a write carried. */
export function sentVersion(request: RecordedRequest | undefined): { resourceVersion: string; uid: string } {
  assert.ok(request, 'there was a request');
  const { metadata } = JSON.parse(request.body) as { metadata: { resourceVersion: string; uid: string } };
  return { resourceVersion: metadata.resourceVersion, uid: metadata.uid };
}

/** Matches the writes of an object. */
export function isPutOf({ path }: Target): (request: RecordedRequest) => boolean {
  return (request) => request.method === 'PUT' && request.path.startsWith(`${path}?`);
}

/** Writes a credential plugin that notes each of its runs. */
async function writePlugin(folder: string, token: string): Promise<string> {
  const credential = { kind: 'ExecCredential', apiVersion: execApiVersion, status: { token } };
  const path = join(folder, 'plugin.sh');
  const lines = [
    '#!/bin/sh',
    `echo run >> '${join(folder, runsName)}'`,
    `echo '${JSON.stringify(credential)}'`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o700 });
  return path;
}

async function countPluginRuns(folder: string): Promise<number> {
  const text = await readFile(join(folder, runsName), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

const runsName = 'plugin-runs';
