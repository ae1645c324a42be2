import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** Keeps texts in the extension's storage for all workspaces; what cannot be kept or read is done without. */
export class StorageCache {
  readonly #folder: vscode.Uri;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'openapi');
  }

  async read(key: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#fileFor(key)));
    } catch {
      return undefined;
    }
  }

  async write(key: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(this.#fileFor(key), new TextEncoder().encode(text));
  }

  #fileFor(key: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}
