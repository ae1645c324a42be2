import * as vscode from 'vscode';
import { jsonEqual, type JsonObject } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import { foldStringData, toEditable, toVisible, withVersion } from '../core/resource/editableObject.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import { gvkOf } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceVersion, Snapshot } from '../core/resource/snapshot.ts';
import { type MineContext, type MineReading, readMine } from '../core/session/readMine.ts';
import { hideQuotedValues, isSecretResource } from '../core/merge/secretFields.ts';
import type { DryRunResult, ReviewRequest, SaveResult } from '../core/session/saveResult.ts';
import type { SessionStart } from '../core/session/sessionReducer.ts';
import type { Mine } from '../core/session/sessionState.ts';
import type { SessionView } from '../core/session/sessionView.ts';
import { newestOf } from '../core/session/viewOf.ts';
import type { FieldPath } from '../core/merge/fieldPath.ts';
import { renderObject } from '../core/text/renderObject.ts';
import { editSpelled, renderSpelled, type SecretSpelling } from '../core/text/secretText.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { causeProblems } from '../core/text/causeProblems.ts';
import { shiftProblems } from '../core/text/shiftRanges.ts';
import type { TextProblem } from '../core/text/textProblem.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import { AfterSaveWatch } from '../sync/afterSaveWatch.ts';
import { SessionRunner } from '../sync/sessionRunner.ts';
import type { FieldPlace } from './fieldPlaces.ts';
import { DocumentMerge } from './documentMerge.ts';
import { DraftKeeper } from './draftKeeper.ts';
import { replaceDocumentText } from './replaceDocumentText.ts';
import { TextAnalysis } from './textAnalysis.ts';
import { WriteAccess } from './writeAccess.ts';
import type { DocumentServices } from './documentServices.ts';
import type { AcceptOutcome, LiveDocument, MergeInputs } from './liveDocuments.ts';
import { type UndoOutcome, undoSave } from './undoSave.ts';
import { NamedVersion, type TextCause } from './namedVersion.ts';
import { describeOverturned, describeSaveResult } from './notices.ts';
import { printNotice } from './notice.ts';
import type { KeptSession } from './savedSessions.ts';

/** How long a reload by VS Code is waited for, in ms. */
const followWaitMs = 3000;

export interface OpenDocumentOptions {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  readonly cluster: ClusterPort;
  readonly start: SessionStart;
  /** What VS Code is given to show. It names `start.opened`. */
  readonly content: string;
  /** The text that VS Code has restored after a reload, and what knows which version it names. */
  readonly restored?: { readonly text: string; readonly named: ResourceVersion };
  /** How the texts write values of a Secret. */
  readonly spelling: SecretSpelling;
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
  readonly #analysis: TextAnalysis;
  readonly #drafts: DraftKeeper;
  readonly access: WriteAccess;
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
  #lastResult: SaveResult | undefined;
  /** The text that a save under way is meant for, where a command began it. */
  #meant: string | undefined;
  #spelling: SecretSpelling;
  #wasDeleted = false;
  #wasReadOnly = false;

