import * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { builtinSchema } from '../core/merge/builtinSchema.ts';
import { hideQuotedValues, isSecretResource } from '../core/merge/secretFields.ts';
import { noSchema } from '../core/merge/mergeSchema.ts';
import { toCreatable } from '../core/resource/editableObject.ts';
import { printApiVersion } from '../core/resource/gvk.ts';
import { gvkOf, metadataString } from '../core/resource/kubeObject.ts';
import { requiredFields } from '../core/resource/requiredFields.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { newObject, templateOf } from '../core/resource/templates.ts';
import { secretProblems } from '../core/session/secretProblems.ts';
import { causeProblems } from '../core/text/causeProblems.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderObject } from '../core/text/renderObject.ts';
import type { TextProblem } from '../core/text/textProblem.ts';
import { type CreateOutcome, createObject } from '../sync/createObject.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { findServedType } from './createCommands.ts';
import { describeCreateOutcome } from './createWords.ts';
import { DocumentConnections } from './documentConnections.ts';
import { isNewObjectUri, newScheme } from './documentUris.ts';
import type { LiveFiles } from './liveFileSystem.ts';
import { printNotice } from './notice.ts';
import type { Notifier } from './notifier.ts';
import { findText, toDiagnostic } from './problemDiagnostics.ts';
import { SaveReasons } from './saveReasons.ts';
import { allTabs, urisOf } from './tabs.ts';
import type { WriteConsents } from './writeConsents.ts';

export interface NewObjectDependencies {
  readonly clusters: ClustersPort;
  readonly consents: WriteConsents;
  readonly notifier: Notifier;
  readonly open: (ref: ResourceRef) => Promise<unknown>;
  readonly reportError: (error: unknown) => void;
}

interface NewText {
  readonly text: string;
  readonly mtime: number;
}

/**
 * Texts of objects that do not exist yet: files whose save creates the object, once. A text begins with a template;
 * nothing of it is anywhere but in the editor until then.
 */
export class NewObjects implements LiveFiles, vscode.Disposable {
  readonly #dependencies: NewObjectDependencies;
  readonly #connections: DocumentConnections;
  readonly #files = new Map<string, NewText>();
  /** Paths of texts whose object was created; they may be open still, with what was typed during the save. */
  readonly #created = new Set<string>();
  readonly #creations = new vscode.EventEmitter<vscode.Uri>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('kubemerge.new');
  readonly #saveReasons = new SaveReasons(newScheme);
  readonly #lifetime = new AbortController();
  readonly #owned: readonly Disposable[];

  readonly onDidChangeFile = this.#fileChanged.event;
  readonly onDidCreate = this.#creations.event;

