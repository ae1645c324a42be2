import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { assertNever } from '../core/assertNever.ts';
import type { Clock } from '../sync/clock.ts';
import { type CommandRegistry, runCommand, toUri } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { liveUriOf, mergeOutputUri, mergeScheme, mergeSideUri } from './documentUris.ts';
import type { AcceptOutcome, LiveDocument, LiveDocuments, MergeInputs } from './liveDocuments.ts';
import { findValue } from './fieldPlaces.ts';
import type { LiveViews } from './liveViews.ts';
import type { MemoryFileSystem } from './memoryFileSystem.ts';
import { findMarker, findUndecided, showMerge } from './mergeResult.ts';
import { closeMergeTabs, findMergeTab, type MergeTab, openMergeTab, showDocument } from './mergeTabs.ts';
import * as words from './mergeWords.ts';
import type { Notifier } from './notifier.ts';
import { type ClosedMerges, type OpenMerge, OpenMerges } from './openMerges.ts';
import type { SecretReveals } from './secretReveals.ts';
import { activeTab, allTabs, mergeInputOf } from './tabs.ts';

/**
 * VS Code's own "Complete Merge" saves the result and closes its editor at once, and says nothing else; a
 * close that follows a save within this many ms is taken for it. It only decides whether the user is asked.
 */
const completionMs = 1000;

export interface MergeEditorDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly documents: LiveDocuments;
  readonly views: LiveViews;
  readonly reveals: SecretReveals;
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** Holds the results of merges; owned by the caller. */
  readonly outputs: MemoryFileSystem;
  /** Shows conflicts where there is no merge editor. */
  readonly showFallback: (document: LiveDocument) => Promise<void>;
  /** False where the user prefers the fallback. */
  readonly usesMergeEditor: () => boolean;
  /** An accepted result is saved at once. */
  readonly savesOnAccept: () => boolean;
  readonly reportError: (error: unknown) => void;
}

/**
 * The three-way merge editors. A merge works on copies in memory: nothing but accepting it touches the
 * document, and nothing here ever writes to a cluster.
 */
export class MergeEditors implements Disposable {
  readonly #dependencies: MergeEditorDependencies;
  readonly #outputs: MemoryFileSystem;
  readonly #merges: OpenMerges;
  readonly #owned: readonly Disposable[];
  #lastId = 0;

