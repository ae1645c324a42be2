import { jsonEqual, type JsonObject, memberAt } from '../core/json.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import { mergeThreeWay } from '../core/merge/threeWay.ts';
import { toEditable, withVersion } from '../core/resource/editableObject.ts';
import { readMine } from '../core/session/readMine.ts';
import { planEdits } from '../core/text/planEdits.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { applyEdits } from '../core/text/textEdit.ts';
import type { OpenDocument } from './openDocument.ts';

/** What became of taking back an earlier save. Nothing was sent yet: a save of the document does that. */
export type UndoOutcome =
  /** The text no longer holds what the save had changed. `wasDirty`: it has other unsaved changes too. */
  | { readonly kind: 'edited'; readonly wasDirty: boolean; readonly text: string }
  | { readonly kind: 'nothing' }
  /** The fields were changed again since; nothing was changed. */
  | { readonly kind: 'conflicted'; readonly conflicts: readonly Conflict[] }
  /** The object is gone, or another one has its name. */
  | { readonly kind: 'otherObject' }
  /** The text, or what was kept of the save, cannot be read. */
  | { readonly kind: 'unreadable' };

/**
 * Takes back one save in the text: a three-way merge of (after → before) into what stands now, so that what
 * came since stays. A text without unsaved changes is brought up to live first, so that its save is
 * conditional on just that.
 */
export async function undoSave(
  document: OpenDocument,
  change: { readonly before: string; readonly after: string },
): Promise<UndoOutcome> {
  await document.runner.refresh();
  await document.untilFollowed();
  const { state } = document.runner;
  const { live, schema, traits } = state;
  const before = readDocument(change.before, schema);
  const after = readDocument(change.after, schema);
  const { text, view } = document;
  // Of a large text the session's own reading may lag behind the typing.
  const mine = readMine(text, document.mineContext);
  if (before.kind === 'invalid' || after.kind === 'invalid' || mine.kind !== 'read') {
    return { kind: 'unreadable' };
  }
  if (live.kind !== 'present' || memberAt(after.value, 'metadata', 'uid') !== live.snapshot.uid) {
    return { kind: 'otherObject' };
  }
  const wasDirty = view.isDirty;
  const ground = wasDirty ? mine.object : toEditable(live.snapshot.object, traits);
  const result = mergeThreeWay(
    toEditable(after.value, traits),
    toEditable(before.value, traits),
    ground,
    schema,
  );
  if (result.conflicts.length > 0) return { kind: 'conflicted', conflicts: result.conflicts };
  if (jsonEqual(result.value, ground)) return { kind: 'nothing' };
  const version = wasDirty ? { resourceVersion: state.named, uid: state.uid } : live.snapshot;
  const undone = withVersion(result.value as JsonObject, version);
  const edited = applyEdits(text, planEdits(text, undone, { schema }));
  const isApplied = wasDirty
    ? await document.editText(edited)
    : await document.replaceText(edited, live.snapshot);
  return isApplied ? { kind: 'edited', wasDirty, text: edited } : { kind: 'unreadable' };
}
