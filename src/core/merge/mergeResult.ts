import type { Json } from '../json.ts';
import type { FieldPath } from './fieldPath.ts';

/** Who set a field on live, from `metadata.managedFields`. */
export interface Blame {
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  /** RFC 3339; absent where the entry has none. */
  readonly time?: string;
  readonly subresource?: string;
}

/** A field that differs between two versions. An absent side means that the field is absent there. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly before?: Json;
  readonly after?: Json;
}

/** A change that came in from live. */
export interface AppliedChange extends FieldChange {
  readonly by?: Blame;
  /** What a person should know about how it merged, such as a setting that allowed it. */
  readonly note?: string;
}

/** A field that mine and live changed differently. An absent side means that the field is absent there. */
export interface Conflict {
  readonly path: FieldPath;
  readonly base?: Json;
  readonly mine?: Json;
  readonly live?: Json;
  /** Who set live's value. */
  readonly by?: Blame;
  /** Why it is a conflict where the values alone do not tell, such as a rename or a union. */
  readonly note?: string;
  /** For overlapping edits of a long string: the lines on each side, 1-based, end inclusive. */
  readonly lines?: readonly ConflictLines[];
}

export interface ConflictLines {
  readonly base: readonly [number, number];
  readonly mine: readonly [number, number];
  readonly live: readonly [number, number];
}

export interface MergeResult {
  /** The merged value; base's value at conflicts. */
  readonly value: Json;
  readonly applied: readonly AppliedChange[];
  readonly conflicts: readonly Conflict[];
}
