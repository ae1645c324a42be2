import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { CommandId } from './commandMap.ts';
import type { DocumentPart, DocumentPartDependencies } from './documentPart.ts';
import { documentScheme, mergeScheme, newScheme, viewScheme } from './documentUris.ts';
import { type LiveFiles, registerLiveFileSystem } from './liveFileSystem.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';
import type { OpenDocument } from './openDocument.ts';
import { allTabs, urisOf } from './tabs.ts';

/** The commands that come with {@link DocumentPart}. */
const documentCommands: readonly CommandId[] = [
  'kubemerge.save',
  'kubemerge.reload',
  'kubemerge.recreate',
  'kubemerge.create',
  'kubemerge.createFromText',
  'kubemerge.delete',
  'kubemerge.removeFinalizers',
  'kubemerge.scale',
  'kubemerge.editStatus',
  'kubemerge.createCopy',
  'kubemerge.openAsVersion',
  'kubemerge.restoreDraft',
  'kubemerge.discardDraft',
  'kubemerge.merge',
  'kubemerge.acceptMerge',
  'kubemerge.compareWithLive',
  'kubemerge.showLiveChanges',
  'kubemerge.history',
  'kubemerge.undoSave',
  'kubemerge.dryRun',
  'kubemerge.whoChanged',
  'kubemerge.compareWithSaved',
  'kubemerge.showFullObject',
  'kubemerge.keepMine',
  'kubemerge.takeLive',
  'kubemerge.showActions',
  'kubemerge.decodeSecretValues',
  'kubemerge.encodeSecretValues',
  'kubemerge.revealSecretValues',
  'kubemerge.hideSecretValues',
];

/**
 * Stands for the live documents from activation on; their code, most of the extension, is loaded when the
 * first is opened or restored, or a command of theirs runs.
 */
export class DocumentLoader implements LiveDocuments, LiveFiles, vscode.Disposable {
  readonly #dependencies: DocumentPartDependencies;
  readonly #stateChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #newFileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #views: MemoryFileSystem;
  readonly #merges: MemoryFileSystem;
  readonly #owned: Disposable[] = [];
  #loading: Promise<DocumentPart> | undefined;
  #part: DocumentPart | undefined;
  #isDisposed = false;

  readonly onDidChangeState = this.#stateChanged.event;
  readonly onDidChangeFile = this.#fileChanged.event;

  constructor(dependencies: DocumentPartDependencies) {
    this.#dependencies = dependencies;
    this.#views = new MemoryFileSystem(viewScheme, {
      isReadonly: true,
      supply: async (uri) => (await this.#load()).views.textFor(uri),
    });
    this.#merges = new MemoryFileSystem(mergeScheme, {
      isReadonly: false,
      supply: async () => {
        // A merge does not outlive its window: what is loaded closes its tab.
        await this.#load();
        return undefined;
      },
    });
    this.#owned.push(
      this.#views,
      this.#merges,
      registerLiveFileSystem(this),
      registerLiveFileSystem(this.#newFiles(), newScheme),
      dependencies.commands.defer(documentCommands, () => this.#load()),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (isOurs(uri)) this.#loadSoon();
      }),
    );
    const shown = [
      ...vscode.workspace.textDocuments.map(({ uri }) => uri),
      ...allTabs().flatMap((tab) => urisOf(tab)),
    ];
    if (shown.some(isOurs)) this.#loadSoon();
  }

  get all(): LiveDocuments['all'] {
    return this.#part?.store.all ?? [];
  }

  find(uri: vscode.Uri): OpenDocument | undefined {
    return this.#part?.store.find(uri);
  }

  /**
   * Opens an object's document without showing it.
   *
   * @throws Error in words where it cannot be read
   */
  async open(ref: ResourceRef): Promise<vscode.TextDocument> {
    return await (await this.#load()).store.open(ref);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return await (await this.#load()).store.stat(uri);
  }

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    return await (await this.#load()).store.read(uri);
  }

  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await (await this.#load()).store.write(uri, content);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#part?.dispose();
    for (const owned of this.#owned) owned.dispose();
    this.#stateChanged.dispose();
    this.#fileChanged.dispose();
    this.#newFileChanged.dispose();
  }

  /** The texts of new objects come with the rest. */
  #newFiles(): LiveFiles {
    const files = async (): Promise<LiveFiles> => (await this.#load()).newObjects;
    return {
      onDidChangeFile: this.#newFileChanged.event,
      stat: async (uri) => await (await files()).stat(uri),
      read: async (uri) => await (await files()).read(uri),
      write: async (uri, content) => {
        await (await files()).write(uri, content);
      },
    };
  }

  #load(): Promise<DocumentPart> {
    this.#loading ??= this.#loadPart();
    return this.#loading;
  }

  #loadSoon(): void {
    this.#load().catch(this.#dependencies.reportError);
  }

  async #loadPart(): Promise<DocumentPart> {
    const { createDocumentPart } = await import('./documentPart.ts');
    if (this.#isDisposed) throw new Error('The window is closing.');
    const part = createDocumentPart(this.#dependencies, { views: this.#views, merges: this.#merges });
    this.#part = part;
    this.#owned.push(
      part.store.onDidChangeState((uri) => {
        this.#stateChanged.fire(uri);
      }),
      part.store.onDidChangeFile((changes) => {
        this.#fileChanged.fire(changes);
      }),
    );
    return part;
  }
}

function isOurs({ scheme }: vscode.Uri): boolean {
  return scheme === documentScheme || scheme === viewScheme || scheme === mergeScheme;
}
