import type { Denial, FieldCause, OwnedField } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { AppliedChange, Conflict, FieldChange } from '../merge/mergeResult.ts';
import type { Keeper } from '../resource/keepers.ts';
import type { Snapshot, Uid } from '../resource/snapshot.ts';
import type { TextProblem } from '../text/textProblem.ts';

/**
 * How one save ended. On every kind but `committed` and `unchanged` the text is as it was and stays dirty.
 * Kinds that a write outcome has too are named alike. Source: design.md section 3.
 */
export type SaveResult =
  | {
      readonly kind: 'committed';
      /** The live object that the save was sent on. */
      readonly before: Snapshot;
      readonly response: Snapshot;
      /** Foreign changes that merged into this save. */
      readonly applied: readonly AppliedChange[];
      /** Fields that mine changed and that the server ignored or changed; `before` is what was sent. */
      readonly altered: readonly FieldChange[];
      /** Other fields that admission or the server set; `before` is what was sent. */
      readonly mutated?: readonly FieldChange[];
      readonly warnings: readonly string[];
      /** Who may undo it: told here where nobody was asked about it before. */
      readonly keepers?: readonly Keeper[];
    }
  /**
   * Nothing differs from base, or, with `isHeld`, live holds all that mine changed already: no request was sent.
   * `tookLive`: the text takes someone else's changes instead.
   */
  | { readonly kind: 'unchanged'; readonly tookLive: boolean; readonly isHeld?: true }
  /** The save took the last finalizer from an object that was being deleted: it is gone, as was asked for. */
  | {
      readonly kind: 'gone';
      readonly before: Snapshot;
      /** The object as it went; absent where a read that no longer found it told. */
      readonly response?: Snapshot;
      readonly warnings: readonly string[];
    }
  /** No request was sent. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  /** The object changed each time before our write arrived; the retries are used up. */
  | { readonly kind: 'preconditionFailed'; readonly attempts: number }
  | { readonly kind: 'recreated'; readonly uid: Uid; readonly liveUid: Uid }
  | { readonly kind: 'deleted' }
  /** No request was sent: the text cannot be read, or says what a save cannot do. */
  | { readonly kind: 'invalidText'; readonly problems: readonly TextProblem[] }
  | {
      readonly kind: 'rejected';
      readonly code: number;
      readonly message: string;
      readonly causes: readonly FieldCause[];
      readonly denial?: Denial;
    }
  | { readonly kind: 'alreadyExists'; readonly message: string }
  | { readonly kind: 'ownedByOther'; readonly message: string; readonly fields: readonly OwnedField[] }
  | { readonly kind: 'unauthenticated'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'throttled'; readonly message: string }
  /** The request never left, also after the retries. */
  | { readonly kind: 'notSent'; readonly message: string }
  /** It may or may not have landed, and reading did not settle it: the user compares and decides. */
  | {
      readonly kind: 'unknown';
      readonly message: string;
      /** Each try failed on the server, and after the last the object was read to be as before. */
      readonly isAsBefore?: boolean;
    }
  | { readonly kind: 'readOnly'; readonly message: string }
  /** The version that the text grew from is no longer remembered: compare, then take live or keep mine. */
  | { readonly kind: 'baseUnknown'; readonly resourceVersion: string }
  /** Auto-save never writes to a cluster (issue case I7). */
  | { readonly kind: 'autoSave' }
  /** The user looked at the merged text and said no, or cancelled the retries. */
  | { readonly kind: 'cancelled' };

/** What the server would make of a save, or the result in which the save would end. Nothing was written. */
export type DryRunResult =
  | {
      readonly kind: 'previewed';
      /** The live object that the dry run was sent on. */
      readonly before: Snapshot;
      /** The object as it would be, defaulting and admission included. */
      readonly after: JsonObject;
      readonly applied: readonly AppliedChange[];
      readonly altered: readonly FieldChange[];
      readonly warnings: readonly string[];
    }
  | Exclude<SaveResult, { readonly kind: 'committed' }>;

/** A pending question: these foreign changes would be merged into the save. */
export interface ReviewRequest {
  readonly applied: readonly AppliedChange[];
  /** What the save would merge, in editable forms: the editor's text may hold something else by now. */
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly on: Snapshot;
}
