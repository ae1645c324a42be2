import * as vscode from 'vscode';
import { printDocumentPath } from '../core/resource/documentPath.ts';
import type { Disposable } from '../core/lifecycle.ts';
import type { GroupVersionKind } from '../core/resource/gvk.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { ClosedDocuments } from './closedDocuments.ts';
import { DocumentConnections } from './documentConnections.ts';
import { messageOf } from './documentErrors.ts';
import { DocumentOpener, type Opened } from './documentOpener.ts';
import { checkRights } from './documentRights.ts';
import { DocumentSchemas } from './documentSchemas.ts';
import type { DocumentServices } from './documentServices.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveFiles } from './liveFileSystem.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { OpenDocument } from './openDocument.ts';
import { showSaveProgress } from './saveProgress.ts';
import { SaveReasons } from './saveReasons.ts';

/** The open live documents: opens, restores and closes them as VS Code does with their files. */
export class DocumentStore implements LiveDocuments, LiveFiles, vscode.Disposable {
  readonly #clusters: ClustersPort;
  readonly #services: DocumentServices;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #documents = new Map<string, OpenDocument>();
  readonly #connections: DocumentConnections;
  readonly #schemas: DocumentSchemas;
  readonly #closed = new ClosedDocuments();
  readonly #opener: DocumentOpener;
  /** Paths whose last tab was closed: shown again, they are read afresh (issue case A18). */
  readonly #tabless = new Set<string>();
  readonly #saveReasons = new SaveReasons(documentScheme);
  readonly #stateChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #lifetime = new AbortController();
  readonly #owned: readonly Disposable[];

  readonly onDidChangeState = this.#stateChanged.event;
  readonly onDidChangeFile = this.#fileChanged.event;

