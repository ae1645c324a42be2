import type { OpenDocument } from './openDocument.ts';

/** Asks the server whether a document's object may be updated; where it cannot say, nothing changes. */
export async function checkRights(document: OpenDocument, signal: AbortSignal): Promise<void> {
  const { access, cluster, ref } = document;
  const outcome = await cluster.isAllowed(ref, 'update', signal);
  if (outcome.kind !== 'ok') return;
  if (outcome.value) {
    if (access.isMissingRight) access.setMissingRight(undefined);
    return;
  }
  access.setMissingRight(`You are not allowed to update this object in ${ref.context}.`);
}
