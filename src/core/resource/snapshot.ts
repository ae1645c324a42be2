import { type JsonObject, memberAt } from '../json.ts';

/** `metadata.resourceVersion`: opaque, compared for equality only. Never empty, never `0`. */
export type ResourceVersion = string & { readonly __resourceVersion: true };

/** `metadata.uid`. Never empty. */
export type Uid = string & { readonly __uid: true };

/** What the server must still hold for a write to land. */
export interface Precondition {
  readonly uid: Uid;
  readonly resourceVersion: ResourceVersion;
}

/** An object as the server showed it, with its version and identity: always taken from one answer. */
export interface Snapshot extends Precondition {
  /** The whole object, nothing left out. */
  readonly object: JsonObject;
}

/** @returns undefined for a value that cannot guard a write: not a string, empty, or `0`. */
export function toResourceVersion(value: unknown): ResourceVersion | undefined {
  return typeof value === 'string' && value !== '' && value !== '0' ? (value as ResourceVersion) : undefined;
}

/** @returns undefined for a value that is not a non-empty string */
export function toUid(value: unknown): Uid | undefined {
  return typeof value === 'string' && value !== '' ? (value as Uid) : undefined;
}

/** @returns undefined where the object has no usable resourceVersion or uid: it can be shown, not saved. */
export function toSnapshot(object: JsonObject): Snapshot | undefined {
  const resourceVersion = toResourceVersion(memberAt(object, 'metadata', 'resourceVersion'));
  const uid = toUid(memberAt(object, 'metadata', 'uid'));
  return resourceVersion === undefined || uid === undefined ? undefined : { object, resourceVersion, uid };
}
