import type { Outcome } from '../core/errors.ts';
import { type JsonObject, memberAt } from '../core/json.ts';
import { findFieldOwners } from '../core/merge/fieldOwners.ts';
import { parseApiVersion } from '../core/resource/gvk.ts';
import { gvkOf, metadataString } from '../core/resource/kubeObject.ts';
import type { Keeper } from '../core/resource/keepers.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from './clock.ts';
import type { ClusterPort, ListPage } from './clusterPort.ts';

/** How long a save waits to learn of autoscalers, in ms: it is advice, and no guard. */
const askedMs = 2_000;

/** How many autoscalers of a namespace are looked at. */
const maxAutoscalers = 500;

const autoscalers = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };

/**
 * The horizontal pod autoscaler that sets an object's `spec.replicas`: the one that names it as its target, or,
 * where those cannot be listed, what managedFields know of one. Never fails.
 *
 * Source: Kubernetes API reference, `scaleTargetRef`; the autoscaler writes through the subresource `scale` as
 * kube-controller-manager.
 */
export async function findAutoscaler(
  cluster: Pick<ClusterPort, 'list'>,
  ref: ResourceRef,
  object: JsonObject,
  clock: Clock,
  signal: AbortSignal,
): Promise<Keeper | undefined> {
  const listed = await list(cluster, ref, clock, signal);
  if (listed.kind !== 'ok') return autoscalerOnRecord(object);
  const found = listed.value.objects.find((one) => targets(one, object));
  const name = found && metadataString(found, 'name');
  return name === undefined ? undefined : { kind: 'autoscaler', name };
}

async function list(
  cluster: Pick<ClusterPort, 'list'>,
  { context, namespace }: ResourceRef,
  clock: Clock,
  signal: AbortSignal,
): Promise<Outcome<ListPage>> {
  if (namespace === undefined) return { kind: 'aborted' };
  const attempt = new AbortController();
  const end = (): void => {
    attempt.abort();
  };
  const timer = clock.schedule(askedMs, end);
  signal.addEventListener('abort', end, { once: true });
  try {
    const collection = { context, namespace, gvr: autoscalers };
    return await cluster.list(collection, { content: 'full', limit: maxAutoscalers }, attempt.signal);
  } finally {
    timer.dispose();
    signal.removeEventListener('abort', end);
  }
}

function targets(autoscaler: JsonObject, object: JsonObject): boolean {
  const target = memberAt(autoscaler, 'spec', 'scaleTargetRef');
  const apiVersion = memberAt(target, 'apiVersion');
  const gvk = gvkOf(object);
  const group = typeof apiVersion === 'string' ? parseApiVersion(apiVersion).group : gvk?.group;
  return (
    memberAt(target, 'kind') === gvk?.kind &&
    memberAt(target, 'name') === metadataString(object, 'name') &&
    group === gvk?.group
  );
}

function autoscalerOnRecord(object: JsonObject): Keeper | undefined {
  const path = ['spec', 'replicas'].map((key) => ({ kind: 'member', key }) as const);
  const [latest] = findFieldOwners(memberAt(object, 'metadata', 'managedFields'), object, path);
  const isAutoscaler = latest?.subresource === 'scale' && latest.manager === 'kube-controller-manager';
  return isAutoscaler ? { kind: 'autoscaler' } : undefined;
}
