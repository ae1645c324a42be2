import type { JsonObject } from '../core/json.ts';

/** What a reflector tells its consumer, in order. Objects are whole or metadata only, as asked for. */
export type Delta =
  /** One page of a list under way: rows may be shown before the list is complete. */
  | { readonly kind: 'page'; readonly objects: readonly JsonObject[]; readonly remainingItemCount?: number }
  /** A list is complete: these are all the objects there are; whatever else was known is gone. */
  | { readonly kind: 'replaced'; readonly objects: readonly JsonObject[] }
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: JsonObject };
