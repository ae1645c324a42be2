import type { Outcome, WriteOutcome } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import type { Precondition, ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import type { Base } from './baseLedger.ts';
import type { ReviewRequest, SaveResult } from './saveResult.ts';
import type { Mine, WatchNews } from './sessionState.ts';
import type { Liveness } from './sessionView.ts';

/** What can happen to a session. */
export type SessionEvent =
  /** The text changed; `named` is the version that it names by a trusted line. */
  | {
      readonly kind: 'textChanged';
      readonly mine: Mine;
      readonly named: ResourceVersion;
      readonly isDirty: boolean;
    }
  /** A text that names this version is about to be handed to the editor. */
  | { readonly kind: 'baseOffered'; readonly snapshot: Snapshot }
  | { readonly kind: 'watched'; readonly news: WatchNews }
  /** The user kept mine at one conflict: at that field, live is what the text grew from now. */
  | { readonly kind: 'baseSettled'; readonly named: ResourceVersion; readonly base: Base }
  /** The user asked to save this reading of the text. */
  | { readonly kind: 'saveStarted'; readonly mine: JsonObject; readonly named: ResourceVersion }
  | { readonly kind: 'reviewed'; readonly isAccepted: boolean }
  | { readonly kind: 'wrote'; readonly outcome: WriteOutcome }
  | { readonly kind: 'readAnswered'; readonly outcome: Outcome<Snapshot> }
  | { readonly kind: 'waited' }
  | { readonly kind: 'saveCancelled' }
  /** A fresh GET outside a save, begun after the last one ended; no snapshot where the object is not there. */
  | { readonly kind: 'readFresh'; readonly outcome: Outcome<Snapshot> }
  /** The user chose to go on with the object that now has the name. */
  | { readonly kind: 'adopted'; readonly snapshot: Snapshot }
  | { readonly kind: 'mergingChanged'; readonly isMerging: boolean }
  | { readonly kind: 'livenessChanged'; readonly liveness: Liveness }
  | { readonly kind: 'readOnlyChanged'; readonly reason: string | undefined }
  | { readonly kind: 'reviewSettingChanged'; readonly reviewsForeignChanges: boolean }
  | { readonly kind: 'schemaLoaded'; readonly schema: MergeSchema };

/** What a session wants done. All but `finishSave` and `follow` are answered by one event. */
export type SessionEffect =
  /** A conditional PUT; answered by `wrote`. */
  | { readonly kind: 'write'; readonly precondition: Precondition; readonly object: JsonObject }
  /** A fresh GET; answered by `readAnswered`. */
  | { readonly kind: 'read' }
  /** A fresh GET outside a save; answered by `readFresh`. */
  | { readonly kind: 'confirmLive' }
  /** Answered by `waited`. The runner adds jitter. */
  | { readonly kind: 'wait'; readonly pauseMs: number }
  /** Answered by `reviewed`. */
  | { readonly kind: 'review'; readonly request: ReviewRequest }
  | { readonly kind: 'finishSave'; readonly result: SaveResult }
  /** The clean text shall take live, by a minimal edit. */
  | { readonly kind: 'follow'; readonly snapshot: Snapshot };
