import { defineMembers, isJsonObject, type Json, type JsonObject, memberAt, withMember } from '../json.ts';
import { readSecretValue, toBase64 } from './secretValue.ts';

/** kubectl's record of what was applied; kept byte for byte, never shown in a live document. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** What decides which fields of an object a person can edit. */
export interface ObjectTraits {
  /** `status` has an endpoint of its own, so that a write to the object ignores it. */
  readonly hasStatusSubresource: boolean;
  /** Only the status is edited, through its own endpoint. */
  readonly isStatusOnly?: boolean;
}

const hiddenMetadata = ['managedFields', 'generation'] as const;
const versionMetadata = ['resourceVersion', 'uid'] as const;

/** What a document of the status alone shows beside it: which object that is. */
const statusMembers: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];
const statusMetadata: readonly string[] = ['name', 'namespace', ...versionMetadata];

/**
 * What a live document shows: the object without managedFields, generation, the last-applied
 * annotation and, where it is a subresource, status; or the status and which object it is of.
 * Source: design.md section 2.
 */
export function toVisible(object: JsonObject, traits: ObjectTraits): JsonObject {
  const metadata = memberAt(object, 'metadata');
  if (traits.isStatusOnly === true) {
    const shown = pick(object, statusMembers);
    return isJsonObject(metadata) ? withMember(shown, 'metadata', pick(metadata, statusMetadata)) : shown;
  }
  const visible = isJsonObject(metadata)
    ? withMember(object, 'metadata', withoutLastApplied(omit(metadata, hiddenMetadata)))
    : object;
  return traits.hasStatusSubresource ? omit(visible, ['status']) : visible;
}

/** What merges compare: the visible object without resourceVersion and uid, and with `stringData` in `data`. */
export function toEditable(object: JsonObject, traits: ObjectTraits): JsonObject {
  return foldStringData(withoutVersion(toVisible(object, traits)));
}

/** The object without `metadata.resourceVersion` and `metadata.uid`. */
export function withoutVersion(object: JsonObject): JsonObject {
  const metadata = memberAt(object, 'metadata');
  return isJsonObject(metadata) ? withMember(object, 'metadata', omit(metadata, versionMetadata)) : object;
}

/** An editable object as a live document shows it: with the version and identity that it names. */
export function withVersion(
  editable: JsonObject,
  version: { readonly resourceVersion: string; readonly uid: string },
): JsonObject {
  const metadata = memberAt(editable, 'metadata');
  return withMember(editable, 'metadata', {
    ...(isJsonObject(metadata) ? metadata : {}),
    resourceVersion: version.resourceVersion,
    uid: version.uid,
  });
}

/**
 * The whole object to send: what a person edited, and from live what the text leaves out.
 * Source: design.md section 2, "What is left out comes from the live snapshot at save".
 */
export function restoreHidden(editable: JsonObject, live: JsonObject, traits: ObjectTraits): JsonObject {
  if (traits.isStatusOnly === true) return withMember(live, 'status', memberAt(editable, 'status'));
  const liveMetadata = memberAt(live, 'metadata');
  let metadata: JsonObject = asObject(memberAt(editable, 'metadata'));
  for (const key of [...versionMetadata, ...hiddenMetadata]) {
    metadata = withMember(metadata, key, memberAt(liveMetadata, key));
  }
  const lastApplied = memberAt(liveMetadata, 'annotations', lastAppliedAnnotation);
  if (lastApplied !== undefined) {
    const annotations = asObject(memberAt(metadata, 'annotations'));
    metadata = withMember(
      metadata,
      'annotations',
      withMember(annotations, lastAppliedAnnotation, lastApplied),
    );
  }
  const whole = withMember(editable, 'metadata', metadata);
  return traits.hasStatusSubresource ? withMember(whole, 'status', memberAt(live, 'status')) : whole;
}

/** Paths, as member names, of what a live document must not hold; each names where it was found. */
export function findHiddenFields(text: JsonObject, traits: ObjectTraits): readonly (readonly string[])[] {
  if (traits.isStatusOnly === true) {
    const metadata = asObject(memberAt(text, 'metadata'));
    return [
      ...keysBeside(text, statusMembers).map((key) => [key]),
      ...keysBeside(metadata, statusMetadata).map((key) => ['metadata', key]),
    ];
  }
  const candidates: (readonly string[])[] = [
    ...hiddenMetadata.map((key) => ['metadata', key]),
    ['metadata', 'annotations', lastAppliedAnnotation],
    ...(traits.hasStatusSubresource ? [['status']] : []),
  ];
  return candidates.filter((path) => memberAt(text, ...path) !== undefined);
}

/**
 * The object as a POST may carry it: nothing that the server or a controller gave the old one.
 * Source: design.md section 3 point 6; a POST with a resourceVersion answers 500.
 */
export function toCreatable(object: JsonObject): JsonObject {
  const metadata = omit(asObject(memberAt(object, 'metadata')), [
    ...versionMetadata,
    ...hiddenMetadata,
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
  ]);
  return omit(withMember(object, 'metadata', metadata), ['status']);
}

/**
 * A Secret with its `stringData` encoded into `data`, as the server does it; other objects as they are.
 * Source: Kubernetes API reference, Secret v1 core (issue case H1).
 */
export function foldStringData(object: JsonObject): JsonObject {
  if (!isSecret(object)) return object;
  const stringData = object['stringData'];
  // A mapping whose last member was removed reads as null.
  if (stringData === null) return omit(object, ['stringData']);
  if (!isJsonObject(stringData)) return object;
  const encoded = Object.entries(stringData).map(([key, value]): [string, Json] => [
    key,
    typeof value === 'string' ? toBase64(value) : value,
  ]);
  const data = defineMembers([...Object.entries(asObject(object['data'])), ...encoded]);
  return withMember(omit(object, ['stringData']), 'data', data);
}

/**
 * A Secret with each value that is text decoded under `stringData`, and what is binary left under `data`; other
 * objects as they are. {@link foldStringData} is the way back, to the byte.
 */
export function decodeData(object: JsonObject): JsonObject {
  const folded = foldStringData(object);
  const data = folded['data'];
  if (!isSecret(folded) || !isJsonObject(data)) return folded;
  const left: [string, Json][] = [];
  const texts: [string, Json][] = [];
  for (const [key, value] of Object.entries(data)) {
    const read = typeof value === 'string' ? readSecretValue(value) : undefined;
    if (read?.kind === 'text') texts.push([key, read.text]);
    else left.push([key, value]);
  }
  if (texts.length === 0) return folded;
  const rest = withMember(folded, 'data', left.length === 0 ? undefined : defineMembers(left));
  return withMember(rest, 'stringData', defineMembers(texts));
}

/** Whether a text or an object is a Secret of the core group. */
export function isSecret(object: JsonObject): boolean {
  return object['apiVersion'] === 'v1' && object['kind'] === 'Secret';
}

function withoutLastApplied(metadata: JsonObject): JsonObject {
  const annotations = metadata['annotations'];
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, lastAppliedAnnotation)) return metadata;
  const rest = omit(annotations, [lastAppliedAnnotation]);
  return withMember(metadata, 'annotations', Object.keys(rest).length === 0 ? undefined : rest);
}

function omit(object: JsonObject, keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  return defineMembers(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function keysBeside(object: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(object).filter((key) => !known.includes(key));
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return defineMembers(Object.entries(object).filter(([key]) => keys.includes(key)));
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
