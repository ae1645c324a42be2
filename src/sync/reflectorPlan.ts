import { assertNever } from '../core/assertNever.ts';
import type { RequestFailure } from '../core/errors.ts';
import type { WatchEnd } from './clusterPort.ts';
import type { Backoff } from './backoff.ts';

/** How a list or a watch of a reflector ended; `silent` is a watch that outlived its own timeout. */
export type AttemptEnd =
  Exclude<RequestFailure, { kind: 'aborted' }> | WatchEnd | { readonly kind: 'silent' };

/** What a reflector does next. */
export interface NextStep {
  /** True where the resume point is of no more use. */
  readonly mustList: boolean;
  /** Before the next attempt, in ms; `never` waits to be asked. */
  readonly pauseMs: number | 'never';
  /** Why nothing is watched until then, in words; absent where the pause is only the usual backoff. */
  readonly stopReason?: string;
  /** It stopped for want of credentials that the server accepts. */
  readonly needsSignIn?: true;
  /** The end was an ordinary one: nothing is wrong. */
  readonly isOrdinary: boolean;
}

/** Pause, in ms, before a resource is tried again that is not served or cannot be watched. */
export const slowRetryMs = 60_000;

/**
 * Whether a list that was to come as the initial events of a watch is better asked for page by page: the
 * server does not serve it that way, or not to its end. Where nothing was reached or allowed, a list fares no better.
 */
export function needsPages(end: AttemptEnd): boolean {
  switch (end.kind) {
    case 'ended':
    case 'silent':
    case 'expired':
    case 'versionTooLarge':
    case 'serverError':
    case 'invalidAnswer':
    case 'refused':
      return true;
    case 'throttled':
    case 'unreachable':
    case 'interrupted':
    case 'aborted':
    case 'unauthenticated':
    case 'forbidden':
    case 'misconfigured':
    case 'notFound':
      return false;
    default:
      return assertNever(end);
  }
}

/** Failures after which a watch version that the server says is too large is given up. */
const maxTooLarge = 3;

/**
 * Decides what follows the end of a list or watch, and counts it in `backoff`.
 * Source: design.md section 6.
 */
export function planNext(end: AttemptEnd, phase: 'list' | 'watch', backoff: Backoff): NextStep {
  const wasWell = backoff.failures === 0;
  const again = (options: { mustList?: boolean; pauseMs: number; isOrdinary?: boolean }): NextStep => ({
    mustList: phase === 'list' || options.mustList === true,
    pauseMs: options.pauseMs,
    isOrdinary: options.isOrdinary === true,
  });
  const stop = (stopReason: string, pauseMs: number | 'never'): NextStep => {
    backoff.reset();
    return { mustList: true, pauseMs, stopReason, isOrdinary: false };
  };
  switch (end.kind) {
    case 'ended': {
      // A server that closes at once would otherwise be asked without pause.
      const pauseMs = backoff.fail();
      return again({ pauseMs: wasWell ? 0 : pauseMs, isOrdinary: wasWell });
    }
    case 'expired': {
      const pauseMs = backoff.fail();
      return again({ mustList: true, pauseMs: wasWell ? 0 : pauseMs });
    }
    case 'silent':
      return again({ mustList: true, pauseMs: backoff.fail() });
    case 'throttled':
    case 'serverError':
      return again({ pauseMs: backoff.fail(end.retryAfterMs) });
    case 'versionTooLarge': {
      // A replica that lags catches up; a store restored from a backup never does.
      const pauseMs = backoff.fail(end.retryAfterMs);
      return again({ mustList: backoff.failures >= maxTooLarge, pauseMs });
    }
    case 'unreachable':
    case 'interrupted':
    case 'invalidAnswer':
    case 'aborted':
      return again({ pauseMs: backoff.fail() });
    case 'unauthenticated':
      return { ...stop(end.message, 'never'), needsSignIn: true };
    case 'forbidden':
    case 'misconfigured':
      return stop(end.message, 'never');
    case 'notFound':
    case 'refused':
      return stop(end.message, slowRetryMs);
    default:
      return assertNever(end);
  }
}
