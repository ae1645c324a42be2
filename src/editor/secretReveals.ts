import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { isSecretResource } from '../core/merge/secretFields.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';

/** Which Secrets' values the user asked to see in comparisons and merges. */
export class SecretReveals implements Disposable {
  readonly #documents: LiveDocuments;
  readonly #revealed = new Set<string>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscription: Disposable;

  /** Fires with the live document's URI. */
  readonly onDidChange = this.#changes.event;

  constructor(documents: LiveDocuments) {
    this.#documents = documents;
    this.#subscription = documents.onDidChangeState((uri) => {
      if (documents.find(uri) === undefined) this.#revealed.delete(uri.toString());
    });
  }

  /** Whether this document's values have to be masked wherever they are shown. */
  isMasked(document: LiveDocument): boolean {
    return isSecretResource(document.ref.gvr) && !this.isRevealed(document.uri);
  }

  isRevealed(uri: vscode.Uri): boolean {
    return this.#revealed.has(uri.toString());
  }

  set(uri: vscode.Uri, isRevealed: boolean): void {
    if (this.isRevealed(uri) === isRevealed || this.#documents.find(uri) === undefined) return;
    if (isRevealed) this.#revealed.add(uri.toString());
    else this.#revealed.delete(uri.toString());
    this.#changes.fire(uri);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }
}
