import * as vscode from 'vscode';
import type { Outcome, RequestFailure } from '../core/errors.ts';
import { type JsonObject, memberAt } from '../core/json.ts';
import { builtinSchema } from '../core/merge/builtinSchema.ts';
import { type MergeSchema, noSchema } from '../core/merge/mergeSchema.ts';
import { withNamedLists } from '../core/merge/namedLists.ts';
import { schemaFromOpenApi } from '../core/merge/openApiSchema.ts';
import { type DocumentAddress, parseDocumentPath, printDocumentPath } from '../core/resource/documentPath.ts';
import { toVisible } from '../core/resource/editableObject.ts';
import { gvkOf } from '../core/resource/kubeObject.ts';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import { printApiVersion } from '../core/resource/gvk.ts';
import { type Snapshot, toResourceVersion, toSnapshot } from '../core/resource/snapshot.ts';
import { type BaseLedger, recordBase } from '../core/session/baseLedger.ts';
import type { SessionStart } from '../core/session/sessionReducer.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderObject } from '../core/text/renderObject.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { ConnectionSwitch } from './connectionSwitch.ts';
import type { DocumentServices } from './documentServices.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveFiles } from './liveFileSystem.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { NamedVersion } from './namedVersion.ts';
import { OpenDocument } from './openDocument.ts';
import { describeReadFailure } from './readFailures.ts';
import { showSaveProgress } from './saveProgress.ts';
import { SaveReasons } from './saveReasons.ts';
import type { KeptSession } from './savedSessions.ts';

/** An object that is served without version or uid can be read only, and is not watched. */
interface FixedText {
  readonly kind: 'fixed';
  readonly content: Uint8Array;
}

type Opened = { readonly kind: 'live'; readonly document: OpenDocument } | FixedText;

/** What outlives the tab of a document: undo may bring its texts back. */
interface ClosedDocument {
  readonly uid: Snapshot['uid'];
  readonly ledger: BaseLedger;
  readonly namedVersion: NamedVersion;
}

/** How many closed documents' bases are kept. */
const maxClosed = 32;

