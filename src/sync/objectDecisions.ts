import { isJsonObject, type JsonObject, memberAt, withMember } from '../core/json.ts';
import { finalizersOf } from '../core/resource/finalizers.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { WriteRequest } from './clusterPort.ts';
import type { Decision } from './conditionalAction.ts';

/** What becomes of the objects that a deleted one owns. */
export type Propagation = Extract<WriteRequest, { kind: 'delete' }>['propagationPolicy'];

export function deletionOf(ref: ResourceRef, propagationPolicy: Propagation): Decision {
  return {
    toRequest: ({ uid, resourceVersion }) => ({
      kind: 'delete',
      ref,
      precondition: { uid, resourceVersion },
      propagationPolicy,
    }),
    isDone: (now) => now === undefined || metadataString(now, 'deletionTimestamp') !== undefined,
  };
}

export function removalOfFinalizers(ref: ResourceRef, removed: readonly string[]): Decision {
  return {
    toRequest: ({ uid, resourceVersion, object }) => ({
      kind: 'update',
      ref,
      precondition: { uid, resourceVersion },
      object: withoutFinalizers(object, removed),
    }),
    isDone: (now) => now === undefined || !finalizersOf(now).some((one) => removed.includes(one)),
  };
}

export function scaleTo(ref: ResourceRef, replicas: number): Decision {
  return {
    toRequest: ({ uid, resourceVersion }) => ({
      kind: 'update',
      ref,
      subresource: 'scale',
      precondition: { uid, resourceVersion },
      object: scaleOf(ref, replicas),
    }),
    isDone: (now) => memberAt(now, 'spec', 'replicas') === replicas,
  };
}

/** Source: Kubernetes API reference, Scale v1 autoscaling; custom resources take the same. */
function scaleOf({ name, namespace }: ResourceRef, replicas: number): JsonObject {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
}

function withoutFinalizers(object: JsonObject, removed: readonly string[]): JsonObject {
  const metadata = memberAt(object, 'metadata');
  const left = finalizersOf(object).filter((one) => !removed.includes(one));
  return withMember(
    object,
    'metadata',
    withMember(isJsonObject(metadata) ? metadata : {}, 'finalizers', left),
  );
}
