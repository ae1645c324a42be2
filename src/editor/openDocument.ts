import * as vscode from 'vscode';
import { type JsonObject, memberAt } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { toVisible, withVersion } from '../core/resource/editableObject.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import { gvkOf } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceVersion, Snapshot } from '../core/resource/snapshot.ts';
import type { Base } from '../core/session/baseLedger.ts';
import { type MineContext, type MineReading, readMine } from '../core/session/readMine.ts';
import { hideQuotedValues, isSecretResource } from '../core/merge/secretFields.ts';
import type { DryRunResult, SaveResult } from '../core/session/saveResult.ts';
import type { TextJobResult } from '../core/session/textWork.ts';
import type { SessionStart } from '../core/session/sessionReducer.ts';
import type { Mine } from '../core/session/sessionState.ts';
import type { SessionView } from '../core/session/sessionView.ts';
import { newestOf } from '../core/session/viewOf.ts';
import { type FieldPath, printFieldPath } from '../core/merge/fieldPath.ts';
import { planEdits } from '../core/text/planEdits.ts';
import { renderObject } from '../core/text/renderObject.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { causeProblems } from '../core/text/causeProblems.ts';
import { shiftRanges } from '../core/text/shiftRanges.ts';
import { applyEdits, differenceOf } from '../core/text/textEdit.ts';
import type { TextProblem } from '../core/text/textProblem.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import { AfterSaveWatch } from '../sync/afterSaveWatch.ts';
import { SessionRunner } from '../sync/sessionRunner.ts';
import { type FieldPlace, findField, toPlace } from './fieldPlaces.ts';
import { DocumentMerge } from './documentMerge.ts';
import type { DocumentServices } from './documentServices.ts';
import type { AcceptOutcome, LiveDocument, MergeInputs } from './liveDocuments.ts';
import { type UndoOutcome, undoSave } from './undoSave.ts';
import { NamedVersion, type TextCause } from './namedVersion.ts';
import { describeOverturned, describeSaveResult, printNotice } from './notices.ts';
import type { KeptSession } from './savedSessions.ts';

/** A text of this many UTF-16 units is read on another thread, and only when typing pauses. */
const largeText = 100_000;
const readPauseMs = 200;

/** How long a reload by VS Code is waited for, in ms. */
const followWaitMs = 3000;

/**
 * How soon after an edit the text is on disk, in ms. VS Code's own backup waits for a pause in the typing, of 2.5 s in
 * a browser; a large text is left to it for longer.
 */
const draftPauseMs = 300;
const largeDraftPauseMs = 3000;

export interface OpenDocumentOptions {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  readonly cluster: ClusterPort;
  readonly start: SessionStart;
  /** What VS Code is given to show. It names `start.opened`. */
  readonly content: string;
  /** The text that VS Code has restored after a reload, and what knows which version it names. */
  readonly restored?: { readonly text: string; readonly named: ResourceVersion };
  /** What an earlier document of this object knew of its texts. */
  readonly namedVersion?: NamedVersion;
  /** Why the server offers no update of this object, where it does not. */
  readonly fixedReadOnlyReason?: string;
  readonly services: DocumentServices;
  /** Tells VS Code that the file looks different now. */
  readonly fileChanged: (type: vscode.FileChangeType) => void;
  readonly stateChanged: () => void;
}

/**
 * One open live object: what VS Code sees as a file, and what the views see as a {@link LiveDocument}.
 * Joins the text of the editor with the session's runner; everything else is derived from those two.
 */
