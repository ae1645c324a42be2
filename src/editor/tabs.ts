import * as vscode from 'vscode';

/** What a merge editor's tab shows. Source: VS Code's `TabInputTextMerge`, which has no stable type yet. */
export interface MergeTabInput {
  readonly base: vscode.Uri;
  readonly input1: vscode.Uri;
  readonly input2: vscode.Uri;
  readonly result: vscode.Uri;
}

/** The tab's input if it is a merge editor. */
export function mergeInputOf(tab: vscode.Tab): MergeTabInput | undefined {
  const input: unknown = tab.input;
  if (typeof input !== 'object' || input === null) return undefined;
  const { base, input1, input2, result } = input as Partial<Record<keyof MergeTabInput, unknown>>;
  const areUris =
    base instanceof vscode.Uri &&
    input1 instanceof vscode.Uri &&
    input2 instanceof vscode.Uri &&
    result instanceof vscode.Uri;
  return areUris ? { base, input1, input2, result } : undefined;
}

/** All texts that a tab shows; the one that is edited there comes first. */
export function urisOf(tab: vscode.Tab): readonly vscode.Uri[] {
  const { input } = tab;
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  const merge = mergeInputOf(tab);
  return merge === undefined ? [] : [merge.result, merge.base, merge.input1, merge.input2];
}

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The tab that has the focus, or had it last. */
export function activeTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}
