import * as vscode from 'vscode';
import { allTabs, urisOf } from './tabs.ts';

/** A question about the comparison that is shown. */
export interface ComparisonQuestion {
  readonly title: string;
  readonly placeHolder: string;
  readonly yes: string;
  readonly yesDetail: string;
  readonly no: string;
  readonly noDetail: string;
}

interface Answer extends vscode.QuickPickItem {
  readonly isYes: boolean;
}

/**
 * Asks about a comparison, which stays free to scroll meanwhile, and closes it then.
 *
 * @param modified the comparison's right side; undefined where there is none
 * @param signal takes the question back
 * @returns false also where the user goes away from the question
 */
export async function askOver(
  modified: vscode.Uri | undefined,
  { title, placeHolder, yes, yesDetail, no, noDetail }: ComparisonQuestion,
  signal?: AbortSignal,
): Promise<boolean> {
  const answers: readonly Answer[] = [
    { label: `$(check) ${yes}`, detail: yesDetail, isYes: true },
    { label: `$(close) ${no}`, detail: noDetail, isYes: false },
  ];
  const withdrawn = new vscode.CancellationTokenSource();
  const withdraw = (): void => {
    withdrawn.cancel();
  };
  signal?.addEventListener('abort', withdraw, { once: true });
  try {
    const options = { title, placeHolder, ignoreFocusOut: true };
    const chosen = await vscode.window.showQuickPick(answers, options, withdrawn.token);
    return chosen?.isYes === true;
  } finally {
    signal?.removeEventListener('abort', withdraw);
    withdrawn.dispose();
    if (modified !== undefined) await closeComparison(modified);
  }
}

async function closeComparison(modified: vscode.Uri): Promise<void> {
  const key = modified.toString();
  const tab = allTabs().find((candidate) => urisOf(candidate)[0]?.toString() === key);
  if (tab !== undefined) await vscode.window.tabGroups.close(tab);
}
