import * as vscode from 'vscode';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import type { EditedDocument } from './editedDocument.ts';
import type { UserEntryBody } from './journal.ts';

/** How often a merge may begin again because the object moved on, before the user gives it up. */
const mostRounds = 3;

/** Opens the merge editor, decides each conflict by chance and accepts; gives up where it cannot be decided so. */
export async function decideInMergeEditor(
  document: EditedDocument,
  chance: Chance,
  note: (entry: UserEntryBody) => void,
): Promise<void> {
  await vscode.commands.executeCommand('kubemerge.merge', document.uri);
  if (findMergeOf(document.uri) !== undefined) note({ kind: 'mergeOpened' });
  for (let round = 0; round < mostRounds; round++) {
    const shown = findMergeOf(document.uri);
    if (shown === undefined) return;
    const conflicts = document.state?.conflicts ?? [];
    const result = await vscode.workspace.openTextDocument(shown.result);
    for (const { path, live } of conflicts) {
      const field = document.object.fields.find((one) => one.path === path);
      const found = field?.pattern.exec(result.getText());
      const mine = field === undefined ? null : document.shown(field);
      const choice = chance(0.5) ? mine : live === undefined ? null : JSON.stringify(live);
      if (field === undefined || found === undefined || found === null || choice === null) continue;
      // The value of neither side is a decision over live's as well.
      if (choice === mine)
        note({ kind: 'keptMine', path, over: live === undefined ? null : JSON.stringify(live) });
      else note({ kind: 'tookLive', path, value: choice });
      const [line, before = ''] = found;
      const range = new vscode.Range(
        result.positionAt(found.index + before.length),
        result.positionAt(found.index + line.length),
      );
      const edit = new vscode.WorkspaceEdit();
      edit.replace(result.uri, range, String(JSON.parse(choice)));
      await vscode.workspace.applyEdit(edit);
    }
    if (chance(0.5)) await pause(chance.between(50, 800));
    await vscode.commands.executeCommand('kubemerge.acceptMerge', shown.result);
    if (document.state?.isMerging !== true) {
      note({ kind: 'mergeAccepted' });
      return;
    }
  }
  await abandon(document.uri);
}

async function abandon(live: vscode.Uri): Promise<void> {
  const shown = findMergeOf(live);
  if (shown === undefined) return;
  const result = await vscode.workspace.openTextDocument(shown.result);
  if (result.isDirty) await result.save();
  await vscode.window.tabGroups.close(shown.tab);
}

function findMergeOf(
  live: vscode.Uri,
): { readonly tab: vscode.Tab; readonly result: vscode.Uri } | undefined {
  for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const { result } = (tab.input ?? {}) as { readonly result?: vscode.Uri };
    if (result?.path.endsWith(live.path) === true) return { tab, result };
  }
  return undefined;
}
