import { jsonEqual, memberAt } from '../json.ts';
import { findBlame } from '../merge/blame.ts';
import { diffObjects } from '../merge/diff.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import type { AppliedChange, Conflict } from '../merge/mergeResult.ts';
import { mergeThreeWay } from '../merge/threeWay.ts';
import { toEditable } from '../resource/editableObject.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Base } from './baseLedger.ts';
import type { Analysis, SessionState } from './sessionState.ts';

export const nothingForeign: Analysis = { foreign: [], conflicts: [] };

/** What the server alone sets when an object is being deleted; shown, yet never someone's edit. */
const serverOwned = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

/**
 * Compares base, mine and live. Source: design.md section 1, "foreign change" and "conflicted".
 *
 * @param before an earlier state, whose findings hold where their inputs are the same
 */
export function analyse(state: Omit<SessionState, 'analysis'>, before?: SessionState): Analysis {
  const base = state.ledger.get(state.named);
  if (base === undefined || state.live.kind !== 'present') return nothingForeign;
  const { snapshot } = state.live;
  // Typing changes mine alone.
  const isSame =
    before?.live === state.live && before.schema === state.schema && before.ledger.get(before.named) === base;
  return {
    foreign: isSame ? before.analysis.foreign : findForeign(state, base, snapshot),
    conflicts: findConflicts(state, base, snapshot),
  };
}

/** Says of each change who made it, from live's managedFields. */
export function withBlame<T extends { readonly path: FieldPath }>(
  changes: readonly T[],
  live: Snapshot,
  base: Base | undefined,
): (T & Pick<AppliedChange, 'by'>)[] {
  const managedFields = memberAt(live.object, 'metadata', 'managedFields');
  return changes.map((change) => {
    const by = findBlame(managedFields, base?.managedFields, change.path);
    return by === undefined ? change : { ...change, by };
  });
}

/** True for a field that no person sets, so that its change is no one's edit. */
export function isServerOwned(path: FieldPath): boolean {
  const [first, second] = path;
  return (
    first?.kind === 'member' &&
    first.key === 'metadata' &&
    second?.kind === 'member' &&
    serverOwned.includes(second.key)
  );
}

function findForeign(
  state: Omit<SessionState, 'analysis'>,
  base: Base,
  snapshot: Snapshot,
): Analysis['foreign'] {
  const live = toEditable(snapshot.object, state.traits);
  const foreign = diffObjects(base.expected, live, state.schema).filter(({ path }) => !isServerOwned(path));
  return withBlame(foreign, snapshot, base);
}

function findConflicts(
  state: Omit<SessionState, 'analysis'>,
  base: Base,
  snapshot: Snapshot,
): readonly Conflict[] {
  if (state.mine.kind !== 'read') return [];
  const live = toEditable(snapshot.object, state.traits);
  if (jsonEqual(base.object, live) || jsonEqual(base.object, state.mine.object)) return [];
  const { conflicts } = mergeThreeWay(base.object, state.mine.object, live, state.schema);
  return withBlame(conflicts, snapshot, base);
}
