/** What a scripted user did or was told; `atMs` is of the machine's clock, values are JSON, null where absent. */
export type UserEntry = UserEntryBody & {
  readonly user: string;
  /** The object's path in the API. */
  readonly object: string;
  readonly atMs: number;
};

export type UserEntryBody =
  /** The user put `to` where the text showed `from`. */
  | {
      readonly kind: 'typed';
      readonly path: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  /** The user decided that mine stays, with this live value in front of them. */
  | { readonly kind: 'keptMine'; readonly path: string; readonly over: string | null }
  /** The user took live's value for theirs. */
  | { readonly kind: 'tookLive'; readonly path: string; readonly value: string | null }
  /** The user asks that their newest save be taken back. */
  | { readonly kind: 'undoneSave' }
  /** The editor told what a save would do. */
  | { readonly kind: 'dryRun'; readonly result: string }
  /** The editor told that a save landed, with these values in the text. */
  | { readonly kind: 'acknowledged'; readonly values: Readonly<Record<string, string | null>> }
  /** The editor told how a save ended. */
  | { readonly kind: 'saveEnded'; readonly result: string; readonly message: string }
  | { readonly kind: 'mergeOpened' }
  | { readonly kind: 'mergeAccepted' }
  /** A text that the user had typed was another one when looked at again. */
  | {
      readonly kind: 'textLost';
      readonly path: string;
      readonly typed: string | null;
      readonly found: string | null;
    };

/** A change that a writer made and the server acknowledged. */
export interface WriterEntry {
  readonly object: string;
  readonly resourceVersion: string;
  /** The value as JSON; null where the field was removed. Absent for writes that change no contested field. */
  readonly change?: { readonly path: string; readonly value: string | null };
}
