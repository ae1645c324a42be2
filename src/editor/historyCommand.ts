import * as vscode from 'vscode';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { mergeSideUri } from './documentUris.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { LiveViews } from './liveViews.ts';
import type { Notifier } from './notifier.ts';
import { nameObject, shortName } from './objectWords.ts';
import { printAge, printClock } from './relativeTime.ts';
import type { SavedChange, SaveHistory } from './saveHistory.ts';

export interface HistoryDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly notifier: Notifier;
  readonly views: LiveViews;
  readonly history: SaveHistory;
  readonly clock: { now(): number };
}

/** Registers `kubemerge.history`: the newest save of a given document, or a choice among the active one's. */
export function registerHistory(dependencies: HistoryDependencies): vscode.Disposable {
  const { commands, targets, notifier, history, clock } = dependencies;
  return commands.register('kubemerge.history', async (target) => {
    const document = await targets.resolve(target);
    if (document === undefined) return;
    const changes = await history.list(document.uri);
    if (changes.length === 0) {
      notifier.show({
        severity: 'info',
        message: `No saves of ${nameObject(document.ref)} are kept. Each save from here is, but for Secrets.`,
        actions: [],
      });
      return;
    }
    const change = target === undefined ? await choose(document, changes, clock.now()) : changes[0];
    if (change !== undefined) await show(document, change, dependencies);
  });
}

async function choose(
  document: LiveDocument,
  changes: readonly SavedChange[],
  nowMs: number,
): Promise<SavedChange | undefined> {
  const items = changes.map((change) => ({
    label: printClock(change.atMs, nowMs),
    description: printAge(new Date(change.atMs).toISOString(), nowMs) ?? '',
    change,
  }));
  const title = `Saves of ${shortName(document.ref)} from this editor`;
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Compare before and after' }))
    ?.change;
}

async function show(
  document: LiveDocument,
  change: SavedChange,
  { views, clock }: HistoryDependencies,
): Promise<void> {
  const before = mergeSideUri(document.uri, `save-${change.atMs}`, 'base');
  const after = mergeSideUri(document.uri, `save-${change.atMs}`, 'mine');
  views.putFixed(before, change.before);
  views.putFixed(after, change.after);
  const title = `${shortName(document.ref)}: Before ↔ After the Save of ${printClock(change.atMs, clock.now())}`;
  await vscode.commands.executeCommand('vscode.diff', before, after, title);
}
