import { type ClusterId, printResource, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';
import { contextOnCluster } from './clusterContexts.ts';
import { type Favourite, favouriteKey, type Favourites } from './favourites.ts';
import type { RecentObjects } from './recentObjects.ts';

/** A row that leads to an object or a namespace. To show it, no cluster is asked for anything. */
export interface ShortcutNode {
  readonly kind: 'shortcut';
  readonly list: 'favourites' | 'recent';
  /** Unique in its list, and the same after a restart. */
  readonly id: string;
  readonly target: Favourite;
  /** The context that leads there now; undefined where the kubeconfig has none on that cluster. */
  readonly entry: ContextEntry | undefined;
  readonly isFavourite: boolean;
}

export function favouriteRows(
  favourites: Favourites,
  contexts: readonly ContextEntry[],
): readonly ShortcutNode[] {
  return favourites.all.map((target) => toNode('favourites', target, contexts, true));
}

export function recentRows(
  recent: RecentObjects,
  favourites: Favourites,
  contexts: readonly ContextEntry[],
): readonly ShortcutNode[] {
  return recent.all.map((address) => {
    const target = { kind: 'object', address } as const;
    return toNode('recent', target, contexts, favourites.has(target));
  });
}

/** The object as its cluster's context of today names it; undefined for a namespace and without a context. */
export function refOfShortcut({ target, entry }: ShortcutNode): ResourceRef | undefined {
  if (target.kind !== 'object' || entry === undefined) return undefined;
  return { ...target.address.ref, context: entry.name };
}

export function nameOfShortcut({ target }: ShortcutNode): string {
  return target.kind === 'object' ? target.address.ref.name : target.address.namespace;
}

/** `deployments.apps · shop · prod`: the kind with its group, and where it is. */
export function placeOfShortcut({ target, entry }: ShortcutNode): string {
  const { address, kind } = target;
  if (kind === 'namespace') return entry?.name ?? address.context;
  const { ref } = address;
  const place = [printResource(ref.gvr), ref.namespace, entry?.name ?? ref.context];
  return place.filter((part) => part !== undefined).join(' · ');
}

/** Why a shortcut leads nowhere, in words. */
export function describeLost({ target }: ShortcutNode, contexts: readonly ContextEntry[]): string {
  const context = target.kind === 'object' ? target.address.ref.context : target.address.context;
  return contexts.some(({ name }) => name === context)
    ? `Context ${context} stands for another cluster now, and no context for the one that this is on.`
    : `The kubeconfig has no context for its cluster any more; it was ${context}.`;
}

function toNode(
  list: ShortcutNode['list'],
  target: Favourite,
  contexts: readonly ContextEntry[],
  isFavourite: boolean,
): ShortcutNode {
  const [clusterId, context] = clusterOf(target);
  const entry = contextOnCluster({ clusterId, context }, contexts);
  // Recent objects differ by context and version too.
  const version = target.kind === 'object' ? target.address.ref.gvr.version : '';
  const id = list === 'favourites' ? favouriteKey(target) : `${favouriteKey(target)} ${version} ${context}`;
  return { kind: 'shortcut', list, id, target, entry, isFavourite };
}

function clusterOf({ kind, address }: Favourite): readonly [ClusterId, string] {
  return [address.clusterId, kind === 'object' ? address.ref.context : address.context];
}
