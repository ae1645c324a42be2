import * as vscode from 'vscode';
import { documentExtension } from '../core/resource/documentPath.ts';
import { documentScheme } from './documentUris.ts';

/** What answers for the files of live documents. */
export interface LiveFiles {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  read(uri: vscode.Uri): Promise<Uint8Array>;
  write(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** Makes live objects files of VS Code. */
export function registerLiveFileSystem(files: LiveFiles, scheme = documentScheme): vscode.Disposable {
  return vscode.workspace.registerFileSystemProvider(scheme, new LiveFileSystem(files), {
    isCaseSensitive: true,
  });
}

/**
 * The `k8s:` file system: live objects as files that are opened and saved one by one.
 * There are no folders: the tree lists objects, and deleting or renaming one is no file operation.
 */
class LiveFileSystem implements vscode.FileSystemProvider {
  readonly #files: LiveFiles;

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#files.onDidChangeFile;
  }

  /** Every open document is watched by its session. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // VS Code makes sure of a missing file's folders before it lets its text be written, or refused, by us.
    if (!uri.path.endsWith(documentExtension)) return Promise.resolve(folder);
    return this.#files.stat(uri);
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#files.read(uri);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return this.#files.write(uri, content);
  }

  readDirectory(): never {
    throw refuse('Live objects have no folders. Use the KubeMerge view or "KubeMerge: Open Object…".');
  }

  createDirectory(): never {
    throw refuse('Live objects have no folders.');
  }

  delete(): never {
    throw refuse('Deleting the file of a live object does not delete the object.');
  }

  rename(): never {
    throw refuse('A live object cannot be renamed or moved. Create a copy instead.');
  }
}

const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

function refuse(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(message);
}
