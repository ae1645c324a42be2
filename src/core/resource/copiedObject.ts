import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt, withMember } from '../json.ts';
import { toCreatable } from './editableObject.ts';

/** Fields that the old object was given, and that a new one may not be able to have. */
export const inheritedFields: readonly (readonly [string, ...string[]])[] = [
  ['metadata', 'ownerReferences'],
  ['spec', 'clusterIP'],
  ['spec', 'clusterIPs'],
  ['spec', 'volumeName'],
];

/** What controllers write into an object that is theirs alone. Source: Kubernetes, well-known labels and annotations. */
const givenMetadata = [
  'deployment.kubernetes.io/revision',
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.kubernetes.io/selected-node',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'job-name',
  'batch.kubernetes.io/job-name',
  'pod-template-hash',
];

/**
 * The object as a copy of it may be created beside it: without what was given to the old one alone, such as its
 * addresses and ports, its node, its volume, its owners, and the labels that tell its pods.
 */
export function toCopy(object: JsonObject, name: string, namespace: string | undefined): JsonObject {
  const creatable = inheritedFields.reduce(withoutField, toCreatable(object));
  const metadata = memberAt(creatable, 'metadata');
  let own = withMember(isJsonObject(metadata) ? metadata : {}, 'name', name);
  own = withMember(withMember(own, 'namespace', namespace), 'generateName', undefined);
  const copy = withoutField(withMember(creatable, 'metadata', withoutGiven(own)), ['metadata', 'finalizers']);
  switch (copy['kind']) {
    case 'Service':
      return withoutNodePorts(copy);
    case 'Job':
      return memberAt(copy, 'spec', 'manualSelector') === true ? copy : withoutSelector(copy);
    case 'Pod':
      return withoutField(copy, ['spec', 'nodeName']);
    default:
      return copy;
  }
}

/** The object without the field; a parent that is not there is no matter. */
export function withoutField(object: JsonObject, path: readonly string[]): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined || !Object.hasOwn(object, first)) return object;
  if (rest.length === 0) return withMember(object, first, undefined);
  const parent = object[first];
  return isJsonObject(parent) ? withMember(object, first, withoutField(parent, rest)) : object;
}

function withoutGiven(metadata: JsonObject): JsonObject {
  let left = metadata;
  for (const section of ['labels', 'annotations']) {
    for (const key of givenMetadata) left = withoutField(left, [section, key]);
  }
  return left;
}

/** A port of every node is free for one Service only. */
function withoutNodePorts(service: JsonObject): JsonObject {
  const ports = memberAt(service, 'spec', 'ports');
  const spec = memberAt(service, 'spec');
  if (!isJsonArray(ports) || !isJsonObject(spec)) return service;
  const free = ports.map((port): Json =>
    isJsonObject(port) ? withMember(port, 'nodePort', undefined) : port,
  );
  return withMember(
    service,
    'spec',
    withMember(withMember(spec, 'ports', free), 'healthCheckNodePort', undefined),
  );
}

/** A Job's selector and the labels that meet it are made by the server, of its uid. */
function withoutSelector(job: JsonObject): JsonObject {
  const template = memberAt(job, 'spec', 'template', 'metadata');
  const withoutOwn = withoutField(job, ['spec', 'selector']);
  const spec = memberAt(withoutOwn, 'spec');
  const pods = memberAt(withoutOwn, 'spec', 'template');
  if (!isJsonObject(template) || !isJsonObject(spec) || !isJsonObject(pods)) return withoutOwn;
  const own = withMember(pods, 'metadata', withoutGiven(template));
  return withMember(withoutOwn, 'spec', withMember(spec, 'template', own));
}
