import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { isSecretResource } from '../core/merge/secretFields.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { documentScheme } from './documentUris.ts';

/** One save of ours that landed: the object's text on the server before it and after it. */
export interface SavedChange {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly before: string;
  readonly after: string;
}

/** An object of which saves are kept, and when the newest of them was. */
export interface SavedObject {
  readonly uri: vscode.Uri;
  readonly atMs: number;
}

/** Which objects saves are kept of. */
export interface KeptSaves {
  readonly onDidChange: vscode.Event<void>;
  has(document: vscode.Uri): boolean;
}

/** How many saves are kept of one object. */
const maxChanges = 20;

/** How many UTF-16 units of texts are kept of one object, the newest save always. */
const maxUnits = 4_000_000;

/** Of how many objects saves are kept. */
const maxObjects = 200;

interface HistoryFile {
  /** The document's path. */
  readonly path: string;
  readonly changes: readonly SavedChange[];
}

/**
 * Keeps what our saves changed, one file an object, in the extension's storage for all workspaces.
 * Of Secrets nothing is kept. A file that cannot be read or written is done without.
 */
export class SaveHistory implements KeptSaves, Disposable {
  readonly #folder: vscode.Uri;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** The names of the files that there are. */
  #names: ReadonlySet<string> = new Set();
  #writing: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changes.event;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'history');
    this.#look();
    this.#subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
      // Other windows keep their saves in the same place.
      if (focused) this.#look();
    });
  }

  has(document: vscode.Uri): boolean {
    return this.#names.has(nameOf(document));
  }

  /** Adds a save; the oldest of too many go. */
  add(document: vscode.Uri, ref: ResourceRef, change: SavedChange): Promise<void> {
    if (isSecretResource(ref.gvr)) return Promise.resolve();
    const adding = this.#writing.then(async () => {
      const file = this.#fileFor(document);
      const changes = withinBounds([change, ...((await this.#read(file))?.changes ?? [])]);
      const content: HistoryFile = { path: document.path, changes };
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(content)));
      await this.#dropOldest();
    });
    // One write that fails must not keep the next from being tried.
    this.#writing = adding.catch(() => undefined);
    this.#look();
    return adding;
  }

  /** @returns the newest first */
  async list(document: vscode.Uri): Promise<readonly SavedChange[]> {
    await this.#writing;
    return (await this.#read(this.#fileFor(document)))?.changes ?? [];
  }

  /** The objects of which saves are kept, the newest save first. */
  async objects(): Promise<readonly SavedObject[]> {
    await this.#writing;
    const read = await Promise.all((await this.#files()).map((file) => this.#read(file)));
    return read
      .flatMap((file) => {
        const atMs = file?.changes[0]?.atMs;
        if (file === undefined || atMs === undefined) return [];
        return [{ uri: vscode.Uri.from({ scheme: documentScheme, path: file.path }), atMs }];
      })
      .sort((left, right) => right.atMs - left.atMs);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  /** Finds out which objects saves are kept of, once what is being written is there. */
  #look(): void {
    this.#writing = this.#writing.then(async () => {
      const names = new Set((await this.#files()).map(({ path }) => posix.basename(path)));
      const isSame = names.size === this.#names.size && [...names].every((name) => this.#names.has(name));
      if (isSame) return;
      this.#names = names;
      this.#changes.fire();
    });
  }

  async #dropOldest(): Promise<void> {
    const files = await this.#files();
    if (files.length <= maxObjects) return;
    const dated = await Promise.all(
      files.map(async (file) => ({ file, atMs: (await this.#read(file))?.changes[0]?.atMs ?? 0 })),
    );
    dated.sort((left, right) => right.atMs - left.atMs);
    for (const { file } of dated.slice(maxObjects)) await vscode.workspace.fs.delete(file);
  }

  async #files(): Promise<readonly vscode.Uri[]> {
    try {
      const entries = await vscode.workspace.fs.readDirectory(this.#folder);
      return entries.map(([name]) => vscode.Uri.joinPath(this.#folder, name));
    } catch {
      return [];
    }
  }

  async #read(file: vscode.Uri): Promise<HistoryFile | undefined> {
    try {
      const content: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
      if (typeof content !== 'object' || content === null) return undefined;
      const { path, changes } = content as Partial<Record<keyof HistoryFile, unknown>>;
      if (typeof path !== 'string' || !Array.isArray(changes)) return undefined;
      return { path, changes: changes.filter(isSavedChange) };
    } catch {
      return undefined;
    }
  }

  #fileFor(document: vscode.Uri): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, nameOf(document));
  }
}

function nameOf({ path }: vscode.Uri): string {
  return `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`;
}

function withinBounds(changes: readonly SavedChange[]): readonly SavedChange[] {
  let units = 0;
  return changes.slice(0, maxChanges).filter(({ before, after }, index) => {
    units += before.length + after.length;
    return index === 0 || units <= maxUnits;
  });
}

function isSavedChange(value: unknown): value is SavedChange {
  if (typeof value !== 'object' || value === null) return false;
  const { atMs, before, after } = value as Partial<Record<keyof SavedChange, unknown>>;
  return typeof atMs === 'number' && typeof before === 'string' && typeof after === 'string';
}
