import * as vscode from 'vscode';
import { mergeThreeWay } from '../core/merge/threeWay.ts';
import { noSchema } from '../core/merge/mergeSchema.ts';
import { parseDocumentPath } from '../core/resource/documentPath.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { dropVersion } from '../core/text/dropVersion.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { type CommandRegistry, runCommand, toUri } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { liveUriOf, mergeSideUri } from './documentUris.ts';
import { listPaths } from './fieldWords.ts';
import type { LiveViews } from './liveViews.ts';
import { describeUndo } from './notices.ts';
import type { Notifier } from './notifier.ts';
import { namePlace, shortName } from './objectWords.ts';
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

/** An object of which saves may be kept; it need not be open, nor there any more. */
interface SavedTarget {
  readonly uri: vscode.Uri;
  readonly ref: ResourceRef;
}

/**
 * Registers the commands about earlier saves. With a URI, `kubemerge.history` shows the newest save of that
 * object; without one it asks which: of the active document, else of the object chosen first.
 */
export function registerHistory(dependencies: HistoryDependencies): vscode.Disposable {
  const { commands, targets, history } = dependencies;
  return vscode.Disposable.from(
    commands.register('kubemerge.history', async (given, mayAsk) => {
      const uri = toUri(given);
      const target = toTarget(uri === undefined ? targets.active?.uri : liveUriOf(uri));
      const chosen = target ?? (uri === undefined ? await chooseObject(dependencies) : undefined);
      if (chosen === undefined) return;
      const changes = await history.list(chosen.uri);
      const [newest] = changes;
      if (newest === undefined) tellNone(chosen.ref, dependencies);
      else if (uri === undefined || mayAsk === true) await choose(chosen, changes, dependencies);
      else await compare(chosen, newest, dependencies);
    }),
    commands.register('kubemerge.undoSave', async (given, atMs) => {
      const document = await targets.resolve(given);
      if (document === undefined) return;
      const changes = await history.list(document.uri);
      const change = atMs === undefined ? changes[0] : changes.find((one) => one.atMs === atMs);
      if (change === undefined) tellNone(document.ref, dependencies);
      else await undo({ uri: document.uri, ref: document.ref }, change, dependencies);
    }),
  );
}

function toTarget(uri: vscode.Uri | undefined): SavedTarget | undefined {
  const ref = uri === undefined ? undefined : parseDocumentPath(uri.path)?.ref;
  return uri === undefined || ref === undefined ? undefined : { uri, ref };
}

function tellNone(ref: ResourceRef, { notifier }: HistoryDependencies): void {
  notifier.show({
    severity: 'info',
    message: `No save of ${shortName(ref)} is kept yet. Saves from this editor are kept, but for those of Secrets.`,
    actions: [],
  });
}

async function chooseObject({
  history,
  notifier,
  clock,
}: HistoryDependencies): Promise<SavedTarget | undefined> {
  const items = (await history.objects()).flatMap(({ uri, atMs }) => {
    const target = toTarget(uri);
    if (target === undefined) return [];
    const description = `${namePlace(target.ref)} · ${printAge(new Date(atMs).toISOString(), clock.now()) ?? ''}`;
    return [{ label: shortName(target.ref), description, target }];
  });
  if (items.length === 0) {
    notifier.show({
      severity: 'info',
      message: 'No save is kept yet. Saves from this editor are kept, but for those of Secrets.',
      actions: [],
    });
    return undefined;
  }
  const options = { title: 'Objects saved from this editor', matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.target;
}

interface ChangeItem extends vscode.QuickPickItem {
  readonly change: SavedChange;
}

const undoButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: 'Undo This Save',
};

/** Lists the saves; accepting one compares, its button undoes it. */
async function choose(
  target: SavedTarget,
  changes: readonly SavedChange[],
  dependencies: HistoryDependencies,
): Promise<void> {
  const nowMs = dependencies.clock.now();
  const pick = vscode.window.createQuickPick<ChangeItem>();
  try {
    pick.title = `Saves of ${shortName(target.ref)} from this editor`;
    pick.placeholder = 'Compare before and after; the button undoes a save';
    pick.matchOnDetail = true;
    pick.items = changes.map((change) => ({
      label: printClock(change.atMs, nowMs),
      description: printAge(new Date(change.atMs).toISOString(), nowMs) ?? '',
      detail: describeChange(change),
      buttons: [undoButton],
      change,
    }));
    const chosen = await new Promise<{ change: SavedChange; isUndo: boolean } | undefined>((resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        resolve(item && { change: item.change, isUndo: false });
      });
      pick.onDidTriggerItemButton(({ item }) => {
        resolve({ change: item.change, isUndo: true });
      });
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.show();
    });
    pick.hide();
    if (chosen === undefined) return;
    if (chosen.isUndo) await runCommand('kubemerge.undoSave', target.uri, chosen.change.atMs);
    else await compare(target, chosen.change, dependencies);
  } finally {
    pick.dispose();
  }
}

/** The fields that a save changed. */
function describeChange({ before, after }: SavedChange): string {
  const [one, other] = [readDocument(before), readDocument(after)];
  if (one.kind === 'invalid' || other.kind === 'invalid') return '';
  const changed = mergeThreeWay(one.value, one.value, other.value, noSchema).applied;
  return listPaths(
    changed.filter(({ path }) => {
      const [first, second] = path.map((segment) => (segment.kind === 'member' ? segment.key : ''));
      return first !== 'metadata' || second !== 'resourceVersion';
    }),
  );
}

async function compare(
  { uri, ref }: SavedTarget,
  change: SavedChange,
  { views, clock }: HistoryDependencies,
): Promise<void> {
  const before = mergeSideUri(uri, `save-${change.atMs}`, 'base');
  const after = mergeSideUri(uri, `save-${change.atMs}`, 'mine');
  views.putFixed(before, dropVersion(change.before));
  views.putFixed(after, dropVersion(change.after));
  const title = `${shortName(ref)}: Before ↔ After the Save of ${printClock(change.atMs, clock.now())}`;
  await vscode.commands.executeCommand('vscode.diff', before, after, title);
}

/** Takes the save back in the text, and saves that where there was nothing else to save. */
async function undo(
  target: SavedTarget,
  change: SavedChange,
  { targets, notifier, clock }: HistoryDependencies,
): Promise<void> {
  const document = await targets.resolve(target.uri);
  if (document === undefined) return;
  const outcome = await document.undoSave(change);
  const shown = await vscode.workspace.openTextDocument(target.uri);
  await vscode.window.showTextDocument(shown, { preview: false });
  if (outcome.kind === 'edited' && !outcome.wasDirty) {
    const isSaved = await document.savingOnly(outcome.text, async () => {
      await runCommand('kubemerge.save', target.uri, true);
      return true;
    });
    // What was typed since is not sent along unasked.
    if (isSaved === true) return;
  }
  const nowMs = clock.now();
  const when = printClock(change.atMs, nowMs);
  notifier.show(describeUndo(outcome, { ref: target.ref, uri: target.uri.toString(), nowMs }, when));
}
