import type { ClusterId } from '../core/resource/resourceRef.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';

/** A cluster, and the context by which it was reached. */
export interface ClusterAddress {
  readonly clusterId: ClusterId;
  readonly context: string;
}

/**
 * The context by which a cluster is reached now: the one of the same name, or where that is gone or stands for
 * another cluster, one that stands for this. Undefined where there is none.
 */
export function contextOnCluster(
  { clusterId, context }: ClusterAddress,
  contexts: readonly ContextEntry[],
): ContextEntry | undefined {
  const onCluster = contexts.filter((entry) => entry.clusterId === clusterId);
  return onCluster.find(({ name }) => name === context) ?? onCluster[0];
}