export class OpenDocument implements LiveDocument, Disposable {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  readonly runner: SessionRunner;
  readonly #options: OpenDocumentOptions;
  readonly #named: NamedVersion;
  readonly #merge: DocumentMerge;
  readonly #afterSave: AfterSaveWatch;
  /** The file's content: what VS Code was last given, or last wrote. */
  #content: string;
  #contentVersion: ResourceVersion;
  #mtime: number;
  /** The editor's text; the content while no editor has it. */
  #text: string;
  #textVersion = 0;
  #isEditorDirty = false;
  /** The user typed while a save was under way: VS Code shows the tab dirty and says it is not. */
  #isTypedSinceSave = false;
  /** What was last written, while VS Code has not said that the save is complete. */
  #written: string | undefined;
  /** The editor's text has still to take the response to a save. */
  #isResponseDue = false;
  /** What was last handed over; VS Code takes it where it holds the document for clean. */
  #offered: string | undefined;
  #localProblems: readonly TextProblem[] = [];
  #serverProblems: readonly TextProblem[] = [];
  #ownEdit: { readonly text: string; readonly named: ResourceVersion } | undefined;
  #pendingRead: Disposable | undefined;
  /** Of a large text: where marked fields stand, by printed path. */
  #places: ReadonlyMap<string, FieldPlace | undefined> = new Map();
  /** Text jobs under way. */
  #jobs = 0;
  #isDisposed = false;
  #lastResult: SaveResult | undefined;
  /** Why the server would refuse a write, as far as it said; asked anew before each save. */
  #missingRight: string | undefined;
  #connectionProblem: string | undefined;
  #wasDeleted = false;
  #wasReadOnly = false;
  /** What is on disk for this document, where anything is. */
  #kept: { readonly base: Base; readonly text: string } | undefined;
  #pendingDraft: Disposable | undefined;

