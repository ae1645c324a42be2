import type { MergeSchema } from './mergeSchema.ts';

/**
 * The same schema, but lists that it says nothing of merge by their elements' `name`, where every element on
 * all sides has one of its own. Such elements merge as one value: nothing is known of their fields.
 */
export function withNamedLists(schema: MergeSchema): MergeSchema {
  return {
    ...schema,
    ...(schema.list.kind === 'unknown' && { list: { kind: 'unknown', mergesByName: true } }),
    member: (key) => withNamedLists(schema.member(key)),
    items: () => withNamedLists(schema.items()),
  };
}
