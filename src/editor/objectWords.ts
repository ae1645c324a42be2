import { type JsonObject, memberAt } from '../core/json.ts';
import { printResource, type ResourceRef } from '../core/resource/resourceRef.ts';

/** `Deployment web`, `status of Deployment web`, or `deployments.apps web` where the kind is not known. */
export function nameObject(ref: ResourceRef, object?: JsonObject): string {
  const kind = memberAt(object, 'kind');
  const name = `${typeof kind === 'string' && kind !== '' ? kind : printResource(ref.gvr)} ${ref.name}`;
  return ref.subresource === undefined ? name : `${ref.subresource} of ${name}`;
}

/** `shop · prod`, or `prod` for what has no namespace: the namespace and the context. */
export function namePlace(ref: ResourceRef): string {
  return ref.namespace === undefined ? ref.context : `${ref.namespace} · ${ref.context}`;
}

/** `shop/web`, or `web` for what has no namespace. */
export function shortName(ref: ResourceRef): string {
  const name = ref.subresource === undefined ? ref.name : `${ref.name} (${ref.subresource})`;
  return ref.namespace === undefined ? name : `${ref.namespace}/${name}`;
}
