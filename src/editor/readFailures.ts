import { assertNever } from '../core/assertNever.ts';
import type { RequestFailure } from '../core/errors.ts';

/** Why a read brought nothing, and what to do about it: one or two sentences. */
export function describeReadFailure(failure: RequestFailure): string {
  switch (failure.kind) {
    case 'unauthenticated':
      return `you are not signed in. ${newSentence(failure.message)} Then try again.`;
    case 'forbidden':
      return `you are not allowed to. ${newSentence(failure.message)}`;
    case 'notFound':
      return `it is not there. ${newSentence(failure.message)}`;
    case 'throttled':
      return `the server is too busy. ${newSentence(failure.message)} Try again ${inAWhile(failure.retryAfterMs)}.`;
    case 'unreachable':
      return `the server cannot be reached. ${newSentence(failure.message)}`;
    case 'interrupted':
      return `the connection was lost. ${newSentence(failure.message)} Try again.`;
    case 'misconfigured':
      return `the kubeconfig does not work for it. ${newSentence(failure.message)}`;
    case 'expired':
    case 'versionTooLarge':
    case 'refused':
    case 'serverError':
    case 'invalidAnswer':
      return sentence(failure.message);
    case 'aborted':
      return 'it was cancelled.';
    default:
      return assertNever(failure);
  }
}

function inAWhile(ms: number): string {
  if (ms <= 2_000) return 'in a moment';
  return ms < 120_000 ? `in ${Math.ceil(ms / 1_000)} s` : `in ${Math.ceil(ms / 60_000)} minutes`;
}

/** One that stands behind another. */
function newSentence(text: string): string {
  const whole = sentence(text);
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…)]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