  constructor(dependencies: MergeEditorDependencies) {
    this.#dependencies = dependencies;
    const { commands, targets, outputs, reportError } = dependencies;
    this.#outputs = outputs;
    this.#merges = new OpenMerges(dependencies.documents);
    this.#owned = [
      this.#merges,
      commands.register('kubemerge.merge', async (target) => {
        const document = await targets.resolve(target);
        if (document !== undefined) await this.open(document);
      }),
      commands.register('kubemerge.acceptMerge', async (target) => {
        await this.accept(toUri(target) ?? activeOutput() ?? targets.active?.uri);
      }),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        this.#noteSave(document, reason);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        for (const tab of closed) this.#tabClosed(tab).catch(reportError);
        this.#closeLeftovers(opened).catch(reportError);
      }),
    ];
    this.#closeLeftovers(allTabs()).catch(reportError);
  }

  get closed(): ClosedMerges {
    return this.#merges;
  }

  /** Merges what merges by itself; opens a merge editor where a person has to decide. */
  async open(document: LiveDocument): Promise<void> {
    const { notifier, clock } = this.#dependencies;
    const known = this.#merges.openOf(document.uri);
    if (known !== undefined) {
      await openMergeTab(known.tab, clock);
      return;
    }
    this.#merges.dropClosed(document.uri);
    const inputs = document.mergeInputs();
    if (inputs === undefined) {
      notifier.show(words.describeUnshowable(document));
      return;
    }
    if (inputs.conflicts.length > 0) await this.#show(document, inputs, inputs.result);
    else if (document.view.foreign.length === 0) notifier.show(words.describeNothingToMerge(document));
    else await this.#mergeSilently(document, inputs);
  }

  /**
   * Brings the result of a merge into its document; refuses what is not decided.
   *
   * @param target the URI of the result or of the live document, whose merge may be closed by now
   */
  async accept(target: vscode.Uri | undefined): Promise<void> {
    const live = target && liveUriOf(target);
    const open = target && live && (this.#merges.find(target) ?? this.#merges.openOf(live));
    const merge = open ?? (live && this.#merges.closedOf(live));
    if (merge === undefined) {
      this.#dependencies.notifier.show({
        severity: 'warning',
        message: 'No merge of a live object is open in the active editor.',
        actions: [],
      });
      return;
    }
    await this.#complete(merge, merge === open ? this.#textOf(merge) : (merge.saved?.text ?? ''));
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
  }

  async #mergeSilently(document: LiveDocument, inputs: MergeInputs): Promise<void> {
    const { notifier, clock } = this.#dependencies;
    const { foreign } = document.view;
    const outcome = await document.acceptMerge(inputs, inputs.result);
    switch (outcome.kind) {
      case 'accepted':
        notifier.show(words.describeMergedIn(document, foreign, clock.now()));
        return;
      case 'conflicted':
        await this.#show(document, outcome.inputs, outcome.inputs.result);
        return;
      case 'invalid':
      case 'refused':
        notifier.show(words.refusal(outcome.message));
        return;
      default:
        assertNever(outcome);
    }
  }

  async #show(document: LiveDocument, inputs: MergeInputs, result: string): Promise<void> {
    const { notifier, reveals, views, clock, usesMergeEditor, showFallback } = this.#dependencies;
    const shown = showMerge(inputs, result, reveals.isMasked(document));
    if (shown === undefined) {
      notifier.show(words.describeUnshowable(document));
      return;
    }
    const { uri, view } = document;
    const id = `merge${String(++this.#lastId)}`;
    const tab: MergeTab = {
      base: mergeSideUri(uri, id, 'base'),
      live: mergeSideUri(uri, id, 'live'),
      mine: mergeSideUri(uri, id, 'mine'),
      output: mergeOutputUri(uri, id, words.describeMerge(document)),
      liveWords: words.describeLiveInput(inputs, view, clock.now()),
      mineWords: words.describeMineInput(view),
    };
    for (const side of ['base', 'live', 'mine'] as const) views.putFixed(tab[side], shown[side]);
    this.#outputs.put(tab.output, shown.result);
    const merge: OpenMerge = { live: uri, inputs, shown, tab, isAccepting: false };
    this.#merges.add(merge);
    if (usesMergeEditor() && (await openMergeTab(tab, clock))) return;
    this.#merges.end(merge);
    await showFallback(document);
  }

  async #complete(merge: OpenMerge, shownText: string): Promise<void> {
    if (merge.isAccepting) return;
    merge.isAccepting = true;
    try {
      const text = await this.#check(merge, shownText);
      const document = text === undefined ? undefined : await this.#documentOf(merge);
      if (text === undefined || document === undefined) await this.#keepOpen(merge, shownText);
      else await this.#finish(merge, document, await document.acceptMerge(merge.inputs, text), shownText);
    } finally {
      merge.isAccepting = false;
    }
  }

  /** @returns the result with all its values, or undefined after saying why it cannot be accepted */
  async #check(merge: OpenMerge, shownText: string): Promise<string | undefined> {
    const { notifier } = this.#dependencies;
    const marker = findMarker(shownText);
    if (marker !== undefined) {
      notifier.show(words.describeMarkers(marker));
      return undefined;
    }
    const unmasked = merge.shown.unmask(shownText);
    if (unmasked.kind !== 'ok') {
      notifier.show(
        unmasked.kind === 'misplaced'
          ? words.describeMisplacedMask(unmasked.line)
          : words.describeInvalidResult('it is not valid YAML.'),
      );
      return undefined;
    }
    const undecided = findUndecided(merge.inputs, unmasked.text, findValue);
    if (undecided.length === 0) return unmasked.text;
    return (await notifier.confirm(words.askUndecided(undecided))) ? unmasked.text : undefined;
  }

  async #finish(
    merge: OpenMerge,
    document: LiveDocument,
    outcome: AcceptOutcome,
    shownText: string,
  ): Promise<void> {
    const { notifier, clock, savesOnAccept } = this.#dependencies;
    switch (outcome.kind) {
      case 'accepted':
        await this.#close(merge);
        await showDocument(merge.live);
        // The refusal that led here is settled; it stays in the list of notifications.
        await vscode.commands.executeCommand('notifications.hideToasts');
        if (!savesOnAccept() || !(await this.#saveAccepted(document, outcome.text)))
          notifier.show(words.describeAccepted(document));
        return;
      case 'conflicted':
        await this.#close(merge);
        await this.#show(document, outcome.inputs, outcome.inputs.result);
        notifier.show(words.describeMergeAgain(document, outcome.inputs, clock.now()));
        return;
      case 'invalid':
      case 'refused':
        notifier.show(words.refusal(outcome.message));
        await this.#keepOpen(merge, shownText);
        return;
      default:
        assertNever(outcome);
    }
  }

  /** @returns false where something was typed since: that is not sent along unasked */
  async #saveAccepted(document: LiveDocument, text: string): Promise<boolean> {
    const save = async (): Promise<true> => {
      await runCommand('kubemerge.save', document.uri, true);
      return true;
    };
    return (await document.savingOnly(text, save)) ?? false;
  }

  /** Shows the merge again where its editor closed itself, with the text that the user was at. */
  async #keepOpen(merge: OpenMerge, shownText: string): Promise<void> {
    if (findMergeTab(merge.tab.output) !== undefined) return;
    const { tab, shown } = merge;
    const { views, clock } = this.#dependencies;
    for (const side of ['base', 'live', 'mine'] as const) views.putFixed(tab[side], shown[side]);
    this.#outputs.put(tab.output, shownText);
    this.#merges.add(merge);
    if (!(await openMergeTab(tab, clock))) this.#merges.end(merge);
  }

  async #close(merge: OpenMerge): Promise<void> {
    this.#merges.end(merge);
    this.#merges.dropClosed(merge.live);
    const tab = findMergeTab(merge.tab.output);
    if (tab !== undefined) await closeMergeTabs([tab], this.#dependencies.clock);
  }

  /** An auto-save keeps the result in memory, no more: it completes nothing. */
  #noteSave(document: vscode.TextDocument, reason: vscode.TextDocumentSaveReason): void {
    const merge = this.#merges.find(document.uri);
    if (merge === undefined) return;
    const isDeliberate = reason === vscode.TextDocumentSaveReason.Manual;
    const atMs = isDeliberate ? this.#dependencies.clock.now() : merge.saved?.atMs;
    merge.saved = { text: document.getText(), ...(atMs === undefined ? {} : { atMs }) };
  }

  async #tabClosed(closed: vscode.Tab): Promise<void> {
    const { notifier, clock } = this.#dependencies;
    const output = mergeInputOf(closed)?.result;
    const merge = output === undefined ? undefined : this.#merges.find(output);
    // Moving a tab to another group closes it in the first.
    if (merge === undefined || merge.isAccepting || findMergeTab(merge.tab.output) !== undefined) return;
    const { saved } = merge;
    if (saved?.atMs !== undefined && clock.now() - saved.atMs < completionMs) {
      await this.#complete(merge, saved.text);
      return;
    }
    this.#merges.end(merge);
    const document = this.#dependencies.documents.find(merge.live);
    if (document === undefined) return;
    const isResultSaved = saved !== undefined && saved.text !== merge.shown.result;
    if (isResultSaved) this.#merges.keepClosed(merge);
    notifier.show(words.describeClosedMerge(document, isResultSaved));
  }

  /** Merge editors that VS Code restored, after a reload or by "Reopen Closed Editor": their inputs are gone. */
  async #closeLeftovers(tabs: readonly vscode.Tab[]): Promise<void> {
    for (const tab of tabs) {
      const output = mergeInputOf(tab)?.result;
      if (output?.scheme !== mergeScheme || this.#merges.find(output) !== undefined) continue;
      const live = liveUriOf(output);
      await closeMergeTabs([tab], this.#dependencies.clock);
      if (live !== undefined) this.#dependencies.notifier.show(words.describeInterrupted(live));
    }
  }

  #textOf({ tab, shown }: OpenMerge): string {
    const key = tab.output.toString();
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    return open?.getText() ?? this.#outputs.text(tab.output) ?? shown.result;
  }

  async #documentOf({ live }: OpenMerge): Promise<LiveDocument | undefined> {
    return await this.#dependencies.targets.resolve(live);
  }
}

function activeOutput(): vscode.Uri | undefined {
  const tab = activeTab();
  return tab === undefined ? undefined : mergeInputOf(tab)?.result;
}
