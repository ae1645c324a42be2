import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiRef, ApiState, ExtensionApi } from '../../../src/editor/extensionApi.ts';
import type { ApiClient, ApiReply } from '../../support/apiClient.ts';
import { until } from './until.ts';

/** An object on the server. */
export interface Target {
  /** Its path in the API. */
  readonly path: string;
  readonly ref: ApiRef;
}

/** How the save command answers. */
export interface SaveReport {
  readonly kind: string;
  readonly message: string;
}

/** One open live document, as a person and another extension see it. */
export class OpenObject implements Target {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly ref: ApiRef;
  readonly #api: ExtensionApi;
  readonly #other: ApiClient;

  constructor(parts: {
    readonly api: ExtensionApi;
    readonly uri: vscode.Uri;
    readonly target: Target;
    readonly other: ApiClient;
  }) {
    this.#api = parts.api;
    this.#other = parts.other;
    this.uri = parts.uri;
    this.path = parts.target.path;
    this.ref = parts.target.ref;
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

  get mergeBase(): ReturnType<ExtensionApi['mergeBase']> {
    return this.#api.mergeBase(this.uri);
  }

  get isTabDirty(): boolean {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const key = this.uri.toString();
    return tabs.some(
      ({ input, isDirty }) => isDirty && input instanceof vscode.TabInputText && input.uri.toString() === key,
    );
  }

  /** The diagnostics at each line that has any: `spec.replicas` → its messages, by the line's trimmed text. */
  get diagnostics(): readonly { readonly line: string; readonly message: string; readonly code: unknown }[] {
    return vscode.languages.getDiagnostics(this.uri).map(({ range, message, code }) => ({
      line: this.document.lineAt(range.start.line).text.trim(),
      message,
      code,
    }));
  }

  /** What the server holds now. */
  live(): Promise<ApiReply['json']> {
    return this.#other.get(this.path);
  }

  /** A change by someone else. */
  patch(body: unknown, manager = 'other-writer', subresource = ''): Promise<ApiReply['json']> {
    return this.#other.patch(`${this.path}${subresource}`, body, manager);
  }

  /** Someone else deletes the object. */
  async deleteByOther(): Promise<void> {
    await this.#other.delete(this.path);
  }

  /** Waits for a state. */
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

  /** Waits until the session has seen what the server holds now. */
  async untilSeen(): Promise<void> {
    const { metadata } = await this.live();
    await this.until(
      'the newest version is seen',
      ({ liveVersion }) => liveVersion === metadata.resourceVersion,
    );
  }

  /** Waits until the text names what the server holds now, and is clean. */
  async untilCurrent(): Promise<void> {
    const { metadata } = await this.live();
    await this.untilText('the text names the newest version', (text) =>
      text.includes(`resourceVersion: "${String(metadata.resourceVersion)}"`),
    );
    assert.equal(this.document.isDirty, false);
  }

  /** Keeps every phase that the document is in from now on. */
  recordPhases(): { readonly phases: ReadonlySet<string> } & Disposable {
    const phases = new Set<string>([this.state.phase]);
    const subscription = this.#api.onDidChangeState((uri) => {
      const phase = uri.toString() === this.uri.toString() ? this.#api.state(uri)?.phase : undefined;
      if (phase !== undefined) phases.add(phase);
    });
    return {
      phases,
      [Symbol.dispose]: () => {
        subscription.dispose();
      },
    };
  }

  /** Replaces the first occurrence by one undoable edit. */
  async replace(search: string | RegExp, replacement: string): Promise<void> {
    await until('the edit is taken', async () => {
      const { document } = this;
      const text = document.getText();
      const found = typeof search === 'string' ? search : search.exec(text)?.[0];
      const start = found === undefined ? -1 : text.indexOf(found);
      assert.ok(found !== undefined && start >= 0, `the text has ${String(search)}:\n${text}`);
      assert.notEqual(found, replacement);
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + found.length));
      const edit = new vscode.WorkspaceEdit();
      edit.replace(this.uri, range, replacement);
      // Refused where the text has changed since it was looked at.
      return (await vscode.workspace.applyEdit(edit)) ? true : undefined;
    });
  }

  /** Types behind the first occurrence, key by key, as a person does. */
  async typeAfter(search: string, keys: string): Promise<void> {
    const editor = await this.show();
    const offset = this.text.indexOf(search);
    assert.ok(offset >= 0, `the text has ${search}:\n${this.text}`);
    const caret = this.document.positionAt(offset + search.length);
    editor.selection = new vscode.Selection(caret, caret);
    for (const key of keys) await vscode.commands.executeCommand('type', { text: key });
  }

  show(): Promise<vscode.TextEditor> {
    return Promise.resolve(vscode.window.showTextDocument(this.document, { preview: false }));
  }

  /** Runs a command on the active editor, after making this one active. */
  async run(command: string): Promise<void> {
    await this.show();
    await vscode.commands.executeCommand(command);
  }

  async undo(): Promise<void> {
    const before = this.text;
    await this.run('undo');
    assert.notEqual(this.text, before, 'there was something to undo');
  }

  async save(): Promise<SaveReport> {
    const report = await vscode.commands.executeCommand<SaveReport | undefined>('kubemerge.save', this.uri);
    assert.ok(report, 'the save command answers');
    return report;
  }

  /** Saves, and fails where the save does not land. */
  async saveAndLand(): Promise<SaveReport> {
    const report = await this.save();
    assert.equal(report.kind, 'committed', report.message);
    return report;
  }
}
