import type { GroupVersionResource } from '../core/resource/gvk.ts';
import type { CollectionRef, ResourceRef } from '../core/resource/resourceRef.ts';

/** Query parameters in order; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** `/apis/apps/v1`, or `/api/v1` for the core group. */
export function groupVersionPath({ group, version }: Omit<GroupVersionResource, 'resource'>): string {
  return group === '' ? `/api/${encode(version)}` : `/apis/${encode(group)}/${encode(version)}`;
}

/** The path of a collection: in one namespace, or everywhere. */
export function collectionPath({ gvr, namespace }: CollectionRef, query: Query = {}): string {
  const within = namespace === undefined ? '' : `/namespaces/${encode(namespace)}`;
  return `${groupVersionPath(gvr)}${within}/${encode(gvr.resource)}${printQuery(query)}`;
}

/** The path of an object; names keep their case, and every part is encoded. */
export function objectPath(ref: ResourceRef, subresource: string | undefined, query: Query = {}): string {
  const suffix = subresource === undefined ? '' : `/${encode(subresource)}`;
  return `${collectionPath(ref)}/${encode(ref.name)}${suffix}${printQuery(query)}`;
}

function printQuery(query: Query): string {
  const parts = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encode(key)}=${encode(String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function encode(part: string): string {
  return encodeURIComponent(part);
}
