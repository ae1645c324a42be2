import type { Outcome } from '../core/errors.ts';
import type { Notice } from './notice.ts';
import { describeReadFailure } from './readFailures.ts';

/** An identity provider that replaced a refresh token. */
export interface TokenRotationWords {
  readonly userName: string;
  readonly issuer: string;
  readonly isKept: boolean;
}

/** Says that the kubeconfig's refresh token may be of no more use, since the kubeconfig itself is never written. */
export function describeTokenRotation({ userName, issuer, isKept }: TokenRotationWords): Notice {
  const kept = isKept
    ? 'The new one is kept in VS Code’s secret storage'
    : 'VS Code’s secret storage did not take the new one, so that it is lost when VS Code closes';
  return {
    severity: isKept ? 'info' : 'warning',
    message:
      `${issuer} renewed the sign-in of ${userName} and gave it a new refresh token. ${kept}; ` +
      'the kubeconfig is unchanged, and kubectl may have to sign in anew.',
    actions: [],
  };
}

/** Asks for a sign-in that the server refused while an object was being watched (issue case B10). */
export function describeRefusedSignIn(context: string, reason: string): Notice {
  return {
    severity: 'warning',
    message:
      `${context} accepts your sign-in no more, so that changes by others are not seen: ${reason}` +
      `${/[.!?…)]$/.test(reason) ? '' : '.'} Your text is kept; sign in to go on.`,
    actions: [{ title: 'Sign In', command: 'kubemerge.signIn', arguments: [context] }],
  };
}

/** How a sign-in in a terminal ended. */
export function describeSignIn(context: string, outcome: Outcome<unknown>): Notice {
  switch (outcome.kind) {
    case 'ok':
      return { severity: 'quiet', message: `Signed in to ${context}.`, actions: [] };
    case 'aborted':
      return { severity: 'quiet', message: `The sign-in to ${context} was given up.`, actions: [] };
    default:
      return {
        severity: 'error',
        message: `Not signed in to ${context}: ${describeReadFailure(outcome)}`,
        actions: [{ title: 'Try Again', command: 'kubemerge.signIn', arguments: [context] }],
      };
  }
}
