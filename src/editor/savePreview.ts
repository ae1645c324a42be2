import type { DryRunResult } from '../core/session/saveResult.ts';
import { askOver } from './comparisonQuestion.ts';
import { type DryRunDependencies, showDryRun } from './dryRun.ts';
import type { LiveDocument } from './liveDocuments.ts';
import { describeDryRun } from './notices.ts';
import { nameObject } from './objectWords.ts';

/**
 * Shows what the server would make of a save that waits for it, live on the left, and asks whether to save.
 *
 * @param signal takes the question back
 */
export async function previewSave(
  document: LiveDocument,
  result: Extract<DryRunResult, { readonly kind: 'previewed' }>,
  signal: AbortSignal,
  { views, reveals, clock }: Pick<DryRunDependencies, 'views' | 'reveals' | 'clock'>,
): Promise<boolean> {
  const { ref, uri, liveObject } = document;
  const shown = await showDryRun(document, result, { views, reveals });
  const words = describeDryRun(result, { ref, uri: uri.toString(), nowMs: clock.now(), liveObject });
  return await askOver(
    shown,
    {
      title: `Save ${nameObject(ref, liveObject)} in ${ref.context}?`,
      placeHolder: words.message,
      yes: `Save in ${ref.context}`,
      yesDetail: 'What the right side shows becomes the object',
      no: 'Do Not Save',
      noDetail: 'Your text stays as it is, unsaved',
    },
    signal,
  );
}
