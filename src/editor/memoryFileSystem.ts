import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { allTabs, urisOf } from './tabs.ts';

/**
 * Files that live in memory only, for one scheme: a write never fails, and what no tab shows any more is
 * freed. VS Code's own check for newer content must not step in, so the size is constant.
 */
export class MemoryFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #scheme: string;
  readonly #files = new Map<string, MemoryFile>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registrations: readonly Disposable[];

  readonly onDidChangeFile = this.#changes.event;

  /** @param supply the text of a file that was never put, such as one whose tab was restored; undefined: none */
  constructor(
    scheme: string,
    options: {
      readonly isReadonly: boolean;
      readonly supply: (uri: vscode.Uri) => Promise<string | undefined>;
    },
  ) {
    this.#scheme = scheme;
    this.#supply = options.supply;
    const { isReadonly } = options;
    this.#registrations = [
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly }),
      vscode.window.tabGroups.onDidChangeTabs(() => {
        this.#freeUnshown();
      }),
    ];
  }

  readonly #supply: (uri: vscode.Uri) => Promise<string | undefined>;

  /** Sets a file's text; an open and unchanged editor follows. */
  put(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known?.text === text) return;
    this.#files.set(key, {
      uri,
      text,
      mtime: Math.max(Date.now(), (known?.mtime ?? 0) + 1),
      wasShown: known?.wasShown ?? false,
    });
    const type = known === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    this.#changes.fire([{ type, uri }]);
  }

  /** The text last put or written. */
  text(uri: vscode.Uri): string | undefined {
    return this.#files.get(uri.toString())?.text;
  }

  /** The files that are held, shown or not. */
  get uris(): readonly vscode.Uri[] {
    return [...this.#files.values()].map(({ uri }) => uri);
  }

  remove(uri: vscode.Uri): void {
    this.#files.delete(uri.toString());
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime } = await this.#read(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: 1 };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { text } = await this.#read(uri);
    return new TextEncoder().encode(text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.put(uri, new TextDecoder().decode(content));
  }

  readDirectory(): [] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions('These files are kept in memory.');
  }

  delete(uri: vscode.Uri): void {
    this.remove(uri);
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions('These files are kept in memory.');
  }

  dispose(): void {
    for (const item of this.#registrations) item.dispose();
    this.#changes.dispose();
    this.#files.clear();
  }

  async #read(uri: vscode.Uri): Promise<MemoryFile> {
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const text = await this.#supply(uri);
    const put = this.#files.get(key);
    if (put !== undefined) return put;
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const file = { uri, text, mtime: Date.now(), wasShown: false };
    this.#files.set(key, file);
    return file;
  }

  #freeUnshown(): void {
    const shown = new Set(
      allTabs()
        .flatMap(urisOf)
        .filter(({ scheme }) => scheme === this.#scheme)
        .map(String),
    );
    for (const [key, file] of this.#files) {
      if (shown.has(key)) file.wasShown = true;
      else if (file.wasShown) this.#files.delete(key);
    }
  }
}

interface MemoryFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly mtime: number;
  /** A tab showed it: when none does any more, nobody needs it. */
  wasShown: boolean;
}
