import * as vscode from 'vscode';
import type { Clock } from '../sync/clock.ts';
import { mergeScheme } from './documentUris.ts';
import type { SideWords } from './mergeWords.ts';
import { allTabs, mergeInputOf, urisOf } from './tabs.ts';

/** Opens VS Code's merge editor; internal, so it may be missing or change. */
const openCommand = '_open.mergeEditor';

/** How long the merge editor may take to show, in ms, before another way is taken. */
const openTimeoutMs = 5000;

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
  return await isShown(tab.output, clock);
}

/** The merge editor whose result this is. */
export function findMergeTab(output: vscode.Uri): vscode.Tab | undefined {
  const key = output.toString();
  return allTabs().find((tab) => mergeInputOf(tab)?.result.toString() === key);
}

/** Closes merge editors without a question; what they hold is in memory only. */
export async function closeMergeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  for (const tab of tabs) {
    const key = mergeInputOf(tab)?.result.toString();
    const output = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    // A dirty result would be asked about.
    if (output?.isDirty === true) await output.save();
  }
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

/** Merge editors on our results. */
export function ourMergeTabs(): readonly vscode.Tab[] {
  return allTabs().filter((tab) => mergeInputOf(tab)?.result.scheme === mergeScheme);
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

async function isShown(output: vscode.Uri, clock: Clock): Promise<boolean> {
  if (findMergeTab(output) !== undefined) return true;
  return await new Promise<boolean>((resolve) => {
    const settle = (wasShown: boolean): void => {
      subscription.dispose();
      timeout.dispose();
      resolve(wasShown);
    };
    const timeout = clock.schedule(openTimeoutMs, () => {
      settle(false);
    });
    const subscription = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (findMergeTab(output) !== undefined) settle(true);
    });
  });
}
