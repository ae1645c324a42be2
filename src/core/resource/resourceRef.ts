import type { GroupVersionResource } from './gvk.ts';

/** Which cluster a context stands for: a short stable hash of its server URL and CA. */
export type ClusterId = string & { readonly __clusterId: true };

/** Names one object: what {@link CollectionRef} names, and the object's name. */
export interface ResourceRef extends CollectionRef {
  readonly name: string;
  /** The part of it that is meant, where that has an endpoint of its own; else the object itself. */
  readonly subresource?: 'status';
}

/** The object that a reference is about, or about a part of. */
export function wholeOf({ subresource: _part, ...ref }: ResourceRef): ResourceRef {
  return ref;
}

/** Names the objects of one resource, in one namespace or everywhere. */
export interface CollectionRef {
  readonly context: string;
  /** Absent for cluster-scoped resources, and for a collection across all namespaces. */
  readonly namespace?: string;
  readonly gvr: GroupVersionResource;
}

/** `deployments.apps`, or `services` for the core group: kubectl's resource argument. */
export function printResource(gvr: GroupVersionResource): string {
  return gvr.group === '' ? gvr.resource : `${gvr.resource}.${gvr.group}`;
}

/** A stable key of a reference, for maps; never shown. */
export function refKey(ref: ResourceRef): string {
  const { group, version, resource } = ref.gvr;
  const part = ref.subresource === undefined ? [] : [ref.subresource];
  return JSON.stringify([ref.context, ref.namespace ?? null, group, version, resource, ref.name, ...part]);
}
