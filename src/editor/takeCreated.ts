import type { JsonObject } from '../core/json.ts';
import { rebase } from '../core/merge/rebase.ts';
import { toEditable, withVersion } from '../core/resource/editableObject.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import { readMine } from '../core/session/readMine.ts';
import type { OpenDocument } from './openDocument.ts';

/**
 * Lets a text go on with the object that was created from it, where it was edited before the answer came: what was
 * typed meanwhile stays, unsaved, as an edit of the new object.
 *
 * @param sent the object that the text held when the object was created from it
 */
export async function takeCreatedUnder(
  document: OpenDocument,
  sent: JsonObject,
  created: Snapshot,
): Promise<void> {
  const { traits, schema } = document.runner.state;
  // Of a large text the session's own reading may lag behind the typing.
  const mine = readMine(document.text, document.mineContext);
  document.runner.dispatch({ kind: 'adopted', snapshot: created });
  // A half typed line: the marks at version and uid lead on once it can be read.
  if (mine.kind !== 'read') return;
  const target = rebase(toEditable(sent, traits), mine.object, toEditable(created.object, traits), schema);
  const object = withVersion(target, created);
  await document.replaceText(document.textFor(document.text, { ...created, object }), created);
}
