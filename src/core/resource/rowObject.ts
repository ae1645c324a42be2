import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';

/** Source: Kubernetes, the annotation of the API object that stands for a static pod. */
const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** What of an object's metadata its row needs, in this order. */
const keptMetadata = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
] as const;

/** What a row tells of an object beside its metadata. */
interface RowDetails {
  /** The server's columns in words, such as `1/1 ready · Running`; absent where it has none. */
  readonly summary?: string;
  /** What keeps the object as it is: `ReplicaSet web-5d4b`, or `static pod`. */
  readonly owner?: string;
}

/**
 * An object cut to what a row of a list needs: a tenth of its metadata. It reads as an object's metadata
 * does; {@link rowDetails} tells the rest.
 */
export function toRowObject(object: JsonObject, summary = ''): JsonObject {
  const metadata: Record<string, Json> = {};
  for (const key of keptMetadata) {
    const value = memberAt(object, 'metadata', key);
    if (value !== undefined) metadata[key] = value;
  }
  const owner = ownerOf(object);
  return {
    metadata,
    ...(summary === '' ? {} : { summary }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** @param row what {@link toRowObject} made; of any other object there are no details */
export function rowDetails(row: JsonObject): RowDetails {
  const { summary, owner } = row;
  return {
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof owner === 'string' ? { owner } : {}),
  };
}

/** What keeps an object as it is, from its metadata: its controller, or its node for a mirror pod. */
function ownerOf(object: JsonObject): string | undefined {
  if (memberAt(object, 'metadata', 'annotations', mirrorAnnotation) !== undefined) return 'static pod';
  const owners = memberAt(object, 'metadata', 'ownerReferences');
  if (!isJsonArray(owners)) return undefined;
  const controller = owners.find((owner) => isJsonObject(owner) && owner.controller === true);
  const kind = memberAt(controller, 'kind');
  const name = memberAt(controller, 'name');
  return typeof kind === 'string' && typeof name === 'string' ? `${kind} ${name}` : undefined;
}
