import { jsonEqual, memberAt } from '../json.ts';
import { findBlame } from '../merge/blame.ts';
import { diffObjects } from '../merge/diff.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import type { AppliedChange } from '../merge/mergeResult.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { pathsOverlap } from '../merge/pathsOverlap.ts';
import { valueAt } from '../merge/valueAt.ts';
import { type ObjectTraits, toEditable } from '../resource/editableObject.ts';
import type { Snapshot } from '../resource/snapshot.ts';

/** A field that a save had changed and that someone has changed since; `before` is what was saved. */
export interface OverturnedField extends AppliedChange {
  /** It is again what it was before the save. */
  readonly isReverted: boolean;
}

/**
 * What of a save no longer stands on live, and who changed it.
 *
 * @param save the object that the save was sent on, and the server's answer
 */
export function findOverturned(
  save: { readonly before: Snapshot; readonly response: Snapshot },
  live: Snapshot,
  traits: ObjectTraits,
  schema: MergeSchema,
): readonly OverturnedField[] {
  const [before, saved, now] = [save.before, save.response, live].map(({ object }) =>
    toEditable(object, traits),
  );
  if (before === undefined || saved === undefined || now === undefined) return [];
  const edited = diffObjects(before, saved, schema);
  const managers = memberAt(save.response.object, 'metadata', 'managedFields');
  const managersNow = memberAt(live.object, 'metadata', 'managedFields');
  const isAsBefore = (path: FieldPath): boolean =>
    jsonEqual(valueAt(before, path) ?? null, valueAt(now, path) ?? null);
  return diffObjects(saved, now, schema)
    .filter(({ path }) => edited.some((change) => pathsOverlap(change.path, path)))
    .map((change) => {
      const by = findBlame(managersNow, managers, change.path);
      return { ...change, ...(by === undefined ? {} : { by }), isReverted: isAsBefore(change.path) };
    });
}
