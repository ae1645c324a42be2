import * as vscode from 'vscode';
import { until } from './until.ts';

/** Answers the questions of what runs by a workbench command, or in another way, as soon as they are there. */
export async function whileAnswering<T>(
  running: PromiseLike<T>,
  answer: string | (() => Promise<void>),
): Promise<T> {
  let ended: { readonly value: T } | undefined;
  const ending = running.then((value) => {
    ended = { value };
  });
  await until('what asks ends', async () => {
    if (typeof answer === 'string') await vscode.commands.executeCommand(answer);
    else await answer();
    return ended;
  });
  await ending;
  return await running;
}

export const acceptQuestion = 'workbench.action.acceptSelectedQuickOpenItem';
export const leaveQuestion = 'workbench.action.closeQuickOpen';
