import type { Discovery } from '../sync/clusterPort.ts';
import type { LiveCollection } from './liveCollection.ts';
import { categories, type Category } from './treeKinds.ts';
import type { ContextNode, KindNode, MessageNode, ObjectNode, ScopeNode, TreeNode } from './treeNodes.ts';
import {
  emptyMessage,
  failureMessages,
  loadingMessage,
  messageNode,
  moreComingMessage,
  moreMessage,
  noMatchMessage,
  outdatedMessage,
} from './treeWords.ts';

/** The children of a kind, from what its collection holds now. */
export function rowsOfKind(
  node: KindNode,
  objects: LiveCollection<ObjectNode>,
  view: { readonly filter: string; readonly limit: number; readonly nowMs: number },
): readonly TreeNode[] {
  const { filter, limit, nowMs } = view;
  const state = objects.state;
  if (state.kind === 'loading') return [loadingMessage(node)];
  if (state.kind === 'failed') return failureMessages(node, state);
  const matching = filter === '' ? objects.items : objects.items.filter((item) => isMatch(item, filter));
  const hiddenCount = matching.length - limit;
  const after: MessageNode[] = [];
  if (hiddenCount > 0) after.push(moreMessage(node, hiddenCount));
  if (!objects.isComplete) after.push(moreComingMessage(node, objects.remaining));
  else if (matching.length === 0) after.push(emptyMessage(node, filter));
  return [...outdatedMessage(node, state, nowMs), ...matching.slice(0, limit), ...after];
}

/** What the children of a context are made of, beside the listed namespaces. */
export interface ContextRows {
  readonly fixed: readonly ScopeNode[];
  /** At the top, whether or not the cluster has answered. */
  readonly favourites: readonly ScopeNode[];
  /** Namespaces to offer where they cannot be listed (issue case E1). */
  readonly known: readonly ScopeNode[];
  readonly filter: string;
  readonly nowMs: number;
}

/** The children of a context: favourites first, then the context's own namespace, then the others. */
export function rowsOfContext(
  node: ContextNode,
  namespaces: LiveCollection<ScopeNode>,
  { fixed, favourites, known, filter, nowMs }: ContextRows,
): readonly TreeNode[] {
  const state = namespaces.state;
  const others = (names: readonly ScopeNode[]): readonly ScopeNode[] =>
    names.filter((one) => !favourites.includes(one) && one.name.includes(filter));
  const pinned = favourites.filter(({ name }) => name.includes(filter));
  if (state.kind === 'loading') {
    return favourites.length === 0 ? [loadingMessage(node)] : [...fixed, ...pinned, loadingMessage(node)];
  }
  if (state.kind === 'failed') {
    if (state.cause !== 'forbidden') return failureMessages(node, state);
    const forbidden = messageNode(node, 'forbidden', {
      tone: 'forbidden',
      text: 'Namespaces cannot be listed',
      detail: state.reason,
      action: 'retry',
    });
    const add = messageNode(node, 'add', { tone: 'info', text: 'Add namespace…', action: 'addNamespace' });
    return [...fixed, ...pinned, ...others(known), add, forbidden];
  }
  const own = node.entry.namespace;
  const listed = others(namespaces.items);
  const isNothing = filter !== '' && namespaces.isComplete && pinned.length + listed.length === 0;
  return [
    ...outdatedMessage(node, state, nowMs),
    ...fixed,
    ...pinned,
    ...listed.filter(({ name }) => name === own),
    ...listed.filter(({ name }) => name !== own),
    ...(isNothing ? [noMatchMessage(node, 'namespaces', filter)] : []),
    ...(namespaces.isComplete ? [] : [moreComingMessage(node, namespaces.remaining)]),
  ];
}

/** The children of a scope: categories that have kinds, and the groups that could not be read (issue case E3). */
export function rowsOfScope(
  node: ScopeNode,
  present: ReadonlySet<Category>,
  failures: Discovery['failures'],
  nodeOf: (category: Category) => TreeNode,
): readonly TreeNode[] {
  const unread = failures.map(({ group, message }) =>
    messageNode(node, `group ${group}`, {
      tone: 'warning',
      text: `${printGroup(group)} could not be read`,
      detail: message,
      action: 'retry',
    }),
  );
  return [...categories.filter((category) => present.has(category)).map(nodeOf), ...unread];
}

/** Discovery calls the core group '' and all named ones together '*'. */
function printGroup(group: string): string {
  if (group === '') return 'The core group';
  return group === '*' ? 'The named groups' : group;
}

function isMatch({ name, namespace }: ObjectNode, filter: string): boolean {
  return `${namespace ?? ''}/${name}`.includes(filter.toLowerCase());
}
