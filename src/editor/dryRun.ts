import * as vscode from 'vscode';
import type { DryRunResult } from '../core/session/saveResult.ts';
import { maskSecretTexts } from '../core/text/maskSecret.ts';
import type { Clock } from '../sync/clock.ts';
import type { CommandRegistry, DryRunReport } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { mergeSideUri } from './documentUris.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { LiveViews } from './liveViews.ts';
import { describeDryRun } from './notices.ts';
import type { Notifier } from './notifier.ts';
import { shortName } from './objectWords.ts';
import type { SecretReveals } from './secretReveals.ts';

export interface DryRunDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly views: LiveViews;
  readonly reveals: SecretReveals;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

/** Registers `kubemerge.dryRun`: live beside what the server would make of a save of the text. */
export function registerDryRun(dependencies: DryRunDependencies): vscode.Disposable {
  const { commands, targets, notifier, clock } = dependencies;
  return commands.register('kubemerge.dryRun', async (target): Promise<DryRunReport | undefined> => {
    const document = await targets.resolve(target);
    if (document === undefined) return undefined;
    const result = await document.dryRun();
    await showDryRun(document, result, dependencies);
    const notice = describeDryRun(result, {
      ref: document.ref,
      uri: document.uri.toString(),
      nowMs: clock.now(),
      liveObject: document.liveObject,
      foreign: document.view.foreign,
    });
    notifier.show(notice);
    return { kind: result.kind, message: notice.message };
  });
}

/** Live on the left, the result on the right. @returns the right side's URI; undefined where there is nothing to show */
export async function showDryRun(
  document: LiveDocument,
  result: DryRunResult,
  { views, reveals }: Pick<DryRunDependencies, 'views' | 'reveals'>,
): Promise<vscode.Uri | undefined> {
  if (result.kind !== 'previewed') return undefined;
  const texts = [document.showVersion(result.before.object), document.showVersion(result.after)];
  const shown = reveals.isMasked(document) ? maskSecretTexts(texts)?.texts : texts;
  const [before, after] = shown ?? [];
  if (before === undefined || after === undefined) return undefined;
  const left = mergeSideUri(document.uri, 'dry-run', 'live');
  const right = mergeSideUri(document.uri, 'dry-run', 'mine');
  views.putFixed(left, before);
  views.putFixed(right, after);
  const title = `${shortName(document.ref)}: Live ↔ Dry Run`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  return right;
}