  constructor(options: OpenDocumentOptions) {
    this.#options = options;
    this.uri = options.uri;
    this.address = options.address;
    this.#content = options.content;
    this.#text = options.restored?.text ?? options.content;
    this.#mtime = options.services.clock.now();
    this.runner = new SessionRunner({
      cluster: options.cluster,
      clock: options.services.clock,
      start: options.start,
      review: (request) => options.services.review(this, request),
      askConsent: (signal) =>
        options.services.consents.ask({ action: 'save', ref: this.ref, object: this.liveObject }, signal),
      follow: (snapshot) => {
        this.#offer(snapshot);
      },
      onError: options.services.reportError,
    });
    this.#contentVersion = options.start.opened.resourceVersion;
    this.#named = options.namedVersion ?? new NamedVersion();
    this.#named.take(this.#content, 'ours', this.#contentVersion);
    if (options.restored !== undefined) this.#named.take(this.#text, 'ours', options.restored.named);
    this.#merge = new DocumentMerge(this);
    const { clock, notify } = options.services;
    this.#afterSave = new AfterSaveWatch({
      runner: this.runner,
      clock,
      onOverturned: (fields) => {
        const { ref, liveObject } = this;
        notify(describeOverturned(fields, { ref, uri: this.uri.toString(), nowMs: clock.now(), liveObject }));
      },
    });
    this.runner.onDidChange(() => {
      this.#stateChanged();
    });
  }

  get ref(): ResourceRef {
    return this.address.ref;
  }

  get cluster(): ClusterPort {
    return this.#options.cluster;
  }

  get view(): SessionView {
    return this.runner.view;
  }

  get text(): string {
    return this.#text;
  }

  /** Counts the editor's changes, as `TextDocument.version` does. */
  get textVersion(): number {
    return this.#textVersion;
  }

  get problems(): readonly TextProblem[] {
    return [...this.#localProblems, ...this.#serverProblems];
  }

  get liveObject(): JsonObject | undefined {
    const { live } = this.runner.state;
    return live.kind === 'deleted' ? undefined : live.snapshot.object;
  }

  get protectedReason(): string | undefined {
    return this.#options.services.settings.protectedReason(this.ref.context);
  }

  get lastResult(): SaveResult | undefined {
    return this.#lastResult;
  }

  /** Knows which version each text of this document named. */
  get namedVersion(): NamedVersion {
    return this.#named;
  }

  /** What the text must agree with to be read. */
  get mineContext(): MineContext {
    const { state } = this.runner;
    const { name, namespace } = this.ref;
    const gvk = gvkOf(newestOf(state.live).object) ?? { group: '', version: '', kind: '' };
    return {
      gvk,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: state.uid,
      named: this.#named.current,
      traits: state.traits,
      schema: state.schema,
    };
  }

  stat(): vscode.FileStat {
    if (this.view.phase === 'deleted') throw vscode.FileSystemError.FileNotFound(this.uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#mtime,
      // Constant, so that VS Code's own check never comes between the user and ours (issue case I1).
      size: 1,
      ...(this.#isLocked ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  read(): Uint8Array {
    return new TextEncoder().encode(this.#content);
  }

  /**
   * Saves what VS Code wants to write.
   *
   * @throws Error with a nameless message of ours where the text was not taken: it stays dirty. FileSystemError
   *   for a text that the editor never held: what it changes could not be told from what the editor's text lacks
   */
  async write(content: Uint8Array, isAutoSave: boolean): Promise<void> {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
    const named = this.#named.of(text);
    if (named === undefined) {
      throw vscode.FileSystemError.NoPermissions(
        'This file is a live object that is open in an editor. Change the text there and save it: ' +
          'another text is not written past it.',
      );
    }
    const result: SaveResult = isAutoSave ? { kind: 'autoSave' } : await this.#save(text, named);
    this.#lastResult = result;
    const notice = describeSaveResult(result, {
      ref: this.ref,
      uri: this.uri.toString(),
      nowMs: this.#options.services.clock.now(),
      liveObject: this.liveObject,
      foreign: this.view.foreign,
    });
    if (result.kind !== 'committed' && result.kind !== 'unchanged') {
      const error = new Error(printNotice(notice));
      // VS Code prints the name before the message; without one, only our words are shown.
      error.name = '';
      throw error;
    }
    this.#content = text;
    this.#contentVersion = named;
    if (result.kind === 'committed') this.#isResponseDue = true;
    this.#touch();
    if (this.#isDirty) this.#written = text;
    // Written past a clean editor, which is to show it.
    else if (text !== this.#text) this.#announce();
    this.#options.services.notify(notice);
    if (result.kind !== 'committed') return;
    this.#keepChange(result.before, result.response);
    this.#afterSave.begin(result);
  }

  /** Asks the server what it would make of a save of the text as it is. Nothing is written. */
  async dryRun(): Promise<DryRunResult> {
    const named = this.#named.current;
    const mine = this.#readForWrite(this.#text, named);
    if (mine.kind === 'invalid') return { kind: 'invalidText', problems: mine.problems };
    const result = await this.runner.dryRun(mine.object, named);
    if (result.kind === 'rejected') this.#placeRejection(result);
    return result;
  }

  /** Follows the editor's document. */
  documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    for (const { rangeOffset, rangeLength, text } of contentChanges) {
      const edit = { offset: rangeOffset, length: rangeLength, newText: text };
      this.#serverProblems = shiftRanges(this.#serverProblems, edit);
    }
    // A change of line endings brings no content changes.
    const isTextChange = contentChanges.length > 0 || document.getText() !== this.#text;
    this.#adopt(document, isTextChange ? this.#causeOf(document.getText(), reason) : undefined);
    // A change of the text is told before what it makes of the document, dirty or clean.
    if (!isTextChange && this.#written === undefined) this.#showNewest();
  }

  /** Takes up a document that VS Code has opened or restored. */
  documentOpened(document: vscode.TextDocument): void {
    this.#adopt(document, undefined);
  }

  /** Follows a save that VS Code has completed: now the text can take what the server made of it. */
  documentSaved(document: vscode.TextDocument): void {
    this.#isTypedSinceSave = this.#written !== undefined && document.getText() !== this.#written;
    this.#written = undefined;
    this.#adopt(document, undefined);
    this.#showNewest();
  }

  /** Puts a text that names this version into the editor, as one undoable edit. */
  async replaceText(text: string, snapshot: Snapshot): Promise<boolean> {
    this.runner.dispatch({ kind: 'baseOffered', snapshot });
    return await this.editText(text, snapshot.resourceVersion);
  }

  /** Puts a text into the editor, as one undoable edit; it names `named`, by our own hand. */
  async editText(text: string, named: ResourceVersion = this.#named.current): Promise<boolean> {
    // No await before the edit where the document is open: what is typed meanwhile is not in `text`.
    const key = this.uri.toString();
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    const document = open ?? (await vscode.workspace.openTextDocument(this.uri));
    const current = document.getText();
    if (current === text) return true;
    this.#ownEdit = { text, named };
    const edit = new vscode.WorkspaceEdit();
    const { offset, length, newText } = differenceOf(current, text);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    edit.replace(this.uri, range, newText);
    const isApplied = await vscode.workspace.applyEdit(edit);
    this.#ownEdit = undefined;
    return isApplied;
  }

  /** Says why the server would refuse a write; undefined where it would not. */
  setMissingRight(reason: string | undefined): void {
    this.#missingRight = reason;
    this.updateReadOnly();
  }

  /** The server was said to refuse writes; by now it may not. */
  get isMissingRight(): boolean {
    return this.#missingRight !== undefined;
  }

  /** Says why the cluster that the document was opened from is out of reach for good; undefined where it is not. */
  setConnectionProblem(problem: string | undefined): void {
    this.#connectionProblem = problem;
    this.updateReadOnly();
  }

  /** Derives anew whether the document may be written. */
  updateReadOnly(): void {
    const { settings } = this.#options.services;
    const reason =
      this.#connectionProblem ??
      settings.readOnlyReason(this.ref.context) ??
      this.#options.fixedReadOnlyReason ??
      this.#mirrorReason ??
      this.#missingRight;
    if (reason !== this.view.readOnlyReason) this.runner.dispatch({ kind: 'readOnlyChanged', reason });
  }

  /** The text of what the editor's text grew from; undefined where that is no longer known. */
  baseText(): string | undefined {
    const { state } = this.runner;
    const base = state.ledger.get(state.named);
    return base && renderObject(withVersion(base.object, { resourceVersion: state.named, uid: state.uid }));
  }

  liveText(): string | undefined {
    return this.#merge.liveText();
  }

  mergeInputs(): MergeInputs | undefined {
    return this.#merge.inputs();
  }

  acceptMerge(inputs: MergeInputs, resultText: string): Promise<AcceptOutcome> {
    return this.#merge.accept(inputs, resultText);
  }

  setMerging(isMerging: boolean): void {
    this.runner.dispatch({ kind: 'mergingChanged', isMerging });
  }

  resolve(side: 'mine' | 'live', path?: string): Promise<boolean> {
    return this.#merge.resolve(side, path);
  }

  /** A text made to hold this version's object, by the fewest edits. */
  textFor(text: string, snapshot: Snapshot): string {
    const { traits, schema } = this.runner.state;
    return applyEdits(text, planEdits(text, toVisible(snapshot.object, traits), { schema }));
  }

  findField(text: string, path: FieldPath): FieldPlace | undefined {
    return text.length < largeText ? findField(text, path) : this.#places.get(printFieldPath(path));
  }

  /** Waits until a text without unsaved changes has taken what live holds: VS Code reloads it by and by. */
  untilFollowed(): Promise<void> {
    const { runner } = this;
    const isBehind = (): boolean => !this.view.isDirty && this.view.phase === 'stale';
    if (!isBehind()) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        subscription.dispose();
        timer.dispose();
        resolve();
      };
      const subscription = runner.onDidChange(() => {
        if (!isBehind()) finish();
      });
      const timer = this.#options.services.clock.schedule(followWaitMs, finish);
    });
  }

  savedObject(): JsonObject | undefined {
    return this.#lastResult?.kind === 'committed' ? this.#lastResult.response.object : undefined;
  }

  undoSave(change: { readonly before: string; readonly after: string }): Promise<UndoOutcome> {
    return undoSave(this, change);
  }

  showVersion(object: JsonObject): string {
    const { traits, schema } = this.runner.state;
    const visible = toVisible(object, traits);
    return readDocument(this.#text).kind === 'ok'
      ? applyEdits(this.#text, planEdits(this.#text, visible, { schema }))
      : renderObject(visible);
  }

  /** Puts a text back that an earlier window had not saved, as one undoable edit, with what it grew from. */
  async restoreDraft({ live, named, base, draft }: KeptSession & { kind: 'whole' }): Promise<void> {
    if (draft === undefined) return;
    const { state } = this.runner;
    if (live.uid === state.uid && !state.ledger.has(named)) {
      this.runner.dispatch({ kind: 'baseSettled', named, base });
    }
    await this.editText(draft.text, named);
  }

  /** Drops from disk what this document has put there. */
  forgetSession(): void {
    const { savedSessions, reportError } = this.#options.services;
    this.#pendingDraft?.dispose();
    this.#pendingDraft = undefined;
    // Another window may keep its own.
    if (this.#kept !== undefined) savedSessions.forget(this.uri).catch(reportError);
    this.#kept = undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pendingDraft?.dispose();
    this.#pendingRead?.dispose();
    this.#afterSave.dispose();
    this.runner.dispose();
  }

  /** Source: Kubernetes documentation, "Static Pods": the kubelet undoes what is changed of a mirror pod. */
  get #mirrorReason(): string | undefined {
    const { object } = newestOf(this.runner.state.live);
    const mirrored = memberAt(object, 'metadata', 'annotations', 'kubernetes.io/config.mirror');
    return this.ref.gvr.resource === 'pods' && mirrored !== undefined
      ? 'This is the mirror of a static pod: it is changed in the manifest on its node, and only there.'
      : undefined;
  }

  get #isLocked(): boolean {
    return this.view.readOnlyReason !== undefined && !this.view.isDirty;
  }

  get #isDirty(): boolean {
    return this.#isEditorDirty || this.#isTypedSinceSave;
  }

  async #save(text: string, named: ResourceVersion): Promise<SaveResult> {
    // Rights may have changed since the server last spoke of them: it is the one to say so.
    if (this.#missingRight !== undefined) this.setMissingRight(undefined);
    const mine = this.#readForWrite(text, named);
    if (mine.kind === 'invalid') return { kind: 'invalidText', problems: mine.problems };
    const result = await this.runner.save(mine.object, named);
    if (result.kind === 'rejected') this.#placeRejection(result);
    if (result.kind === 'forbidden') this.setMissingRight(result.message);
    return result;
  }

  /** Reads a text that is to be sent; what the server said of an earlier one is over. */
  #readForWrite(text: string, named: ResourceVersion): MineReading {
    const reading = readMine(text, { ...this.mineContext, named });
    if (reading.kind === 'invalid') this.#localProblems = reading.problems;
    else this.#serverProblems = [];
    this.#options.stateChanged();
    return reading;
  }

  /** Shows what the server refused on what the editor holds by now, which may be more than what was sent. */
  #placeRejection({ causes, message }: Extract<SaveResult, { kind: 'rejected' }>): void {
    const problems = causeProblems(this.#text, causes, message);
    this.#serverProblems = isSecretResource(this.ref.gvr)
      ? problems.map((problem) => ({ ...problem, message: hideQuotedValues(problem.message) }))
      : problems;
    this.#options.stateChanged();
  }

  #causeOf(text: string, reason: vscode.TextDocumentChangeReason | undefined): TextCause {
    if (text === this.#content || text === this.#ownEdit?.text) return 'ours';
    return reason === undefined ? 'typed' : 'undoRedo';
  }

  #adopt(document: vscode.TextDocument, cause: TextCause | undefined): void {
    this.#text = document.getText();
    this.#textVersion = document.version;
    this.#isEditorDirty = document.isDirty;
    if (document.isDirty || this.#text === this.#content) this.#isTypedSinceSave = false;
    if (cause !== undefined) {
      const ours = this.#text === this.#ownEdit?.text ? this.#ownEdit.named : this.#contentVersion;
      this.#named.take(this.#text, cause, cause === 'ours' ? ours : undefined);
    }
    if (this.#text === this.#offered) this.#isResponseDue = false;
    this.#pendingRead?.dispose();
    this.#pendingRead = undefined;
    if (this.#text.length < largeText) {
      this.#tellText(this.#takeReading(readMine(this.#text, this.mineContext)));
      return;
    }
    this.#tellText(this.runner.state.mine);
    this.#readAside(cause === 'typed' ? readPauseMs : 0);
  }

  #takeReading(reading: MineReading): Mine {
    this.#localProblems = reading.kind === 'read' ? reading.warnings : reading.problems;
    return reading.kind === 'read' ? { kind: 'read', object: reading.object } : { kind: 'unreadable' };
  }

  /** Reads a large text on another thread, once typing pauses. */
  #readAside(pauseMs: number): void {
    this.#pendingRead?.dispose();
    this.#pendingRead = this.#options.services.clock.schedule(pauseMs, () => {
      this.#pendingRead = undefined;
      this.#runTextJob().catch(this.#options.services.reportError);
    });
  }

  /** What the answer says of an older text is dropped: the newer one has a job of its own. */
  async #runTextJob(): Promise<void> {
    const [text, named] = [this.#text, this.#named.current];
    const { schema: _local, ...context } = this.mineContext;
    const paths = this.#shownPaths();
    this.#jobs++;
    const answer = await this.#options.services.textReader
      .read({ text, context, paths })
      .catch((error: unknown): TextJobResult => {
        this.#options.services.reportError(error);
        return { reading: readMine(text, this.mineContext), places: [] };
      });
    this.#jobs--;
    if (this.#isDisposed || text !== this.#text || named !== this.#named.current) return;
    this.#places = new Map(
      paths.map((path, index) => [printFieldPath(path), toPlace(answer.places[index])] as const),
    );
    this.#tellText(this.#takeReading(answer.reading));
    this.#options.stateChanged();
  }

  /** The fields that marks stand at. */
  #shownPaths(): readonly FieldPath[] {
    return [...this.view.conflicts, ...this.view.foreign].map(({ path }) => path);
  }

  #tellText(mine: Mine): void {
    const isDirty = this.#isDirty;
    this.runner.dispatch({ kind: 'textChanged', mine, named: this.#named.current, isDirty });
    this.#keepSession(isDirty);
  }

  #keepChange(before: Snapshot, after: Snapshot): void {
    const { clock, history, reportError } = this.#options.services;
    const print = ({ object }: Snapshot): string => renderObject(toVisible(object, this.runner.state.traits));
    const change = { atMs: clock.now(), before: print(before), after: print(after) };
    history.add(this.uri, this.ref, change).catch(reportError);
  }

  /** A dirty document can be restored by VS Code, or by us: its text and what that grew from must be there then. */
  #keepSession(isDirty: boolean): void {
    const { clock } = this.#options.services;
    const { state } = this.runner;
    if (!isDirty) {
      this.forgetSession();
      return;
    }
    const base = state.ledger.get(state.named);
    if (base === undefined || (this.#kept?.base === base && this.#kept.text === this.#text)) return;
    if (this.#kept?.base !== base) {
      this.#writeSession(base);
      return;
    }
    const pauseMs = this.#text.length < largeText ? draftPauseMs : largeDraftPauseMs;
    this.#pendingDraft ??= clock.schedule(pauseMs, () => {
      this.#pendingDraft = undefined;
      const current = this.runner.state.ledger.get(this.runner.state.named);
      if (current !== undefined && this.#isDirty) this.#writeSession(current);
    });
  }

  #writeSession(base: Base): void {
    const { savedSessions, clock, reportError } = this.#options.services;
    const { state } = this.runner;
    this.#kept = { base, text: this.#text };
    const live = state.live.kind === 'present' ? state.live.snapshot : state.live.last;
    const draft = { text: this.#text, atMs: clock.now() };
    savedSessions
      .save(this.uri, this.ref, { live, named: state.named, base, traits: state.traits, draft })
      .catch(reportError);
  }

  /** Hands VS Code the content that holds this version, for a clean document to reload. */
  #offer(snapshot: Snapshot): void {
    this.#content = this.textFor(this.#content, snapshot);
    this.#contentVersion = snapshot.resourceVersion;
    this.#offered = this.#content;
    this.#named.offer(this.#content, this.#contentVersion);
    if (this.#text === this.#offered) this.#isResponseDue = false;
    this.runner.dispatch({ kind: 'baseOffered', snapshot });
    this.#announce();
  }

  /** VS Code asks for no newer content by itself, neither after a save nor when undo has made a document clean. */
  #showNewest(): void {
    const { live } = this.runner.state;
    if (this.#isDirty) return;
    if (this.#isResponseDue && live.kind === 'present') this.#offer(live.snapshot);
    else if (this.#text !== this.#content) this.#announce();
  }

  #announce(): void {
    this.#touch();
    this.#options.fileChanged(vscode.FileChangeType.Changed);
  }

  #touch(): void {
    this.#mtime = Math.max(this.#mtime + 1, this.#options.services.clock.now());
  }

  #stateChanged(): void {
    const isDeleted = this.view.phase === 'deleted';
    if (isDeleted !== this.#wasDeleted) {
      this.#wasDeleted = isDeleted;
      this.#options.fileChanged(isDeleted ? vscode.FileChangeType.Deleted : vscode.FileChangeType.Created);
    }
    const isLocked = this.#isLocked;
    if (isLocked !== this.#wasReadOnly) {
      this.#wasReadOnly = isLocked;
      this.#options.fileChanged(vscode.FileChangeType.Changed);
    }
    if (this.#text.length >= largeText && this.#pendingRead === undefined && this.#jobs === 0)
      this.#placeMarks();
    this.#options.stateChanged();
  }

  /** Finds the marked fields of a large text that have no place yet. */
  #placeMarks(): void {
    const isPlaced = this.#shownPaths().every((path) => this.#places.has(printFieldPath(path)));
    if (!isPlaced) this.#readAside(0);
  }
}
