import type { JsonObject } from '../json.ts';
import type { AppliedChange, Conflict } from '../merge/mergeResult.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import type { ObjectTraits } from '../resource/editableObject.ts';
import type { ResourceRef } from '../resource/resourceRef.ts';
import type { ResourceVersion, Snapshot, Uid } from '../resource/snapshot.ts';
import type { BaseLedger } from './baseLedger.ts';
import type { Liveness } from './sessionView.ts';

/** The newest that the server has shown of the object; `last` is the newest before it went. */
export type Live =
  | { readonly kind: 'present'; readonly snapshot: Snapshot }
  | { readonly kind: 'deleted'; readonly last: Snapshot }
  | { readonly kind: 'recreated'; readonly last: Snapshot; readonly snapshot: Snapshot };

/** The text as an editable object, or nothing where it cannot be read. */
export type Mine = { readonly kind: 'read'; readonly object: JsonObject } | { readonly kind: 'unreadable' };

/** News of the object from the watch. */
export type WatchNews =
  | { readonly kind: 'seen'; readonly snapshot: Snapshot }
  | { readonly kind: 'gone'; readonly uid: Uid }
  /** A relist's answer; `snapshot` is absent where the object is not there. */
  | { readonly kind: 'relisted'; readonly snapshot?: Snapshot };

/** A save under way. Everything in it was fixed when it started, but for `merged` and the counters. */
export interface PendingSave {
  readonly mine: JsonObject;
  /** The version that the text which is being saved names. */
  readonly named: ResourceVersion;
  /** Base's object for the text that is being saved. */
  readonly base: JsonObject;
  readonly stage: 'reviewing' | 'writing' | 'waiting' | 'reading';
  /** Why the current stage was entered, where it matters to what follows. */
  readonly cause: 'first' | 'changed' | 'notFound' | 'unknown' | 'repeat';
  /** What the last write sent. */
  readonly sent?: { readonly on: Snapshot; readonly merged: JsonObject };
  readonly applied: readonly AppliedChange[];
  /** Foreign changes that the user has agreed to send along. */
  readonly agreed: readonly AppliedChange[];
  /** How often the object had changed before our write arrived. */
  readonly lostRaces: number;
  /** How often the write was repeated because it had not arrived. */
  readonly repeats: number;
  readonly isCancelled: boolean;
  /** The last outcome's message, for the result when the retries are used up. */
  readonly message: string;
}

/** Where base, mine and live stand; computed by the reducer whenever one of them changed. */
export interface Analysis {
  /** What others changed on live since base, with who did it. */
  readonly foreign: readonly AppliedChange[];
  readonly conflicts: readonly Conflict[];
}

/** All that is known of one open document. The text itself is the editor's; `mine` is its reading. */
export interface SessionState {
  readonly ref: ResourceRef;
  readonly traits: ObjectTraits;
  readonly schema: MergeSchema;
  /** The identity that the document was opened on. */
  readonly uid: Uid;
  readonly ledger: BaseLedger;
  /** The version that the text names, hence its base in the ledger. */
  readonly named: ResourceVersion;
  readonly mine: Mine;
  readonly live: Live;
  readonly isDirty: boolean;
  readonly isMerging: boolean;
  readonly readOnlyReason?: string;
  readonly liveness: Liveness;
  readonly reviewsForeignChanges: boolean;
  readonly save?: PendingSave;
  /** News that waits for the save or the confirming read to end, oldest first. */
  readonly held: readonly WatchNews[];
  /** A version that we know of from an answer and that the watch has yet to reach. */
  readonly awaited?: ResourceVersion;
  /**
   * A relist may be older or newer than an answer that the watch has yet to reach: a fresh read is under
   * way to tell. `listed` is what the list held; absent where it held nothing.
   */
  readonly confirming?: { readonly listed?: ResourceVersion };
  /** Versions that live has had, oldest first, the current one last: seen again, they are replays. */
  readonly history: readonly ResourceVersion[];
  readonly analysis: Analysis;
}
