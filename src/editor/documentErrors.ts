import * as vscode from 'vscode';
import type { Outcome, RequestFailure } from '../core/errors.ts';
import { describeReadFailure } from './readFailures.ts';

/** @throws Error that VS Code shows where a document cannot be read; `what` says what was tried */
export function orThrow<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.kind === 'ok') return outcome.value;
  throw toFileSystemError(outcome, what);
}

/** The one place where a failed read becomes an error that VS Code shows. */
function toFileSystemError(failure: RequestFailure, what: string): Error {
  const message = `${what}: ${describeReadFailure(failure)}`;
  switch (failure.kind) {
    case 'notFound':
      return vscode.FileSystemError.FileNotFound(message);
    case 'forbidden':
    case 'unauthenticated':
      return vscode.FileSystemError.NoPermissions(message);
    default:
      return vscode.FileSystemError.Unavailable(message);
  }
}

/**
 * A document's context leads to another cluster by now (issue case H6).
 *
 * @param earlierServer where it led when the document was opened, where that is known
 */
export function movedMessage(context: string, server: string, earlierServer?: string): string {
  const what =
    server === earlierServer
      ? `now trusts other certificate authorities for ${server}, so that it may be another cluster`
      : `now points to another cluster (${server})`;
  return (
    `Context ${context} ${what}. This document stays on the one that it was opened from, and is not saved. ` +
    'Open the object again to work on the new one.'
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
