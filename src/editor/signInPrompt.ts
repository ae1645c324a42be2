import type { Disposable } from '../core/lifecycle.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { describeRefusedSignIn } from './signInWords.ts';

/** Asks for a sign-in once where a context refuses it, however many documents of it are open. */
export function promptForSignIn(
  documents: Pick<LiveDocuments, 'find' | 'onDidChangeState'>,
  notifier: Pick<Notifier, 'show'>,
): Disposable {
  const asked = new Set<string>();
  return documents.onDidChangeState((uri) => {
    const document = documents.find(uri);
    if (document === undefined) return;
    const { context } = document.ref;
    const { liveness } = document.view;
    if (liveness.kind === 'live') asked.delete(context);
    if (liveness.kind !== 'notWatched' || liveness.needsSignIn !== true || asked.has(context)) return;
    asked.add(context);
    notifier.show(describeRefusedSignIn(context, liveness.reason));
  });
}
