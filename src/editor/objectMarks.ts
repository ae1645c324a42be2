import { assertNever } from '../core/assertNever.ts';
import type { SessionPhase, SessionView } from '../core/session/sessionView.ts';

/** Something that sets an object apart: a word or two for its row, and a sentence that says what that means. */
export interface ObjectMark {
  readonly words: string;
  readonly sentence: string;
}

/** What an open document says of its object: how it stands, and that it is being edited here. */
export function documentMarks({ phase, isDirty }: Pick<SessionView, 'phase' | 'isDirty'>): ObjectMark[] {
  const marks = phase === 'fresh' ? [] : [phaseMark(phase)];
  return [...marks, isDirty ? unsavedMark : openMark];
}

/** The text of its open document holds changes that are not saved. */
export const unsavedMark: ObjectMark = {
  words: 'unsaved here',
  sentence: 'Being edited here: the open document has unsaved changes.',
};

const openMark: ObjectMark = { words: 'open here', sentence: 'Open here in an editor.' };

export const terminatingMark: ObjectMark = { words: 'terminating', sentence: 'Being deleted.' };

/** What keeps an object as it is; undefined where nothing does. @param owner as `core/resource/rowObject.ts` tells it */
export function ownerMark(owner: string): ObjectMark | undefined {
  if (owner === '') return undefined;
  if (owner === 'static pod') {
    const sentence = 'A mirror of a static pod: the node’s own file decides, edits here do not last.';
    return { words: 'static pod', sentence };
  }
  return { words: owner, sentence: `Managed by ${owner}, which may undo edits made here.` };
}

function phaseMark(phase: Exclude<SessionPhase, 'fresh'>): ObjectMark {
  switch (phase) {
    case 'stale':
      return { words: 'stale', sentence: 'Stale: someone else changed it since the open text was read.' };
    case 'conflicted':
      return {
        words: 'in conflict',
        sentence: 'In conflict: someone else changed what the open text changes too.',
      };
    case 'deleted':
      return { words: 'deleted', sentence: 'Deleted on the server; the open text is kept.' };
    case 'recreated':
      return {
        words: 'recreated',
        sentence: 'Deleted and created anew; the open text is about the old one.',
      };
    case 'terminating':
      return terminatingMark;
    default:
      return assertNever(phase);
  }
}