/** The open live documents: opens, restores and closes them as VS Code does with their files. */
export class DocumentStore implements LiveDocuments, LiveFiles, vscode.Disposable {
  readonly #clusters: ClustersPort;
  readonly #services: DocumentServices;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #documents = new Map<string, OpenDocument>();
  readonly #connections = new Map<string, ConnectionSwitch>();
  /** The best known schema of each, as yet without what the settings make of it. */
  readonly #schemas = new WeakMap<OpenDocument, MergeSchema>();
  readonly #closed = new Map<string, ClosedDocument>();
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
        if (focused) this.#checkMissingRights();
      }),
      window.onDidChangeActiveTextEditor(() => {
        this.#checkMissingRights();
      }),
      clusters.onDidChange(() => {
        this.#reconnect();
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
    return await this.#track(uri, this.#openFresh(uri));
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

  async #openFresh(uri: vscode.Uri): Promise<Opened> {
    const { address, connection, type } = await this.#connect(uri);
    const object = await this.#readObject(address.ref, connection);
    const traits = traitsOf(type);
    const content = renderObject(toVisible(object, traits));
    const opened = toSnapshot(object);
    if (opened === undefined) return { kind: 'fixed', content: new TextEncoder().encode(content) };
    const closed = this.#closed.get(uri.path);
    this.#closed.delete(uri.path);
    const isSame = closed?.uid === opened.uid;
    const document = this.#adopt(uri, address, connection, type, {
      content,
      opened,
      ...(isSame
        ? {
            namedVersion: closed.namedVersion,
            ledger: recordBase(closed.ledger, opened, traits),
            named: opened.resourceVersion,
          }
        : {}),
    });
    this.#findDraft(document).catch(this.#services.reportError);
    return { kind: 'live', document };
  }

  /** Tells of a text that an earlier window had not saved, where this one does not show it. */
  async #findDraft(document: OpenDocument): Promise<void> {
    const kept = await this.#services.savedSessions.load(document.uri);
    if (kept?.kind !== 'whole' || kept.draft === undefined || kept.draft.text === document.text) return;
    this.#services.draftFound(document, kept);
  }

  /** Takes up a document that VS Code has restored with unsaved text. */
  async #restore(uri: vscode.Uri, text: string): Promise<Opened> {
    const kept = await this.#services.savedSessions.load(uri);
    if (kept?.kind === 'whole') return this.#restoreWhole(uri, text, kept);
    const { address, connection, type } = await this.#connect(uri);
    const object = await this.#readObject(address.ref, connection);
    const opened = toSnapshot(object);
    if (opened === undefined)
      throw new Error('The server holds this object without a version: it cannot be saved.');
    const isUnchanged = kept?.named === opened.resourceVersion && kept.uid === opened.uid;
    const named = kept?.named ?? versionIn(text) ?? opened.resourceVersion;
    const document = this.#adopt(uri, address, connection, type, {
      content: renderObject(toVisible(object, traitsOf(type))),
      opened,
      // Without a base, the save is refused until the user has compared (design.md section 2).
      ledger: isUnchanged ? recordBase(new Map(), opened, traitsOf(type)) : new Map(),
      named,
      text,
    });
    return { kind: 'live', document };
  }

  /** Goes on from what was kept, whether the cluster can be reached or not (issue case I4). */
  #restoreWhole(uri: vscode.Uri, text: string, kept: KeptSession & { kind: 'whole' }): Opened {
    const { address, connection } = this.#connectOnly(uri);
    const { live, traits } = kept;
    const document = this.#adopt(uri, address, connection, undefined, {
      content: renderObject(toVisible(live.object, traits)),
      opened: live,
      ledger: new Map([[kept.named, kept.base]]),
      named: kept.named,
      text,
      traits,
    });
    document.runner.refresh().catch(this.#services.reportError);
    // VS Code's backup may be older than ours.
    if (kept.draft !== undefined && kept.draft.text !== text) this.#services.draftFound(document, kept);
    return { kind: 'live', document };
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
      this.#track(uri, this.#restore(uri, shown.getText())));
    if (opened.kind === 'fixed') {
      throw vscode.FileSystemError.NoPermissions(
        'The server holds this object without a version: it cannot be saved.',
      );
    }
    opened.document.documentOpened(shown);
    return opened.document;
  }

  #adopt(
    uri: vscode.Uri,
    address: DocumentAddress,
    connection: ConnectionSwitch,
    type: ResourceType | undefined,
    from: {
      readonly content: string;
      readonly opened: Snapshot;
      readonly ledger?: BaseLedger;
      readonly named?: Snapshot['resourceVersion'];
      readonly namedVersion?: NamedVersion;
      readonly text?: string;
      readonly traits?: SessionStart['traits'];
    },
  ): OpenDocument {
    const { ledger, named, namedVersion, text } = from;
    const gvk = type?.gvk ?? gvkOf(from.opened.object) ?? { group: '', version: '', kind: '' };
    const schema = builtinSchema(gvk);
    const document = new OpenDocument({
      uri,
      address,
      cluster: connection.port,
      services: this.#services,
      content: from.content,
      start: {
        ref: address.ref,
        traits: from.traits ?? traitsOf(type),
        schema: this.#withSettings(schema),
        opened: from.opened,
        reviewsForeignChanges: this.#services.settings.reviewsForeignChanges,
        ...(ledger === undefined || named === undefined ? {} : { restored: { ledger, named } }),
      },
      ...(namedVersion === undefined ? {} : { namedVersion }),
      ...(text === undefined || named === undefined ? {} : { restored: { text, named } }),
      ...(type === undefined || type.verbs.includes('update')
        ? {}
        : { fixedReadOnlyReason: `The server offers no update of ${type.gvk.kind}.` }),
      fileChanged: (change) => {
        this.#fileChanged.fire([{ type: change, uri }]);
      },
      stateChanged: () => {
        this.#stateChanged.fire(uri);
      },
    });
    this.#documents.set(uri.path, document);
    this.#connections.set(uri.path, connection);
    this.#schemas.set(document, schema);
    this.#applySettings(document);
    document.runner.start();
    showSaveProgress(document);
    this.#loadSchema(document, connection, gvk).catch(this.#services.reportError);
    this.#checkRights(document, connection).catch(this.#services.reportError);
    this.#stateChanged.fire(uri);
    return document;
  }

  async #loadSchema(
    document: OpenDocument,
    connection: ConnectionSwitch,
    gvk: ResourceType['gvk'],
  ): Promise<void> {
    const outcome = await connection.port.openApi(printApiVersion(gvk), this.#lifetime.signal);
    if (outcome.kind !== 'ok') return;
    const schema = schemaFromOpenApi(outcome.value, gvk);
    if (schema === undefined) return;
    this.#schemas.set(document, schema);
    this.#applySchema(document);
  }

  async #checkRights(document: OpenDocument, connection: ConnectionSwitch): Promise<void> {
    const outcome = await connection.port.isAllowed(document.ref, 'update', this.#lifetime.signal);
    if (outcome.kind !== 'ok') return;
    if (outcome.value) {
      if (document.isMissingRight) document.setMissingRight(undefined);
      return;
    }
    document.setMissingRight(`You are not allowed to update this object in ${document.ref.context}.`);
  }

  /** Rights may have been given since: a document that may be written again shall not stay locked (issue case I6). */
  #checkMissingRights(): void {
    for (const [path, document] of this.#documents) {
      const connection = this.#connections.get(path);
      if (!document.isMissingRight || connection === undefined) continue;
      this.#checkRights(document, connection).catch(this.#services.reportError);
    }
  }

  #applySettings(document: OpenDocument): void {
    const { reviewsForeignChanges } = this.#services.settings;
    document.runner.dispatch({ kind: 'reviewSettingChanged', reviewsForeignChanges });
    document.updateReadOnly();
    const { mergesNamedLists } = this.#services.settings;
    if ((document.runner.state.schema !== this.#schemas.get(document)) !== mergesNamedLists) {
      this.#applySchema(document);
    }
  }

  #applySchema(document: OpenDocument): void {
    const schema = this.#withSettings(this.#schemas.get(document) ?? noSchema);
    document.runner.dispatch({ kind: 'schemaLoaded', schema });
  }

  #withSettings(schema: MergeSchema): MergeSchema {
    return this.#services.settings.mergesNamedLists ? withNamedLists(schema) : schema;
  }

  /** Keeps each document on the cluster that it was opened from, whatever the kubeconfig says by now. */
  #reconnect(): void {
    for (const [path, document] of this.#documents) {
      const { clusterId, ref } = document.address;
      const entry = this.#clusters.view.contexts.find(({ name }) => name === ref.context);
      if (entry === undefined) continue;
      if (entry.clusterId !== clusterId) {
        document.setConnectionProblem(movedMessage(ref.context, entry.server));
        continue;
      }
      const connection = this.#clusters.connect(ref.context);
      if (connection !== undefined) this.#connections.get(path)?.use(connection);
      document.setConnectionProblem(undefined);
      document.runner.retryWatch();
    }
  }

  #connectOnly(uri: vscode.Uri): { address: DocumentAddress; connection: ConnectionSwitch } {
    const address = parseDocumentPath(uri.path);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const connection = this.#clusters.connect(address.ref.context);
    if (connection === undefined) {
      throw new Error(
        `The kubeconfig has no context ${address.ref.context} now. Choose the kubeconfig that has it, then try again.`,
      );
    }
    const { clusterId, server, problem } = connection.context;
    if (clusterId !== address.clusterId) throw new Error(movedMessage(address.ref.context, server));
    if (problem !== undefined) throw new Error(`Context ${address.ref.context} cannot be used: ${problem}`);
    return { address, connection: new ConnectionSwitch(connection) };
  }

  async #connect(
    uri: vscode.Uri,
  ): Promise<{ address: DocumentAddress; connection: ConnectionSwitch; type: ResourceType }> {
    const { address, connection } = this.#connectOnly(uri);
    const { gvr } = address.ref;
    const find = async (refresh: boolean): Promise<ResourceType | undefined> => {
      const outcome = await connection.port.discover(this.#lifetime.signal, { refresh });
      const { types } = orThrow(outcome, `Cannot find out what ${address.ref.context} serves`);
      return types.find(
        (type) =>
          type.gvr.resource === gvr.resource &&
          type.gvr.group === gvr.group &&
          type.gvr.version === gvr.version,
      );
    };
    const type = (await find(false)) ?? (await find(true));
    if (type === undefined) {
      throw new Error(`${address.ref.context} serves no ${gvr.resource} in ${printApiVersion(gvr)}.`);
    }
    return { address, connection, type };
  }

  async #readObject(ref: ResourceRef, connection: ConnectionSwitch): Promise<JsonObject> {
    const outcome = await connection.port.get(ref, this.#lifetime.signal);
    return orThrow(outcome, `Cannot open ${ref.name}`);
  }

  #documentOpened(document: vscode.TextDocument): void {
    if (!isOurs(document.uri)) return;
    const { uri } = document;
    const opening =
      this.#opened.get(uri.path) ??
      (document.isDirty ? this.#track(uri, this.#restore(uri, document.getText())) : undefined);
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
      this.#closed.delete(path);
      this.#closed.set(path, { uid, ledger, namedVersion: open.namedVersion });
      for (const oldest of this.#closed.keys()) {
        if (this.#closed.size <= maxClosed) break;
        this.#closed.delete(oldest);
      }
      open.forgetSession();
      open.dispose();
      this.#stateChanged.fire(document.uri);
    });
  }
}

