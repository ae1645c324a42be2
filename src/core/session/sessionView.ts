import type { Conflict } from '../merge/mergeResult.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import type { Blame } from '../merge/mergeResult.ts';
import type { ResourceRef } from '../resource/resourceRef.ts';
import type { ResourceVersion, Uid } from '../resource/snapshot.ts';

/** Where mine stands against live. Source: design.md section 1. */
export type SessionPhase = 'fresh' | 'stale' | 'conflicted' | 'deleted' | 'recreated' | 'terminating';

/** Whether live is being kept current. */
export type Liveness =
  | { readonly kind: 'live' }
  /** `since`: ms since the epoch at which the watch was lost. */
  | { readonly kind: 'reconnecting'; readonly since: number }
  /** `needsSignIn`: the server refused the credentials, and nothing is tried before a person signs in. */
  | { readonly kind: 'notWatched'; readonly reason: string; readonly needsSignIn?: true };

/** A field that someone else changed on live since base. */
export interface ForeignChange {
  readonly path: FieldPath;
  readonly by?: Blame;
}

/** All that the UI may know of a session; derived from its state, never stored. */
export interface SessionView {
  readonly ref: ResourceRef;
  readonly phase: SessionPhase;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly isMerging: boolean;
  readonly readOnlyReason?: string;
  readonly liveness: Liveness;
  /** The version that the text grew from. */
  readonly baseVersion: ResourceVersion;
  /** The newest version seen; the last one before a deletion. */
  readonly liveVersion: ResourceVersion;
  readonly uid: Uid;
  readonly conflicts: readonly Conflict[];
  readonly foreign: readonly ForeignChange[];
}
