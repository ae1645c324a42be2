import type { GroupVersionResource } from '../core/resource/gvk.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import { preferredTypes } from '../core/resource/objectQuery.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Scope } from './treeNodes.ts';

/** Kinds that belong together, in the order in which they are shown. */
export const categories = [
  'Workloads',
  'Network',
  'Config',
  'Storage',
  'Access',
  'Cluster',
  'Custom',
  'Other',
] as const;

export type Category = (typeof categories)[number];

/** Resources by category, each in the order in which it is shown. */
const resourcesByCategory: Readonly<Partial<Record<Category, readonly string[]>>> = {
  Workloads: [
    'pods',
    'deployments.apps',
    'statefulsets.apps',
    'daemonsets.apps',
    'replicasets.apps',
    'jobs.batch',
    'cronjobs.batch',
    'replicationcontrollers',
    'horizontalpodautoscalers.autoscaling',
    'poddisruptionbudgets.policy',
  ],
  Network: [
    'services',
    'ingresses.networking.k8s.io',
    'networkpolicies.networking.k8s.io',
    'endpointslices.discovery.k8s.io',
    'endpoints',
    'ingressclasses.networking.k8s.io',
    'servicecidrs.networking.k8s.io',
    'ipaddresses.networking.k8s.io',
  ],
  Config: ['configmaps', 'secrets', 'resourcequotas', 'limitranges'],
  Storage: [
    'persistentvolumeclaims',
    'persistentvolumes',
    'storageclasses.storage.k8s.io',
    'volumeattributesclasses.storage.k8s.io',
    'volumeattachments.storage.k8s.io',
    'csidrivers.storage.k8s.io',
    'csinodes.storage.k8s.io',
    'csistoragecapacities.storage.k8s.io',
  ],
  Access: [
    'serviceaccounts',
    'roles.rbac.authorization.k8s.io',
    'rolebindings.rbac.authorization.k8s.io',
    'clusterroles.rbac.authorization.k8s.io',
    'clusterrolebindings.rbac.authorization.k8s.io',
    'certificatesigningrequests.certificates.k8s.io',
  ],
  Cluster: [
    'nodes',
    'namespaces',
    'customresourcedefinitions.apiextensions.k8s.io',
    'apiservices.apiregistration.k8s.io',
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
    'priorityclasses.scheduling.k8s.io',
    'runtimeclasses.node.k8s.io',
    'flowschemas.flowcontrol.apiserver.k8s.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  ],
};

const places: ReadonlyMap<string, { readonly category: Category; readonly rank: number }> = new Map(
  categories.flatMap((category) =>
    (resourcesByCategory[category] ?? []).map((resource, rank) => [resource, { category, rank }] as const),
  ),
);

/** Groups that Kubernetes itself serves; kinds of all others are custom. Source: Kubernetes API reference, v1.36. */
const ownGroups = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

export function categoryOf({ gvr }: ResourceType): Category {
  return places.get(printResource(gvr))?.category ?? (ownGroups.has(gvr.group) ? 'Other' : 'Custom');
}

/**
 * The kinds that can be listed in a scope, one for each resource of each group, in the order in which they
 * are shown within their category.
 */
export function kindsIn(scope: Scope, types: readonly ResourceType[]): ResourceType[] {
  const isNamespaced = scope.kind !== 'cluster';
  const listable = types.filter((type) => type.isNamespaced === isNamespaced && type.verbs.includes('list'));
  return preferredTypes(listable).sort(compareTypes);
}

/** The kind names that more than one group has (issue case E4). */
export function ambiguousKinds(types: readonly ResourceType[]): ReadonlySet<string> {
  const groupsByKind = new Map<string, Set<string>>();
  for (const { gvk } of types) {
    const groups = groupsByKind.get(gvk.kind) ?? new Set();
    groupsByKind.set(gvk.kind, groups.add(gvk.group));
  }
  return new Set([...groupsByKind].filter(([, groups]) => groups.size > 1).map(([kind]) => kind));
}

function compareTypes(left: ResourceType, right: ResourceType): number {
  const rankOf = ({ gvr }: ResourceType): number => places.get(printResource(gvr))?.rank ?? Infinity;
  const byRank = rankOf(left) - rankOf(right);
  if (byRank !== 0 && !Number.isNaN(byRank)) return byRank;
  return compareText(left.gvk.kind, right.gvk.kind) || compareText(left.gvk.group, right.gvk.group);
}

/** Whether a kind's name, its resource or its group holds a text in small letters. */
export function isKindMatch({ gvk, gvr, shortNames }: ResourceType, filter: string): boolean {
  return [gvk.kind.toLowerCase(), printResource(gvr), ...shortNames].some((word) => word.includes(filter));
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The kind in the plural, where the resource's name tells it: `NetworkPolicies`; else the kind. */
export function pluralKind({ gvk: { kind }, gvr: { resource } }: ResourceType): string {
  const lower = kind.toLowerCase();
  if (resource.startsWith(lower)) return kind + resource.slice(lower.length);
  const stem = lower.slice(0, -1);
  return lower.endsWith('y') && resource === `${stem}ies` ? `${kind.slice(0, -1)}ies` : kind;
}

const iconsByResource: Readonly<Record<string, string>> = {
  pods: 'package',
  'deployments.apps': 'rocket',
  'statefulsets.apps': 'database',
  'daemonsets.apps': 'layers',
  'replicasets.apps': 'copy',
  'jobs.batch': 'play-circle',
  'cronjobs.batch': 'watch',
  'horizontalpodautoscalers.autoscaling': 'graph',
  services: 'globe',
  'ingresses.networking.k8s.io': 'link',
  'networkpolicies.networking.k8s.io': 'shield',
  configmaps: 'settings-gear',
  secrets: 'key',
  persistentvolumeclaims: 'archive',
  persistentvolumes: 'archive',
  serviceaccounts: 'person',
  nodes: 'server',
  namespaces: 'symbol-namespace',
  'customresourcedefinitions.apiextensions.k8s.io': 'symbol-class',
};

const iconsByCategory: Readonly<Record<Category, string>> = {
  Workloads: 'rocket',
  Network: 'globe',
  Config: 'settings-gear',
  Storage: 'archive',
  Access: 'shield',
  Cluster: 'server-environment',
  Custom: 'extensions',
  Other: 'ellipsis',
};

/** The codicon of a kind and its objects. */
export function iconOfResource(gvr: GroupVersionResource): string {
  return iconsByResource[printResource(gvr)] ?? 'symbol-object';
}

export function iconOfCategory(category: Category): string {
  return iconsByCategory[category];
}