  constructor(options: OpenDocumentOptions) {
    this.#options = options;
    this.uri = options.uri;
    this.address = options.address;
    this.#content = options.content;
    this.#spelling = options.spelling;
    this.#text = options.restored?.text ?? options.content;
    this.#mtime = options.services.clock.now();
    this.runner = new SessionRunner({
      cluster: options.cluster,
      clock: options.services.clock,
      start: options.start,
      review: (request) => options.services.review(this, request),
      askConsent: (question) => options.services.consents.askSave(this, options.cluster, question),
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
    const { services } = options;
    const { clock, notify } = services;
    this.#analysis = new TextAnalysis({
      services,
      text: () => this.#text,
      context: () => this.mineContext,
      marks: () => [...this.view.conflicts, ...this.view.foreign].map(({ path }) => path),
      onRead: (reading) => {
        this.#tellText(this.#takeReading(reading));
        options.stateChanged();
      },
    });
    this.#drafts = new DraftKeeper({
      uri: options.uri,
      ref: this.ref,
      runner: this.runner,
      spelling: () => this.#spelling,
      services,
    });
    this.access = new WriteAccess({
      ref: this.ref,
      runner: this.runner,
      settings: services.settings,
      ...(options.fixedReadOnlyReason === undefined ? {} : { fixedReason: options.fixedReadOnlyReason }),
    });
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
    const base = state.ledger.get(this.#named.current);
    return {
      gvk,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: state.uid,
      named: this.#named.current,
      traits: state.traits,
      schema: state.schema,
      ...(base !== undefined && isSecretResource(this.ref.gvr) ? { base: base.object } : {}),
    };
  }

  stat(): vscode.FileStat {
    // VS Code looks once more to complete a save, which may have been the one that let the object go.
    const isCompletingSave = this.#written !== undefined;
    if (this.view.phase === 'deleted' && !isCompletingSave)
      throw vscode.FileSystemError.FileNotFound(this.uri);
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
    const result = await this.#saveFor(text, named, isAutoSave);
    this.#lastResult = result;
    const notice = describeSaveResult(result, {
      ref: this.ref,
      uri: this.uri.toString(),
      nowMs: this.#options.services.clock.now(),
      liveObject: this.liveObject,
      foreign: this.view.foreign,
    });
    if (result.kind !== 'committed' && result.kind !== 'unchanged' && result.kind !== 'gone') {
      const error = new Error(printNotice(this.#options.services.fit(notice)));
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
    if (result.kind === 'unchanged') return;
    if (result.response !== undefined) this.#keepChange(result.before, result.response);
    if (result.kind === 'committed') this.#afterSave.begin(result);
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
      this.#serverProblems = shiftProblems(this.#serverProblems, edit);
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
    // What was told while the save was being completed is lost.
    if (this.view.phase === 'deleted') this.#options.fileChanged(vscode.FileChangeType.Deleted);
    this.#showNewest();
  }

  /** Puts a text that names this version into the editor, as one undoable edit. */
  async replaceText(text: string, snapshot: Snapshot): Promise<boolean> {
    this.runner.dispatch({ kind: 'baseOffered', snapshot });
    return await this.editText(text, snapshot.resourceVersion);
  }

  /** Puts a text into the editor, as one undoable edit; it names `named`, by our own hand. */
  async editText(text: string, named: ResourceVersion = this.#named.current): Promise<boolean> {
    const isApplied = await replaceDocumentText(this.uri, text, () => {
      this.#ownEdit = { text, named };
    });
    this.#ownEdit = undefined;
    return isApplied;
  }

  async savingOnly<T>(text: string, save: () => Promise<T>): Promise<T | undefined> {
    if (this.#text !== text) return undefined;
    this.#meant = text;
    try {
      return await save();
    } finally {
      this.#meant = undefined;
    }
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

  reviewInputs(request: ReviewRequest): MergeInputs {
    return this.#merge.inputsOf(request);
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

  get spelling(): SecretSpelling {
    return this.#spelling;
  }

  async setSpelling(spelling: SecretSpelling): Promise<boolean> {
    if (spelling === this.#spelling) return true;
    const { live, schema } = this.runner.state;
    const read = readDocument(this.#text, schema);
    if (read.kind === 'invalid') return false;
    const before = { spelling: this.#spelling, content: this.#content };
    this.#spelling = spelling;
    this.#options.stateChanged();
    // A clean text is reloaded, and stays clean; what is gone cannot be.
    if (!this.#isDirty && live.kind === 'present') {
      this.#offer(live.snapshot);
      return true;
    }
    // What a revert brings back is spelled as what it takes the place of.
    const content = readDocument(this.#content, schema);
    if (content.kind === 'ok') this.#content = this.edit(this.#content, foldStringData(content.value));
    const spelled = this.#content;
    if (await this.editText(this.edit(this.#text, foldStringData(read.value)))) return true;
    // Typed in at the same moment: the text is spelled as before, and is held for that.
    this.#spelling = before.spelling;
    if (this.#content === spelled) this.#content = before.content;
    this.#options.stateChanged();
    return false;
  }

  /** A text made to hold an object, visible or editable, by the fewest edits, values of a Secret as they are spelled. */
  edit(text: string, object: JsonObject): string {
    return editSpelled(text, object, { schema: this.runner.state.schema, spelling: this.#spelling });
  }

  /** A text made to hold this version's object, by the fewest edits. */
  textFor(text: string, snapshot: Snapshot): string {
    return this.edit(text, toVisible(snapshot.object, this.runner.state.traits));
  }

  findField(text: string, path: FieldPath): FieldPlace | undefined {
    return this.#analysis.findField(text, path);
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
    const visible = toVisible(object, this.runner.state.traits);
    return readDocument(this.#text).kind === 'ok'
      ? this.edit(this.#text, visible)
      : renderSpelled(visible, this.#spelling);
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
    this.#drafts.forget();
  }

  dispose(): void {
    this.#drafts.dispose();
    this.#analysis.dispose();
    this.#afterSave.dispose();
    this.runner.dispose();
  }

  get #isLocked(): boolean {
    return this.view.readOnlyReason !== undefined && !this.view.isDirty;
  }

  get #isDirty(): boolean {
    return this.#isEditorDirty || this.#isTypedSinceSave;
  }

  async #saveFor(text: string, named: ResourceVersion, isAutoSave: boolean): Promise<SaveResult> {
    if (isAutoSave) return { kind: 'autoSave' };
    if (!this.#isMeant(text)) return { kind: 'cancelled' };
    return await this.#save(text, named);
  }

  /** A formatter that runs on save may have spelt the same otherwise. */
  #isMeant(text: string): boolean {
    if (this.#meant === undefined || text === this.#meant) return true;
    const [one, other] = [readDocument(text), readDocument(this.#meant)];
    return one.kind === 'ok' && other.kind === 'ok' && jsonEqual(one.value, other.value);
  }

  async #save(text: string, named: ResourceVersion): Promise<SaveResult> {
    // Rights may have changed since the server last spoke of them: it is the one to say so.
    if (this.access.isMissingRight) this.access.setMissingRight(undefined);
    const mine = this.#readForWrite(text, named);
    if (mine.kind === 'invalid') return { kind: 'invalidText', problems: mine.problems };
    const result = await this.runner.save(mine.object, named);
    if (result.kind === 'rejected') this.#placeRejection(result);
    if (result.kind === 'forbidden') this.access.setMissingRight(result.message);
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
    const { traits, schema, live } = this.runner.state;
    const known = { live: toEditable(newestOf(live).object, traits), schema, spelling: this.#spelling };
    const problems = causeProblems(this.#text, causes, message, known);
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
    const reading = this.#analysis.textChanged(cause === 'typed');
    this.#tellText(reading === undefined ? this.runner.state.mine : this.#takeReading(reading));
  }

  #takeReading(reading: MineReading): Mine {
    this.#localProblems = reading.kind === 'read' ? reading.warnings : reading.problems;
    return reading.kind === 'read' ? { kind: 'read', object: reading.object } : { kind: 'unreadable' };
  }

  #tellText(mine: Mine): void {
    const isDirty = this.#isDirty;
    this.runner.dispatch({ kind: 'textChanged', mine, named: this.#named.current, isDirty });
    this.#drafts.follow(this.#text, isDirty);
  }

  #keepChange(before: Snapshot, after: Snapshot): void {
    const { clock, history, reportError } = this.#options.services;
    const print = ({ object }: Snapshot): string => renderObject(toVisible(object, this.runner.state.traits));
    const change = { atMs: clock.now(), before: print(before), after: print(after) };
    history.add(this.uri, this.ref, change).catch(reportError);
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
    this.#analysis.marksChanged();
    this.#options.stateChanged();
  }
}