  constructor(dependencies: NewObjectDependencies) {
    this.#dependencies = dependencies;
    this.#connections = new DocumentConnections(dependencies.clusters, this.#lifetime.signal);
    this.#owned = [
      this.#fileChanged,
      this.#creations,
      this.#diagnostics,
      this.#saveReasons,
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === newScheme) this.#show(document, checkText(document.getText()));
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== newScheme) return;
        this.#files.delete(uri.path);
        this.#created.delete(uri.path);
        this.#diagnostics.delete(uri);
      }),
    ];
  }

  isCreated(uri: vscode.Uri): boolean {
    return this.#created.has(uri.path);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime } = await this.#find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: 1 };
  }

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#find(uri)).text);
  }

  /** @throws Error with a nameless message of ours where nothing was created: the text stays unsaved */
  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
    if (!isNewObjectUri(uri) || tabsOf(uri).length === 0) {
      throw nameless(
        'Only a new object that is open in a tab is created, by a save there. To begin one, use “Create Object…”.',
      );
    }
    if (this.#saveReasons.takeIsAutoSave(uri)) {
      throw nameless('Auto-save creates nothing. Save to create the object.');
    }
    const ref = await this.#create(uri, text);
    this.#files.set(uri.path, { text, mtime: Date.now() });
    this.#created.add(uri.path);
    this.#creations.fire(uri);
    // Once VS Code has taken the save for done.
    setTimeout(() => {
      this.#replaceBy(uri, ref).catch(this.#dependencies.reportError);
    });
  }

  dispose(): void {
    this.#lifetime.abort();
    for (const owned of this.#owned) owned.dispose();
  }

  async #find(uri: vscode.Uri): Promise<NewText> {
    const known = this.#files.get(uri.path);
    if (known !== undefined) return known;
    if (!isNewObjectUri(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    const made = { text: await this.#template(uri), mtime: Date.now() };
    const raced = this.#files.get(uri.path) ?? made;
    this.#files.set(uri.path, raced);
    return raced;
  }

  /** What the type's template says, or else what its schema demands. */
  async #template(uri: vscode.Uri): Promise<string> {
    const { address, connection, type } = await this.#connections.connect(uri);
    const { ref } = address;
    let body: JsonObject | undefined = templateOf(ref.gvr.resource, ref.gvr.group, ref.name);
    if (body === undefined) {
      const served = await connection.port.openApi(printApiVersion(type.gvk), this.#lifetime.signal);
      if (served.kind === 'ok') body = requiredFields(served.value, type.gvk);
    }
    return renderObject(newObject(type.gvk, ref, body ?? { spec: {} }));
  }

  async #create(uri: vscode.Uri, text: string): Promise<ResourceRef> {
    const { consents, notifier } = this.#dependencies;
    const problems = checkText(text);
    const read = readDocument(text);
    const document = findText(uri);
    if (document !== undefined) this.#show(document, problems);
    const worst = problems.find(({ severity }) => severity === 'error');
    if (worst !== undefined || read.kind === 'invalid') {
      throw nameless(`Not created: ${worst?.message ?? 'the text has errors.'}`);
    }
    const { address, connection } = this.#connections.resolve(uri);
    const object = toCreatable(read.value);
    const type = await findServedType(connection.port, object);
    const { context } = address.ref;
    if (type === undefined) {
      throw nameless(`Not created: ${context} serves no such kind. Check apiVersion and kind.`);
    }
    const name = metadataString(object, 'name');
    if (name === undefined || name === '') throw nameless('Not created: the object has no name yet.');
    const namespace = metadataString(object, 'namespace') ?? address.ref.namespace;
    const ref: ResourceRef = {
      context,
      ...(type.isNamespaced && namespace !== undefined ? { namespace } : {}),
      gvr: type.gvr,
      name,
    };
    const consent = await consents.ask({ action: 'create', ref, object });
    if (consent === undefined) throw nameless('Not created: it was not confirmed.');
    const outcome = await createObject(connection.port, ref, object, consent, this.#lifetime.signal);
    const notice = describeCreateOutcome(outcome, ref, object);
    if (outcome.kind !== 'created') {
      if (document !== undefined) this.#show(document, [...problems, ...refusals(text, outcome, ref)]);
      throw nameless(printNotice(notifier.fit(notice)));
    }
    notifier.show(notice);
    return ref;
  }

  /** The live object takes the place of the text that it was made of. */
  async #replaceBy(uri: vscode.Uri, ref: ResourceRef): Promise<void> {
    await this.#dependencies.open(ref);
    const document = findText(uri);
    const tabs = tabsOf(uri);
    // What was typed during the save is not in the object: it stays.
    if (document?.isDirty !== true) await vscode.window.tabGroups.close(tabs);
  }

  #show(document: vscode.TextDocument, problems: readonly TextProblem[]): void {
    this.#diagnostics.set(
      document.uri,
      problems.map((problem) => toDiagnostic(problem, document)),
    );
  }
}

/** The tabs that show a text, alone or in a comparison. */
function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const key = uri.toString();
  return allTabs().filter((tab) => urisOf(tab).some((shown) => shown.toString() === key));
}

function checkText(text: string): readonly TextProblem[] {
  const untyped = readDocument(text);
  if (untyped.kind === 'invalid') return untyped.problems;
  const gvk = gvkOf(untyped.value);
  const schema = gvk === undefined ? noSchema : builtinSchema(gvk);
  const read = readDocument(text, schema);
  if (read.kind === 'invalid') return read.problems;
  return [...read.warnings, ...secretProblems(text, read.value, { schema })];
}

/** What the server refused, at its place. */
function refusals(
  text: string,
  outcome: Exclude<CreateOutcome, { readonly kind: 'created' }>,
  { gvr }: ResourceRef,
): readonly TextProblem[] {
  if (outcome.kind !== 'rejected') return [];
  const problems = causeProblems(text, outcome.causes, outcome.message);
  return isSecretResource(gvr)
    ? problems.map((problem) => ({ ...problem, message: hideQuotedValues(problem.message) }))
    : problems;
}

/** VS Code prints an error's name before its message; without one, only our words are shown. */
function nameless(message: string): Error {
  const error = new Error(message);
  error.name = '';
  return error;
}
