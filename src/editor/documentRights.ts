import type { OpenDocument } from './openDocument.ts';

/** Asks the server whether a document's object may be updated; where it cannot say, nothing changes. */
export async function checkRights(document: OpenDocument, signal: AbortSignal): Promise<void> {
  const { access, cluster, ref } = document;
  const outcome = await cluster.isAllowed(ref, 'update', signal, ref.subresource);
  if (outcome.kind !== 'ok') return;
  if (outcome.value) {
    if (access.isMissingRight) access.setMissingRight(undefined);
    return;
  }
  const what = ref.subresource === undefined ? 'this object' : `the ${ref.subresource} of this object`;
  access.setMissingRight(`You are not allowed to update ${what} in ${ref.context}.`);
}
