import type { GroupVersionKind, GroupVersionResource } from './gvk.ts';

/** One served resource, as discovery describes it. */
export interface ResourceType {
  readonly gvk: GroupVersionKind;
  readonly gvr: GroupVersionResource;
  readonly isNamespaced: boolean;
  readonly singularName: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Names without the resource, such as `status` and `scale`. */
  readonly subresources: readonly string[];
  /** True in the version that the server prefers for this group. */
  readonly isPreferredVersion: boolean;
}
