import { type JsonObject, memberAt } from '../json.ts';
import { type GroupVersionKind, parseApiVersion } from './gvk.ts';

/** @returns undefined where `apiVersion` or `kind` is missing or no string */
export function gvkOf(object: JsonObject): GroupVersionKind | undefined {
  const apiVersion = memberAt(object, 'apiVersion');
  const kind = memberAt(object, 'kind');
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  return { ...parseApiVersion(apiVersion), kind };
}

/** @returns the string at `metadata.<key>`, or undefined where it is missing or no string */
export function metadataString(object: JsonObject, key: string): string | undefined {
  const value = memberAt(object, 'metadata', key);
  return typeof value === 'string' ? value : undefined;
}
