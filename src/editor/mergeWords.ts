import type * as vscode from 'vscode';
import { memberAt } from '../core/json.ts';
import { type FieldPath, printFieldPath } from '../core/merge/fieldPath.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import { parseDocumentPath } from '../core/resource/documentPath.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import type { SessionView } from '../core/session/sessionView.ts';
import { count, describeAuthors, joinNames, listPaths } from './fieldWords.ts';
import type { LiveDocument, MergeInputs } from './liveDocuments.ts';
import { actionsFor } from './notices.ts';
import type { Notice, NoticeAction } from './notice.ts';
import type { Question } from './notifier.ts';
import { nameObject, namePlace } from './objectWords.ts';

/** What the merge editor says of its sides. */
export interface SideWords {
  readonly title: string;
  readonly description: string;
}

/** What a merge editor's tab and result are called: `web (Deployment in shop · admin)`. */
export function describeMerge({ ref, liveObject }: LiveDocument): string {
  const kind = memberAt(liveObject, 'kind');
  const type = typeof kind === 'string' && kind !== '' ? kind : printResource(ref.gvr);
  const part = ref.subresource === undefined ? '' : `${ref.subresource} of `;
  return `${ref.name} (${part}${type} in ${namePlace(ref)})`;
}

/** The incoming side: who changed it, when, and which version it is. */
export function describeLiveInput(inputs: MergeInputs, view: SessionView, nowMs: number): SideWords {
  const by = describeAuthors(view.foreign.length > 0 ? view.foreign : inputs.conflicts, nowMs);
  return {
    title: 'Live',
    description: `${by === undefined ? '' : `${by} · `}version ${inputs.liveVersion}`,
  };
}

export function describeMineInput({ baseVersion }: SessionView): SideWords {
  return { title: 'Mine', description: `grew from version ${baseVersion}` };
}

export function describeAccepted(document: LiveDocument): Notice {
  return {
    severity: 'info',
    message: `Merged into ${document.ref.name}. Save to send it.`,
    actions: [actionsFor(document.uri.toString()).save],
  };
}

/** After a merge that needed no decision. */
export function describeMergedIn(
  document: LiveDocument,
  foreign: SessionView['foreign'],
  nowMs: number,
): Notice {
  const by = describeAuthors(foreign, nowMs);
  const message =
    `Merged ${count(foreign.length, 'field')}${by === undefined ? '' : ` from ${by}`} into ` +
    `${document.ref.name}: ${listPaths(foreign)}. Save to send your changes.`;
  return { severity: 'info', message, actions: [actionsFor(document.uri.toString()).save] };
}

export function describeNothingToMerge(document: LiveDocument): Notice {
  return {
    severity: 'info',
    message: `Nothing to merge: nobody else changed ${document.ref.name}.`,
    actions: [],
  };
}

/** Why there is no merge or comparison to show. */
export function describeUnshowable(document: LiveDocument): Notice {
  const name = nameObject(document.ref, document.liveObject);
  const actions = actionsFor(document.uri.toString());
  if (document.liveObject === undefined) {
    return {
      severity: 'warning',
      message: `${name} no longer exists in ${namePlace(document.ref)}. Your text is kept.`,
      actions: [actions.recreate],
    };
  }
  if (document.view.phase === 'recreated') {
    return {
      severity: 'warning',
      message: `${name} was deleted and created anew: your text is about another object. Your text is kept.`,
      actions: [actions.compare, actions.reload],
    };
  }
  return {
    severity: 'warning',
    message: `The text of ${name} cannot be read. Mend what is marked in it first.`,
    actions: [],
  };
}

/** Live or mine moved while the merge was open, and the result conflicts with that. */
export function describeMergeAgain(document: LiveDocument, inputs: MergeInputs, nowMs: number): Notice {
  const by = describeAuthors(inputs.conflicts, nowMs);
  return {
    severity: 'warning',
    message:
      `${document.ref.name} changed again while you were merging${by === undefined ? '' : ` (${by})`}: ` +
      `${listPaths(inputs.conflicts)}. Your decisions are kept; decide these too.`,
    actions: [],
  };
}

/**
 * The merge editor was closed without being accepted.
 *
 * @param isResultSaved the user had saved a result of it, and may have meant that
 */
export function describeClosedMerge(document: LiveDocument, isResultSaved: boolean): Notice {
  const uri = document.uri.toString();
  const useResult: NoticeAction = {
    title: 'Use Its Result',
    command: 'kubemerge.acceptMerge',
    arguments: [uri],
  };
  return {
    severity: 'info',
    message: `The merge of ${document.ref.name} was closed without being accepted. Your text is as it was.`,
    actions: [...(isResultSaved ? [useResult] : []), { ...actionsFor(uri).merge, title: 'Merge Again' }],
  };
}

/** A merge that ended with its window and was restored as an empty shell. */
export function describeInterrupted(live: vscode.Uri): Notice {
  const name = parseDocumentPath(live.path)?.ref.name ?? 'an object';
  return {
    severity: 'info',
    message: `The merge of ${name} ended when its window closed. Nothing was sent, and your text is as it was.`,
    actions: [{ ...actionsFor(live.toString()).merge, title: 'Merge Again' }],
  };
}

export function describeMarkers(line: number): Notice {
  return refusal(`line ${line} is a conflict marker. Decide that conflict first.`);
}

export function describeMisplacedMask(line: number): Notice {
  return refusal(
    `line ${line} holds a part of a hidden value in a place where it means nothing. ` +
      'Undo that, or show the values and merge again.',
  );
}

export function describeInvalidResult(message: string): Notice {
  return refusal(message);
}

/** Asks whether base's value is meant where a conflict looks untouched. */
export function askUndecided(undecided: readonly Conflict[]): Question {
  const fields = count(undecided.length, 'conflicting field');
  return {
    message: `${fields} ${undecided.length === 1 ? 'is' : 'are'} neither yours nor live’s.`,
    detail:
      'The result still has the value from before both changes at ' +
      `${joinNames(undecided.map(({ path }: { readonly path: FieldPath }) => printFieldPath(path)))}. ` +
      'Accepting it undoes both changes there.',
    confirmation: 'Accept Anyway',
  };
}

/** The merge stays open; `why` ends in a full stop. */
export function refusal(why: string): Notice {
  return { severity: 'error', message: `The merge cannot be accepted: ${why}`, actions: [] };
}

/** Keep Mine or Take Live did nothing. */
export function describeUnresolved(document: LiveDocument): Notice {
  if (document.liveObject === undefined) return describeUnshowable(document);
  return {
    severity: 'warning',
    message: `Nothing was decided in ${document.ref.name}: there is no such conflict now, the text cannot be read, or this conflict hangs together with others. Decide those together in the merge editor.`,
    actions: [],
  };
}