  constructor(clusters: ClustersPort, services: DocumentServices) {
    this.#clusters = clusters;
    this.#services = services;
    this.#connections = new DocumentConnections(clusters, this.#lifetime.signal);
    this.#schemas = new DocumentSchemas(services.settings);
    this.#opener = new DocumentOpener({
      connections: this.#connections,
      closed: this.#closed,
      schemas: this.#schemas,
      services,
      fileChanged: (uri, type) => {
        this.#fileChanged.fire([{ type, uri }]);
      },
      stateChanged: (uri) => {
        this.#stateChanged.fire(uri);
      },
      adopted: (document, connection, { gvk, schema }) => {
        this.#connections.add(document.uri.path, connection);
        this.#schemas.add(document, schema);
        this.#begin(document, gvk);
      },
    });
    const { workspace, window } = vscode;
    this.#owned = [
      this.#saveReasons,
      this.#stateChanged,
      this.#fileChanged,
      workspace.onDidOpenTextDocument((document) => {
        this.#documentOpened(document);
      }),
      workspace.onDidChangeTextDocument((event) => {
        const { document, contentChanges } = event;
        // The result of a merge has its document's path.
        if (!isOurs(document.uri)) return;
        const known = this.#documents.get(document.uri.path);
        if (known !== undefined) known.documentChanged(event);
        // A text that VS Code restores may become dirty only after it was opened.
        else if (contentChanges.length === 0 && document.isDirty) this.#documentOpened(document);
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (isOurs(document.uri)) this.#documents.get(document.uri.path)?.documentSaved(document);
      }),
      workspace.onDidCloseTextDocument((document) => {
        this.#documentClosed(document);
      }),
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) {
          if (input instanceof vscode.TabInputText && isOurs(input.uri)) this.#tabless.add(input.uri.path);
        }
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#checkRights();
      }),
      window.onDidChangeActiveTextEditor(() => {
        this.#checkRights();
      }),
      clusters.onDidChange(() => {
        this.#connections.reconnect(this.#documents);
      }),
      services.settings.onDidChange(() => {
        for (const document of this.#documents.values()) {
          this.#applySettings(document);
          this.#stateChanged.fire(document.uri);
        }
      }),
    ];
    for (const document of workspace.textDocuments) this.#documentOpened(document);
  }

  get all(): readonly LiveDocument[] {
    return [...this.#documents.values()];
  }

  find(uri: vscode.Uri): OpenDocument | undefined {
    return isOurs(uri) ? this.#documents.get(uri.path) : undefined;
  }

  /** The URI of an object's document. @throws Error where the kubeconfig has no such context */
  uriOf(ref: ResourceRef): vscode.Uri {
    const entry = this.#clusters.view.contexts.find(({ name }) => name === ref.context);
    if (entry === undefined) throw new Error(`The kubeconfig has no context ${ref.context}.`);
    const path = printDocumentPath({ clusterId: entry.clusterId, ref });
    return vscode.Uri.from({ scheme: documentScheme, path });
  }

  /**
   * Opens an object's document without showing it.
   *
   * @throws Error in words where it cannot be read
   */
  async open(ref: ResourceRef): Promise<vscode.TextDocument> {
    const uri = this.uriOf(ref);
    // First, since VS Code has words of its own for what it cannot read.
    await this.#openOnce(uri);
    return await vscode.workspace.openTextDocument(uri);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const opened = await this.#openOnce(uri);
    if (opened.kind === 'fixed') {
      return {
        type: vscode.FileType.File,
        ctime: 0,
        mtime: 0,
        size: 1,
        permissions: vscode.FilePermission.Readonly,
      };
    }
    return opened.document.stat();
  }

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    const opened = await this.#openOnce(uri);
    return opened.kind === 'fixed' ? opened.content : opened.document.read();
  }

  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const isAutoSave = this.#saveReasons.takeIsAutoSave(uri);
    const document = this.#documents.get(uri.path) ?? (await this.#restoreForWrite(uri));
    await document.write(content, isAutoSave);
  }

  dispose(): void {
    this.#lifetime.abort();
    for (const document of this.#documents.values()) document.dispose();
    this.#documents.clear();
    for (const owned of this.#owned) owned.dispose();
  }

  async #openOnce(uri: vscode.Uri): Promise<Opened> {
    const known = this.#opened.get(uri.path);
    if (known !== undefined) {
      const opened = await known;
      if (opened.kind === 'live' && this.#tabless.delete(uri.path)) await opened.document.runner.refresh();
      return opened;
    }
    this.#tabless.delete(uri.path);
    return await this.#track(uri, this.#opener.open(uri));
  }

  /** Shares one opening among all who ask meanwhile: `stat` and `readFile` must answer from one snapshot. */
  async #track(uri: vscode.Uri, opening: Promise<Opened>): Promise<Opened> {
    this.#opened.set(uri.path, opening);
    try {
      return await opening;
    } catch (error) {
      if (this.#opened.get(uri.path) === opening) this.#opened.delete(uri.path);
      throw error;
    }
  }

  async #restoreForWrite(uri: vscode.Uri): Promise<OpenDocument> {
    const shown = vscode.workspace.textDocuments.find(
      (document) => document.uri.path === uri.path && isOurs(document.uri),
    );
    if (shown === undefined) {
      throw vscode.FileSystemError.NoPermissions(
        'Only an object that is open can be saved. To make another object of this text, create a copy.',
      );
    }
    const opened = await (this.#opened.get(uri.path) ??
      this.#track(uri, this.#opener.restore(uri, shown.getText())));
    if (opened.kind === 'fixed') {
      throw vscode.FileSystemError.NoPermissions(
        'The server holds this object without a version: it cannot be saved.',
      );
    }
    opened.document.documentOpened(shown);
    return opened.document;
  }

  #begin(document: OpenDocument, gvk: GroupVersionKind): void {
    const { reportError } = this.#services;
    const { signal } = this.#lifetime;
    this.#documents.set(document.uri.path, document);
    this.#applySettings(document);
    document.runner.start();
    showSaveProgress(document);
    this.#schemas.load(document, document.cluster, gvk, signal).catch(reportError);
    checkRights(document, signal).catch(reportError);
    this.#stateChanged.fire(document.uri);
  }

  #applySettings(document: OpenDocument): void {
    const { reviewsForeignChanges } = this.#services.settings;
    document.runner.dispatch({ kind: 'reviewSettingChanged', reviewsForeignChanges });
    document.access.update();
    this.#schemas.settingsChanged(document);
  }

  /**
   * Rights may have been given or taken since: no document that may be written again shall stay locked, and none that
   * a person turns to shall look as if it could be written (issue case I6).
   */
  #checkRights(): void {
    const shown = vscode.window.activeTextEditor?.document.uri.path;
    for (const document of this.#documents.values()) {
      if (!document.access.isMissingRight && document.uri.path !== shown) continue;
      checkRights(document, this.#lifetime.signal).catch(this.#services.reportError);
    }
  }

  #documentOpened(document: vscode.TextDocument): void {
    if (!isOurs(document.uri)) return;
    const { uri } = document;
    const opening =
      this.#opened.get(uri.path) ??
      (document.isDirty ? this.#track(uri, this.#opener.restore(uri, document.getText())) : undefined);
    opening?.then(
      (opened) => {
        if (opened.kind === 'live' && !document.isClosed) opened.document.documentOpened(document);
      },
      (error: unknown) => {
        this.#services.notify({
          severity: 'error',
          message: `Your unsaved text of ${document.uri.path.split('/').at(-1) ?? 'a live object'} is kept, but it is not connected: ${messageOf(error)} Saving tries again.`,
          actions: [],
        });
      },
    );
  }

  /** A change of language closes and opens a document at once: only what stays closed is given up. */
  #documentClosed(document: vscode.TextDocument): void {
    if (!isOurs(document.uri)) return;
    const { path } = document.uri;
    this.#services.clock.schedule(0, () => {
      if (vscode.workspace.textDocuments.some(({ uri }) => isOurs(uri) && uri.path === path)) return;
      this.#opened.delete(path);
      this.#connections.delete(path);
      const open = this.#documents.get(path);
      if (open === undefined) return;
      this.#documents.delete(path);
      const { uid, ledger } = open.runner.state;
      this.#closed.add(path, { uid, ledger, namedVersion: open.namedVersion });
      open.forgetSession();
      open.dispose();
      this.#stateChanged.fire(document.uri);
    });
  }
}

function isOurs(uri: vscode.Uri): boolean {
  return uri.scheme === documentScheme;
}
