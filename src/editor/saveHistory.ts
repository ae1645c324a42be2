import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isSecretResource } from '../core/merge/secretFields.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';

/** One save of ours that landed: the object's text on the server before it and after it. */
export interface SavedChange {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly before: string;
  readonly after: string;
}

/** How many saves are kept of one object. */
const maxChanges = 20;

/**
 * Keeps what our saves changed, one file an object, in the extension's storage for all workspaces.
 * Of Secrets nothing is kept. A file that cannot be read or written is done without.
 */
export class SaveHistory {
  readonly #folder: vscode.Uri;
  #writing: Promise<void> = Promise.resolve();

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'history');
  }

  /** Adds a save; the oldest of too many go. */
  add(document: vscode.Uri, ref: ResourceRef, change: SavedChange): Promise<void> {
    if (isSecretResource(ref.gvr)) return Promise.resolve();
    this.#writing = this.#writing.then(async () => {
      const changes = [change, ...(await this.#read(document))].slice(0, maxChanges);
      const bytes = new TextEncoder().encode(JSON.stringify(changes));
      await vscode.workspace.fs.writeFile(this.#fileFor(document), bytes);
    });
    return this.#writing;
  }

  /** @returns the newest first */
  async list(document: vscode.Uri): Promise<readonly SavedChange[]> {
    await this.#writing.catch(() => undefined);
    return await this.#read(document);
  }

  async #read(document: vscode.Uri): Promise<readonly SavedChange[]> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#fileFor(document));
      const changes: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return Array.isArray(changes) ? changes.filter(isSavedChange) : [];
    } catch {
      return [];
    }
  }

  #fileFor(document: vscode.Uri): vscode.Uri {
    const name = createHash('sha256').update(document.path).digest('hex').slice(0, 32);
    return vscode.Uri.joinPath(this.#folder, `${name}.json`);
  }
}

function isSavedChange(value: unknown): value is SavedChange {
  if (typeof value !== 'object' || value === null) return false;
  const { atMs, before, after } = value as Partial<Record<keyof SavedChange, unknown>>;
  return typeof atMs === 'number' && typeof before === 'string' && typeof after === 'string';
}
