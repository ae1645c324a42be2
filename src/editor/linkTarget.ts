import type { LinkedObject } from '../core/resource/objectLink.ts';
import { printResource, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';
import { contextOnCluster } from './clusterContexts.ts';
import type { Question } from './notifier.ts';

/** What a link means on this machine. Nothing is asked of any cluster to tell. */
export type LinkTarget =
  | { readonly kind: 'found'; readonly ref: ResourceRef; readonly question: Question }
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * The context that a link means: the one of its name, or where that stands for another cluster, the one that
 * stands for the link's own.
 */
export function findLinkTarget(link: LinkedObject, contexts: readonly ContextEntry[]): LinkTarget {
  const { clusterId } = link;
  const named = contexts.find(({ name }) => name === link.ref.context);
  const isSame = clusterId === undefined || named?.clusterId === clusterId;
  const same = isSame ? undefined : contextOnCluster({ clusterId, context: link.ref.context }, contexts);
  const entry = same ?? named;
  if (entry === undefined) {
    const message = `The link names context “${link.ref.context}”, which is not in your kubeconfig. Nothing was opened.`;
    return { kind: 'unknown', message };
  }
  const ref = { ...link.ref, context: entry.name };
  const { gvr, namespace, name } = ref;
  const lines = [
    `${printResource(gvr)}, ${gvr.version}`,
    `Name: ${name}`,
    ...(namespace === undefined ? [] : [`Namespace: ${namespace}`]),
    `Context: ${entry.name}`,
    `Server: ${entry.server}`,
  ];
  if (same !== undefined) lines.push(`The link calls this context “${link.ref.context}”.`);
  else if (!isSame) lines.push('This is another cluster than the one that the link was made for.');
  lines.push('', 'A link asks for this. The cluster is contacted only if you open it.');
  return {
    kind: 'found',
    ref,
    question: { message: `Open ${name}?`, detail: lines.join('\n'), confirmation: 'Open' },
  };
}
