import * as vscode from 'vscode';
import type { ReviewRequest } from '../core/session/saveResult.ts';
import type { Clock } from '../sync/clock.ts';
import { askOver } from './comparisonQuestion.ts';
import { mergeSideUri } from './documentUris.ts';
import { count, describeAuthors, listPaths } from './fieldWords.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { LiveViews } from './liveViews.ts';
import { showMerge } from './mergeResult.ts';
import { shortName } from './objectWords.ts';
import type { SecretReveals } from './secretReveals.ts';

export interface ReviewDependencies {
  readonly views: LiveViews;
  readonly reveals: SecretReveals;
  readonly clock: Clock;
}

/**
 * Shows what a save would make of the object, live on the left, and asks whether to send it. The question
 * leaves the comparison free to scroll.
 *
 * @returns false also where the user goes away from the question
 */
export async function reviewMerge(
  document: LiveDocument,
  request: ReviewRequest,
  { views, reveals, clock }: ReviewDependencies,
): Promise<boolean> {
  const inputs = document.reviewInputs(request);
  const shown = showMerge(inputs, inputs.result, reveals.isMasked(document));
  const left = mergeSideUri(document.uri, 'review', 'live');
  const right = mergeSideUri(document.uri, 'review', 'mine');
  if (shown !== undefined) {
    views.putFixed(left, shown.live);
    views.putFixed(right, shown.result);
    const title = `${shortName(document.ref)}: Live ↔ After the Save`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }
  const by = describeAuthors(request.applied, clock.now());
  return await askOver(shown === undefined ? undefined : right, {
    title: `Save ${document.ref.name} with ${count(request.applied.length, 'field')} merged in${by === undefined ? '' : ` from ${by}`}?`,
    placeHolder: listPaths(request.applied),
    yes: 'Send',
    yesDetail: 'What the right side shows becomes the object',
    no: 'Do Not Send',
    noDetail: 'Your text stays as it is, unsaved',
  });
}
