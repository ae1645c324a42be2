import type { RequestFailure } from '../core/errors.ts';
import type { CollectionState } from './liveCollection.ts';
import { printClock } from './relativeTime.ts';
import { type BranchNode, childId, type KindNode, type MessageNode, type Scope } from './treeNodes.ts';

/** A message below a node, or at the root; `key` tells messages of one parent apart. */
export function messageNode(
  parent: BranchNode | undefined,
  key: string,
  message: Pick<MessageNode, 'tone' | 'text' | 'detail' | 'action'>,
): MessageNode {
  return { kind: 'message', id: childId(parent?.id ?? '', 'message', key), parent, ...message };
}

export function loadingMessage(parent: BranchNode): MessageNode {
  return messageNode(parent, 'loading', { tone: 'loading', text: 'Loading…' });
}

export function failureMessage(
  parent: BranchNode,
  failure: { readonly reason: string; readonly isForbidden: boolean },
): MessageNode {
  const { reason, isForbidden } = failure;
  return messageNode(parent, 'failure', {
    tone: isForbidden ? 'forbidden' : 'error',
    text: isForbidden ? `Forbidden: ${reason}` : capitalise(reason),
    detail: reason,
    action: 'retry',
  });
}

/** Said above items that were right once; nothing where they still are. */
export function outdatedMessage(parent: BranchNode, state: CollectionState, nowMs: number): MessageNode[] {
  if (state.kind !== 'outdated') return [];
  const since = state.since === undefined ? '' : ` since ${printClock(state.since, nowMs)}`;
  const message = messageNode(parent, 'outdated', {
    tone: 'warning',
    text: `Not live${since}: ${state.reason}`,
    detail: 'What is shown below may be outdated.',
    action: 'retry',
  });
  return [message];
}

/** `No deployments in shop`, or that none matches the filter. */
export function emptyMessage(parent: KindNode, filter: string): MessageNode {
  const { resource } = parent.type.gvr;
  const text =
    filter === '' ? `No ${resource}${printScope(parent.scope.scope)}` : `No ${resource} match “${filter}”`;
  return messageNode(parent, 'empty', { tone: 'empty', text });
}

export function moreMessage(parent: KindNode, hiddenCount: number): MessageNode {
  return messageNode(parent, 'more', {
    tone: 'info',
    text: `${hiddenCount.toLocaleString('en')} more…`,
    detail: 'Click to show more of them, or filter the list.',
    action: 'showMore',
  });
}

/** Said at the end of a list whose other pages are still to come. */
export function moreComingMessage(parent: BranchNode, remaining: number | undefined): MessageNode {
  const count = remaining === undefined ? '' : ` ${remaining.toLocaleString('en')} more`;
  return messageNode(parent, 'coming', { tone: 'loading', text: `Loading${count}…` });
}

/** A server's name at the beginning stays as it is spelt. */
function capitalise(sentence: string): string {
  return /^[a-z]+[ ,]/.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

function printScope(scope: Scope): string {
  switch (scope.kind) {
    case 'namespace':
      return ` in ${scope.namespace}`;
    case 'allNamespaces':
      return ' in any namespace';
    case 'cluster':
      return '';
  }
}

export function reasonOf(failure: RequestFailure): { reason: string; isForbidden: boolean } {
  const reason = failure.kind === 'aborted' ? 'It was cancelled.' : failure.message;
  return { reason, isForbidden: failure.kind === 'forbidden' };
}
