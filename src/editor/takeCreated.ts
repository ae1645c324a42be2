import { rebase } from '../core/merge/rebase.ts';
import { toEditable, withVersion } from '../core/resource/editableObject.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import type { Mine } from '../core/session/sessionState.ts';
import type { OpenDocument } from './openDocument.ts';

/**
 * Lets a text go on with the object that was created from it, where it was edited before the answer came: what was
 * typed meanwhile stays, unsaved, as an edit of the new object.
 *
 * @param sent what the text held when the object was created from it
 */
export async function takeCreatedUnder(document: OpenDocument, sent: Mine, created: Snapshot): Promise<void> {
  const { mine, traits, schema } = document.runner.state;
  document.runner.dispatch({ kind: 'adopted', snapshot: created });
  // A half typed line: the marks at version and uid lead on once it can be read.
  if (mine.kind !== 'read' || sent.kind !== 'read') return;
  const target = rebase(sent.object, mine.object, toEditable(created.object, traits), schema);
  const object = withVersion(target, created);
  await document.replaceText(document.textFor(document.text, { ...created, object }), created);
}
