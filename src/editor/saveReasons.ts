import * as vscode from 'vscode';

/**
 * Remembers why VS Code is about to save a document, so that an auto-save can be told from a deliberate
 * one when `writeFile` is called. Source: VS Code API, TextDocumentSaveReason (issue case I7).
 */
export class SaveReasons implements vscode.Disposable {
  readonly #autoSaved = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor(scheme: string) {
    this.#subscription = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      if (document.uri.scheme !== scheme) return;
      if (reason === vscode.TextDocumentSaveReason.Manual) this.#autoSaved.delete(document.uri.path);
      else this.#autoSaved.add(document.uri.path);
    });
  }

  /** Whether the save that is about to be written is an auto-save; asks once for each save. */
  takeIsAutoSave(uri: vscode.Uri): boolean {
    return this.#autoSaved.delete(uri.path);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
