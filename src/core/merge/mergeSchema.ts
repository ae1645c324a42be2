import type { Json } from '../json.ts';

/**
 * How a list merges. `unknown` is a list without schema; it merges as one value.
 * Source: `x-kubernetes-list-type`, `x-kubernetes-list-map-keys`.
 */
export type ListRule =
  | { readonly kind: 'atomic' }
  /** `mergesByName`: by setting, see namedLists.ts. */
  | { readonly kind: 'unknown'; readonly mergesByName?: boolean }
  | { readonly kind: 'set' }
  | {
      readonly kind: 'map';
      /** Key members in schema order. */
      readonly keys: readonly string[];
      /** What a missing key member stands for, such as `protocol: TCP`. */
      readonly defaults: Readonly<Record<string, Json>>;
    };

/** How a mapping merges: by member, as one value, or as a union of which few members may be set at a time. */
export type MapRule =
  | { readonly kind: 'granular' }
  | { readonly kind: 'atomic' }
  /** At most one of `members` may be set; where `discriminator` is named, it chooses (issue 4, retainKeys). */
  | { readonly kind: 'union'; readonly members: readonly string[]; readonly discriminator?: string };

/** How two spellings of a scalar compare. `quantity`: `500m` equals `0.5`. */
export type ScalarRule = 'plain' | 'quantity';

/** What the schema says about one place in an object; children are looked up lazily, so recursion is safe. */
export interface MergeSchema {
  readonly list: ListRule;
  readonly map: MapRule;
  readonly scalar: ScalarRule;
  /** True for a mapping of any keys, such as labels: an absent one merges like an empty one. */
  readonly isOpen?: boolean;
  /** JSON type declared here, where one is; `string` lets the editor ask for quotes (issue case C8). */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  /** The schema of a member of this mapping; never undefined: unknown members get {@link noSchema}. */
  member(key: string): MergeSchema;
  /** The names of the members that are declared here; absent where nothing says that there are no others. */
  memberNames?(): readonly string[];
  /** The schema of the elements of this list. */
  items(): MergeSchema;
}

/** Nothing is known: mappings merge by member, lists as one value. */
export const noSchema: MergeSchema = {
  list: { kind: 'unknown' },
  map: { kind: 'granular' },
  scalar: 'plain',
  member: () => noSchema,
  items: () => noSchema,
};
