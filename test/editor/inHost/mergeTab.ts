import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

/** What VS Code's merge editor shows; not in the stable typings. */
interface MergeInput {
  readonly base: vscode.Uri;
  readonly input1: vscode.Uri;
  readonly input2: vscode.Uri;
  readonly result: vscode.Uri;
}

/** An open merge editor. */
export interface ShownMerge {
  readonly tab: vscode.Tab;
  readonly base: string;
  readonly incoming: string;
  readonly mine: string;
  readonly result: vscode.TextDocument;
}

export function findMergeTabs(): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => inputOf(tab) !== undefined);
}

/** Reads the one merge editor that is open, or the one of a live document. */
export async function readMerge(live?: vscode.Uri): Promise<ShownMerge> {
  const isMeant = (tab: vscode.Tab): boolean => live === undefined || inputOf(tab)?.result.path === live.path;
  const tab = await until('a merge editor opens', () => findMergeTabs().find(isMeant));
  assert.equal(findMergeTabs().filter(isMeant).length, 1);
  const input = inputOf(tab);
  assert.ok(input);
  const read = async (uri: vscode.Uri): Promise<string> =>
    (await vscode.workspace.openTextDocument(uri)).getText();
  return {
    tab,
    base: await read(input.base),
    incoming: await read(input.input1),
    mine: await read(input.input2),
    result: await vscode.workspace.openTextDocument(input.result),
  };
}

/** Replaces the first occurrence in a merge's result. */
export async function editResult({ result }: ShownMerge, search: string, replacement: string): Promise<void> {
  const start = result.getText().indexOf(search);
  assert.ok(start >= 0, `the result has ${search}:\n${result.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(result.positionAt(start), result.positionAt(start + search.length));
  edit.replace(result.uri, range, replacement);
  assert.ok(await vscode.workspace.applyEdit(edit), 'the edit was taken');
}

export function acceptMerge({ result }: ShownMerge): Thenable<unknown> {
  return vscode.commands.executeCommand('kubemerge.acceptMerge', result.uri);
}

export async function closeMerge({ tab }: ShownMerge): Promise<void> {
  await vscode.window.tabGroups.close(tab);
  await until('the merge editor is closed', () => (findMergeTabs().length === 0 ? true : undefined));
}

/** Closes a merge editor and drops what was done in it. */
export async function discardMerge({ tab }: ShownMerge): Promise<void> {
  assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, tab);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await until('the merge editor is closed', () => (findMergeTabs().length === 0 ? true : undefined));
}

function inputOf({ input }: vscode.Tab): MergeInput | undefined {
  const { base, input1, input2, result } = (input ?? {}) as Partial<MergeInput>;
  return base === undefined || input1 === undefined || input2 === undefined || result === undefined
    ? undefined
    : { base, input1, input2, result };
}
