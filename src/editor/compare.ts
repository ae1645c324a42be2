import * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { LiveViews } from './liveViews.ts';
import type { Notifier } from './notifier.ts';
import { shortName } from './objectWords.ts';
import type { SaveHistory } from './saveHistory.ts';
import { dropVersion } from '../core/text/dropVersion.ts';
import { maskSecretTexts } from '../core/text/maskSecret.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { mergeSideUri } from './documentUris.ts';
import { describeUnshowable } from './mergeWords.ts';
import type { SecretReveals } from './secretReveals.ts';

export interface ComparisonDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly views: LiveViews;
  readonly reveals: SecretReveals;
  readonly history: Pick<SaveHistory, 'list'>;
  readonly notifier: Notifier;
}

/** Registers the commands that show a live document beside what the cluster holds. */
export function registerComparisons(dependencies: ComparisonDependencies): vscode.Disposable {
  const { commands, targets, reveals } = dependencies;
  const setRevealed = async (target: unknown, isRevealed: boolean): Promise<void> => {
    const document = await targets.resolve(target);
    if (document !== undefined) reveals.set(document.uri, isRevealed);
  };
  return vscode.Disposable.from(
    commands.register('kubemerge.compareWithLive', async (target) => {
      const document = await targets.resolve(target);
      if (document !== undefined) await compareWithLive(document, dependencies);
    }),
    commands.register('kubemerge.showLiveChanges', async (target) => {
      const document = await targets.resolve(target);
      if (document !== undefined) await showLiveChanges(document, dependencies);
    }),
    commands.register('kubemerge.compareWithSaved', async (target) => {
      const document = await targets.resolve(target);
      if (document !== undefined) await compareWithSaved(document, dependencies);
    }),
    commands.register('kubemerge.revealSecretValues', (target) => setRevealed(target, true)),
    commands.register('kubemerge.hideSecretValues', (target) => setRevealed(target, false)),
  );
}

/**
 * Live on the left, read-only; the document itself on the right, editable. A Secret whose values are hidden
 * is shown as a masked copy instead of itself.
 */
export async function compareWithLive(
  document: LiveDocument,
  { views, reveals, notifier }: ComparisonDependencies,
): Promise<void> {
  const left = views.prepare(document, 'live');
  const right = reveals.isMasked(document) ? views.prepare(document, 'mine') : document.uri;
  if (left === undefined || right === undefined) {
    notifier.show(describeUnshowable(document));
    return;
  }
  await vscode.commands.executeCommand('vscode.diff', left, right, `${shortName(document.ref)}: Live ↔ Mine`);
}

/** What the text grew from on the left, live on the right. */
async function showLiveChanges(
  document: LiveDocument,
  { views, notifier }: ComparisonDependencies,
): Promise<void> {
  const left = views.prepare(document, 'base');
  const right = views.prepare(document, 'liveSinceBase');
  if (left === undefined || right === undefined) {
    notifier.show(describeUnshowable(document));
    return;
  }
  const title = `${shortName(document.ref)}: What Others Changed`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title);
}

/** What our last save made of the object on the left, live on the right. */
async function compareWithSaved(
  document: LiveDocument,
  { views, reveals, history, notifier }: ComparisonDependencies,
): Promise<void> {
  const saved = document.savedObject() ?? (await keptObject(document, history));
  if (saved === undefined) {
    const message = `No save of ${shortName(document.ref)} from this editor is kept.`;
    notifier.show({ severity: 'info', message, actions: [] });
    return;
  }
  const texts = document.liveObject && [
    dropVersion(document.showVersion(saved)),
    dropVersion(document.showVersion(document.liveObject)),
  ];
  const shown = texts && reveals.isMasked(document) ? maskSecretTexts(texts)?.texts : texts;
  const [before, now] = shown ?? [];
  if (before === undefined || now === undefined) {
    notifier.show(describeUnshowable(document));
    return;
  }
  const left = mergeSideUri(document.uri, 'saved', 'mine');
  const right = mergeSideUri(document.uri, 'saved', 'live');
  views.putFixed(left, before);
  views.putFixed(right, now);
  const title = `${shortName(document.ref)}: What You Saved ↔ Live`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title);
}

/** What the newest save that is kept made of the object, in this window or an earlier one. */
async function keptObject(
  { uri }: LiveDocument,
  history: ComparisonDependencies['history'],
): Promise<JsonObject | undefined> {
  const [newest] = await history.list(uri);
  const read = newest && readDocument(newest.after);
  return read?.kind === 'ok' ? read.value : undefined;
}
