import * as vscode from 'vscode';
import type { Clock } from '../sync/clock.ts';
import type { SideWords } from './mergeWords.ts';
import { allTabs, mergeInputOf, urisOf } from './tabs.ts';

/** Opens VS Code's merge editor; internal, so it may be missing or change. */
const openCommand = '_open.mergeEditor';

/** How long the merge editor may take to show or to go, in ms, before another way is taken. */
const tabTimeoutMs = 5000;

export interface MergeTab {
  readonly base: vscode.Uri;
  readonly live: vscode.Uri;
  readonly mine: vscode.Uri;
  readonly output: vscode.Uri;
  readonly liveWords: SideWords;
  readonly mineWords: SideWords;
}

/**
 * Shows a merge editor, or brings an open one to the front.
 *
 * @returns false where VS Code has no such editor or did not show it
 */
export async function openMergeTab(tab: MergeTab, clock: Clock): Promise<boolean> {
  const commands = await vscode.commands.getCommands(false);
  if (!commands.includes(openCommand)) return false;
  await vscode.commands.executeCommand(openCommand, {
    base: tab.base,
    input1: { uri: tab.live, ...tab.liveWords },
    input2: { uri: tab.mine, ...tab.mineWords },
    output: tab.output,
  });
  if (!(await untilTabs(() => findMergeTab(tab.output) !== undefined, clock))) return false;
  await focusResult(tab.output, clock);
  return true;
}

/** VS Code opens the merge editor without giving it the keyboard, which then is nowhere. */
async function focusResult(output: vscode.Uri, clock: Clock): Promise<void> {
  const key = output.toString();
  const isReady = (): boolean => vscode.window.activeTextEditor?.document.uri.toString() === key;
  await untilMet(isReady, (check) => vscode.window.onDidChangeActiveTextEditor(check), clock);
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}

/** The merge editor whose result this is. */
export function findMergeTab(output: vscode.Uri): vscode.Tab | undefined {
  const key = output.toString();
  return allTabs().find((tab) => mergeInputOf(tab)?.result.toString() === key);
}

/**
 * Closes merge editors without a question. VS Code asks before it closes one by itself where the result is
 * dirty or a conflict was decided by typing; it closes the editor of a file that it is told to delete.
 */
export async function closeMergeTabs(tabs: readonly vscode.Tab[], clock: Clock): Promise<void> {
  for (const tab of tabs) {
    const output = mergeInputOf(tab)?.result;
    if (output === undefined) continue;
    const key = output.toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    if (document !== undefined) await deleteOutput(document, clock);
    const left = findMergeTab(output);
    if (left !== undefined) await vscode.window.tabGroups.close(left);
  }
}

async function deleteOutput(document: vscode.TextDocument, clock: Clock): Promise<void> {
  if (document.isDirty) await document.save();
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(document.uri, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(edit);
  await untilTabs(() => findMergeTab(document.uri) === undefined, clock);
}

/** Brings a document to the front in the group where it is open, or opens it. */
export async function showDocument(uri: vscode.Uri): Promise<void> {
  const key = uri.toString();
  const tab = allTabs().find((candidate) => urisOf(candidate)[0]?.toString() === key);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    preview: false,
    ...(tab === undefined ? {} : { viewColumn: tab.group.viewColumn }),
  });
}

/** Waits until the tabs are as wanted. @returns false where that took too long */
async function untilTabs(condition: () => boolean, clock: Clock): Promise<boolean> {
  return await untilMet(condition, (check) => vscode.window.tabGroups.onDidChangeTabs(check), clock);
}

/** Waits for a condition that may be met when an event fires. @returns false where that took too long */
async function untilMet(
  condition: () => boolean,
  subscribe: (check: () => void) => vscode.Disposable,
  clock: Clock,
): Promise<boolean> {
  if (condition()) return true;
  return await new Promise<boolean>((resolve) => {
    const settle = (isMet: boolean): void => {
      subscription.dispose();
      timeout.dispose();
      resolve(isMet);
    };
    const timeout = clock.schedule(tabTimeoutMs, () => {
      settle(false);
    });
    const subscription = subscribe(() => {
      if (condition()) settle(true);
    });
  });
}