/** The version that a text names, trusted or not. */
function versionIn(text: string): Snapshot['resourceVersion'] | undefined {
  const read = readDocument(text);
  return read.kind === 'ok'
    ? toResourceVersion(memberAt(read.value, 'metadata', 'resourceVersion'))
    : undefined;
}

function isOurs(uri: vscode.Uri): boolean {
  return uri.scheme === documentScheme;
}

function traitsOf(type: ResourceType | undefined): SessionStart['traits'] {
  return { hasStatusSubresource: type?.subresources.includes('status') ?? false };
}

function orThrow<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.kind === 'ok') return outcome.value;
  throw toFileSystemError(outcome, what);
}

/** The one place where a failed read becomes an error that VS Code shows. */
function toFileSystemError(failure: RequestFailure, what: string): Error {
  const message = `${what}: ${describeReadFailure(failure)}`;
  switch (failure.kind) {
    case 'notFound':
      return vscode.FileSystemError.FileNotFound(message);
    case 'forbidden':
    case 'unauthenticated':
      return vscode.FileSystemError.NoPermissions(message);
    default:
      return vscode.FileSystemError.Unavailable(message);
  }
}

function movedMessage(context: string, server: string): string {
  return (
    `Context ${context} now points to another cluster (${server}). This document stays on the one that it was ` +
    'opened from, and is not saved. Open the object again to work on the new one.'
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
