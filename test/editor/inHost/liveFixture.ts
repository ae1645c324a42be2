import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ApiRef, ApiState, ExtensionApi } from '../../../src/editor/extensionApi.ts';
import type { ApiClient } from '../../support/apiClient.ts';
import { FaultProxy, type RecordedRequest } from '../../support/faultProxy.ts';
import { createNamespace, sharedApiServer } from '../../support/sharedApiServer.ts';

/** How long anything may take that is waited for, in ms: far beyond what it needs. */
const patienceMs = 15_000;

/** The extension in this VS Code, on the real API server behind a proxy that records and breaks. */
export interface LiveFixture extends AsyncDisposable {
  readonly api: ExtensionApi;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  /** Another writer, straight to the server. */
  readonly other: ApiClient;
  /** Writes the kubeconfig anew; the proxy's URL is in it. */
  readonly kubeconfigPath: string;
  ref(resource: string, name: string, more?: Partial<ApiRef>): ApiRef;
  /** Opens an object and waits until its watch is live. */
  open(ref: ApiRef): Promise<OpenObject>;
  /** The PUTs that came through the proxy. */
  puts(): readonly RecordedRequest[];
}

export async function openLiveFixture(): Promise<LiveFixture> {
  const server = await sharedApiServer();
  const proxy = await FaultProxy.start({ target: server });
  const other = server.client();
  const namespace = await createNamespace(other, 'editor');
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-live-'));
  const kubeconfigPath = join(folder, 'config');
  const text = await readFile(server.kubeconfigPath, 'utf8');
  await writeFile(kubeconfigPath, text.replaceAll(server.url, proxy.url));
  const settings = vscode.workspace.getConfiguration('kubemerge');
  const api = await activateExtension();
  await settings.update('kubeconfig', [kubeconfigPath], vscode.ConfigurationTarget.Global);
  return {
    api,
    proxy,
    namespace,
    other,
    kubeconfigPath,
    ref: (resource, name, more = {}) => ({
      context: 'admin',
      namespace,
      group: resource === 'deployments' ? 'apps' : '',
      version: 'v1',
      resource,
      name,
      ...more,
    }),
    open: async (ref) => {
      const uri = await until('the object opens', async () => {
        try {
          return await api.open(ref);
        } catch (error) {
          // The setting's new kubeconfig may not be loaded yet.
          if (String(error).includes('no context') || String(error).includes('ECONNREFUSED'))
            return undefined;
          throw error;
        }
      });
      const object = new OpenObject(api, uri);
      await object.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
      return object;
    },
    puts: () => proxy.recorded('PUT'),
    [Symbol.asyncDispose]: async () => {
      await closeAll();
      await proxy[Symbol.asyncDispose]();
      other.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One open live document, as a person and another extension see it. */
export class OpenObject {
  readonly uri: vscode.Uri;
  readonly #api: ExtensionApi;

  constructor(api: ExtensionApi, uri: vscode.Uri) {
    this.#api = api;
    this.uri = uri;
  }

  get document(): vscode.TextDocument {
    const found = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.uri.toString());
    assert.ok(found, 'the document is open');
    return found;
  }

  get text(): string {
    return this.document.getText();
  }

  get state(): ApiState {
    const state = this.#api.state(this.uri);
    assert.ok(state, 'the document has a session');
    return state;
  }

  /** Waits for a state; the deadline is the test's own. */
  until(what: string, isMet: (state: ApiState) => boolean): Promise<ApiState> {
    return until(
      what,
      () => (isMet(this.state) ? this.state : undefined),
      () => JSON.stringify(this.state),
    );
  }

  untilText(what: string, isMet: (text: string) => boolean): Promise<string> {
    return until(
      what,
      () => (isMet(this.text) ? this.text : undefined),
      () => this.text,
    );
  }

  /** Replaces the first occurrence, as typing would: one undoable edit. */
  async replace(search: string | RegExp, replacement: string): Promise<void> {
    const { document } = this;
    const text = document.getText();
    const start = typeof search === 'string' ? text.indexOf(search) : text.search(search);
    assert.ok(start >= 0, `the text has ${String(search)}:\n${text}`);
    const length = typeof search === 'string' ? search.length : (search.exec(text)?.[0].length ?? 0);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      this.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(start + length)),
      replacement,
    );
    assert.ok(await vscode.workspace.applyEdit(edit), 'the edit was taken');
  }

  /** Runs a command on the active editor, after making this one active. */
  async run(command: string): Promise<void> {
    await vscode.window.showTextDocument(this.document);
    await vscode.commands.executeCommand(command);
  }

  undo(): Promise<void> {
    return this.run('undo');
  }

  async save(): Promise<{ kind: string; message: string }> {
    const report = await vscode.commands.executeCommand<{ kind: string; message: string }>(
      'kubemerge.save',
      this.uri,
    );
    assert.ok(report, 'the save command answers');
    return report;
  }
}

export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('kubemerge.kubemerge');
  assert.ok(extension, 'the extension is installed');
  return await extension.activate();
}

/** Closes every editor; unsaved text is dropped. */
export async function closeAll(): Promise<void> {
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      if (tab.isDirty && tab.input instanceof vscode.TabInputText) {
        await vscode.window.showTextDocument(tab.input.uri);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    }
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Asks again and again until there is an answer, or the patience is at its end. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  describe: () => string = () => '',
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    assert.ok(Date.now() < deadline, `waited in vain: ${what}\n${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
