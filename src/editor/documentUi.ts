import { type Disposable, DisposableStore } from '../core/lifecycle.ts';
import type { DryRunResult, ReviewRequest } from '../core/session/saveResult.ts';
import type { Clock } from '../sync/clock.ts';
import type { CommandRegistry } from './commandMap.ts';
import { compareWithLive, registerComparisons } from './compare.ts';
import { ConflictCodeLenses } from './conflictCodeLens.ts';
import { maintainContextKeys } from './contextKeys.ts';
import type { DocumentFiles } from './documentPart.ts';
import { DocumentDecorations } from './decorations.ts';
import { DocumentTargets } from './documentTargets.ts';
import { registerFieldOwnerHover } from './fieldOwnerHover.ts';
import { DocumentActionRights } from './documentActionRights.ts';
import type { DocumentSettings } from './documentServices.ts';
import { registerDryRun } from './dryRun.ts';
import { ForeignHints } from './foreignHints.ts';
import { registerFullObject } from './fullObject.ts';
import { registerHistory } from './historyCommand.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { LiveViews } from './liveViews.ts';
import { MergeEditors } from './mergeEditor.ts';
import type { Notifier } from './notifier.ts';
import { maintainDiagnostics } from './problemDiagnostics.ts';
import { reviewMerge } from './reviewMerge.ts';
import { registerQuickFixes } from './quickFixes.ts';
import { previewSave } from './savePreview.ts';
import type { SaveHistory } from './saveHistory.ts';
import { SecretReveals } from './secretReveals.ts';
import { registerSecretValues } from './secretValues.ts';
import { promptForSignIn } from './signInPrompt.ts';
import { StatusBar } from './statusBar.ts';
import { registerWhoChanged } from './whoChanged.ts';

export interface DocumentUiDependencies {
  readonly documents: LiveDocuments;
  readonly files: DocumentFiles;
  readonly commands: CommandRegistry;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly history: SaveHistory;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason'>;
  /** False where the user prefers comparing and deciding field by field to the merge editor. */
  readonly usesMergeEditor: () => boolean;
  /** What is accepted in the merge editor is saved at once. */
  readonly savesOnAccept: () => boolean;
  /** Takes a bug's error to the log. */
  readonly reportError: (error: unknown) => void;
}

/** All that a person sees of live documents, beside their text. Disposing it takes it all away. */
export interface DocumentUi extends Disposable {
  readonly targets: DocumentTargets;
  readonly reveals: SecretReveals;
  readonly merges: MergeEditors;
  readonly views: LiveViews;
  /** Shows what a save would send and asks for it; see {@link reviewMerge}. */
  reviewMerge(document: LiveDocument, request: ReviewRequest): Promise<boolean>;
  /** Shows what the server would make of a save and asks for it; see {@link previewSave}. */
  previewSave(
    document: LiveDocument,
    result: Extract<DryRunResult, { readonly kind: 'previewed' }>,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export function createDocumentUi(dependencies: DocumentUiDependencies): DocumentUi {
  const { documents, files, notifier, clock } = dependencies;
  const targets = new DocumentTargets(documents, notifier);
  const reveals = new SecretReveals(documents);
  const views = new LiveViews({ documents, reveals, clock, files: files.views });
  const rights = new DocumentActionRights(dependencies);
  const shared = { ...dependencies, targets, reveals, views, rights };
  const merges = new MergeEditors({
    ...shared,
    outputs: files.merges,
    showFallback: (document) => compareWithLive(document, shared),
  });
  const owned = new DisposableStore();
  for (const part of [
    reveals,
    rights,
    views,
    merges,
    registerComparisons(shared),
    registerDryRun(shared),
    registerFullObject(shared),
    registerHistory(shared),
    new StatusBar({ ...shared, closedMerges: merges.closed }),
    new DocumentDecorations(documents, clock),
    maintainContextKeys({ ...shared, closedMerges: merges.closed }),
    new ConflictCodeLenses(shared),
    new ForeignHints(shared),
    maintainDiagnostics(shared),
    registerQuickFixes(documents),
    registerFieldOwnerHover(shared),
    registerWhoChanged(shared),
    registerSecretValues(shared),
    promptForSignIn(documents, notifier),
  ]) {
    owned.add(part);
  }
  return {
    targets,
    reveals,
    merges,
    views,
    reviewMerge: (document, request) => reviewMerge(document, request, shared),
    previewSave: (document, result, signal) => previewSave(document, result, signal, shared),
    dispose: () => {
      owned.dispose();
    },
  };
}
