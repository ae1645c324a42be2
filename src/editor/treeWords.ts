import type { RequestFailure } from '../core/errors.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';
import type { CollectionState, CollectionTrouble } from './liveCollection.ts';
import { printClock } from './relativeTime.ts';
import {
  type BranchNode,
  childId,
  contextOf,
  type KindNode,
  type MessageNode,
  type Scope,
} from './treeNodes.ts';

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

/** What went wrong, and below it what would help, each to be clicked. */
export function failureMessages(
  parent: BranchNode,
  { reason, cause }: CollectionTrouble,
): readonly MessageNode[] {
  const isForbidden = cause === 'forbidden';
  const failure = messageNode(parent, 'failure', {
    tone: isForbidden ? 'forbidden' : 'error',
    text: isForbidden ? `Forbidden: ${reason}` : capitalise(reason),
    detail: reason,
    action: 'retry',
  });
  return [failure, ...remedyMessages(parent, { reason, cause })];
}

/** Rows for what a person can do beside trying again. */
function remedyMessages(parent: BranchNode, trouble: CollectionTrouble): MessageNode[] {
  const { cause } = trouble;
  if (cause !== 'unauthenticated' && cause !== 'misconfigured') return [];
  const entry = contextOf(parent)?.entry;
  const explain = messageNode(parent, 'explain', {
    tone: 'info',
    text: 'Show what to do…',
    detail: describeRemedy(trouble, entry),
    action: 'explain',
  });
  if (cause === 'misconfigured' || entry?.canSignIn !== true) return [explain];
  const signIn = messageNode(parent, 'signIn', {
    tone: 'info',
    text: 'Sign in in a terminal…',
    detail: 'Runs the credential plugin of this context where it can ask you.',
    action: 'signIn',
  });
  return [signIn, explain];
}

/** The whole of a failure, an install hint included, and what to do about it. */
function describeRemedy({ reason, cause }: CollectionTrouble, entry: ContextEntry | undefined): string {
  const what = `${capitalise(reason)}${/[.!?…)]$/.test(reason) ? '' : '.'}`;
  if (cause === 'misconfigured') {
    return `${what}\n\nMend that, then try again: the kubeconfig, PATH and the credential plugin are looked up anew. The window need not be reloaded.`;
  }
  const user = entry === undefined || entry.userName === '' ? 'this context' : `user ${entry.userName}`;
  return entry?.canSignIn === true
    ? `${what}\n\nThe credential plugin of ${user} gave nothing that the server takes. Sign in in a terminal, where it can ask you, or with your provider’s own tool; then try again.`
    : `${what}\n\nThe credentials of ${user} stand in the kubeconfig, and only the tool that wrote it can renew them. A changed kubeconfig is read at once.`;
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
  return [message, ...remedyMessages(parent, state)];
}

/** `No deployments in shop`, or that none matches the filter. */
export function emptyMessage(parent: KindNode, filter: string): MessageNode {
  const { resource } = parent.type.gvr;
  if (filter !== '') return noMatchMessage(parent, resource, filter);
  return messageNode(parent, 'empty', {
    tone: 'empty',
    text: `No ${resource}${printScope(parent.scope.scope)}`,
  });
}

export function noMatchMessage(parent: BranchNode, what: string, filter: string): MessageNode {
  return messageNode(parent, 'empty', { tone: 'empty', text: `No ${what} match “${filter}”` });
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

export function troubleOf(failure: RequestFailure): CollectionTrouble {
  const reason = failure.kind === 'aborted' ? 'It was cancelled.' : failure.message;
  return { reason, cause: failure.kind };
}
