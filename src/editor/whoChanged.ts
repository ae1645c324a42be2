import * as vscode from 'vscode';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import { valueAt } from '../core/merge/valueAt.ts';
import type { ForeignChange } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { findField } from './fieldPlaces.ts';
import { byNewest, describeBlame } from './fieldWords.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { nameObject } from './objectWords.ts';
import type { SecretReveals } from './secretReveals.ts';
import { shownValue } from './statusWords.ts';

export interface WhoChangedDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly reveals: SecretReveals;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

interface ChangeItem extends vscode.QuickPickItem {
  readonly change: ForeignChange;
}

/** Registers the command that lists what others changed since the text's base, with who and when. */
export function registerWhoChanged(dependencies: WhoChangedDependencies): vscode.Disposable {
  const { commands, targets, notifier } = dependencies;
  return commands.register('kubemerge.whoChanged', async (target) => {
    const document = await targets.resolve(target);
    if (document === undefined) return;
    const { foreign } = document.view;
    const name = nameObject(document.ref, document.liveObject);
    if (foreign.length === 0) {
      const message = `Nobody has changed ${name} since the version that your text grew from.`;
      notifier.show({ severity: 'info', message, actions: [] });
      return;
    }
    const chosen = await vscode.window.showQuickPick(
      byNewest(foreign).map((change) => toItem(document, change, dependencies)),
      { title: `Who changed ${name}`, placeHolder: 'Newest first; choose a field to go to it' },
    );
    if (chosen !== undefined) await reveal(document, chosen.change);
  });
}

function toItem(
  document: LiveDocument,
  change: ForeignChange,
  { clock, reveals }: WhoChangedDependencies,
): ChangeItem {
  const value = valueAt(document.liveObject, change.path);
  const isRevealed = reveals.isRevealed(document.uri);
  const shown =
    value === undefined ? 'removed' : shownValue(document.ref, change.path, value, { isRevealed });
  return {
    label: printFieldPath(change.path),
    description: describeBlame(change.by, clock.now()) ?? 'by nobody on record',
    detail: `live: ${shown}`,
    change,
  };
}

async function reveal(document: LiveDocument, { path }: ForeignChange): Promise<void> {
  const editor = await vscode.window.showTextDocument(document.uri);
  const place = findField(editor.document.getText(), path);
  const position = editor.document.positionAt(place?.start ?? 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
