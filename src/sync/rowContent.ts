import { isJsonObject, type JsonObject, memberAt, withMember } from '../core/json.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * A copy for a row of a list: without `metadata.managedFields` and the last-applied annotation, which
 * are most of an object's bytes once spec and status are left out.
 */
export function withoutBulk(object: JsonObject): JsonObject {
  const metadata = memberAt(object, 'metadata');
  if (!isJsonObject(metadata)) return object;
  const annotations = memberAt(metadata, 'annotations');
  const hasLastApplied = isJsonObject(annotations) && Object.hasOwn(annotations, lastApplied);
  if (!hasLastApplied && !Object.hasOwn(metadata, 'managedFields')) return object;
  let kept = withMember(metadata, 'managedFields', undefined);
  if (hasLastApplied) kept = withMember(kept, 'annotations', withMember(annotations, lastApplied, undefined));
  return withMember(object, 'metadata', kept);
}
