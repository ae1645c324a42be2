import * as vscode from 'vscode';
import { toUri } from './commandMap.ts';
import { liveUriOf } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { activeTab, urisOf } from './tabs.ts';

/** Finds the live document that a command means. */
export class DocumentTargets {
  readonly #documents: LiveDocuments;
  readonly #notifier: Notifier;

  constructor(documents: LiveDocuments, notifier: Notifier) {
    this.#documents = documents;
    this.#notifier = notifier;
  }

  /** The document of the active editor; also where it is one side of a comparison or a merge. */
  get active(): LiveDocument | undefined {
    const editor = vscode.window.activeTextEditor;
    const tab = activeTab();
    const shown = [
      ...(editor === undefined ? [] : [editor.document.uri]),
      ...(tab === undefined ? [] : urisOf(tab)),
    ];
    for (const uri of shown) {
      const live = liveUriOf(uri);
      const document = live === undefined ? undefined : this.#documents.find(live);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  /**
   * The document of a command's argument, opened where it is not, or the active one without an argument.
   *
   * @returns undefined after telling the user that there is none
   * @throws Error where the document cannot be opened
   */
  async resolve(target: unknown): Promise<LiveDocument | undefined> {
    const uri = toUri(target);
    const live = uri && liveUriOf(uri);
    const found = live && (await this.#open(live));
    // What is meant is never the active document where another was named.
    const document = uri === undefined ? this.active : found;
    if (document === undefined) {
      const message =
        uri === undefined
          ? 'No live Kubernetes object is open in the active editor.'
          : 'What was given is no live Kubernetes object. Nothing was done.';
      this.#notifier.show({ severity: 'warning', message, actions: [] });
    }
    return document;
  }

  async #open(uri: vscode.Uri): Promise<LiveDocument | undefined> {
    const known = this.#documents.find(uri);
    if (known !== undefined) return known;
    await vscode.workspace.openTextDocument(uri);
    return this.#documents.find(uri);
  }
}
