import * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import type { ResourceVersion } from '../core/resource/snapshot.ts';
import { planWrite } from '../core/session/planWrite.ts';
import { readMine } from '../core/session/readMine.ts';
import type { SessionState } from '../core/session/sessionState.ts';
import type { OpenDocument } from './openDocument.ts';
import type { KeptSession } from './savedSessions.ts';

/** True where live holds all that this text changed: there is nothing to send, whoever wrote it. */
function isLanded(state: SessionState, mine: JsonObject, named: ResourceVersion): boolean {
  const plan = planWrite(state, mine, named);
  return plan.kind === 'ended' && plan.result.kind === 'unchanged' && plan.result.isHeld === true;
}

/** True for a text of an earlier window whose save has landed: nothing of it is left to bring back. */
export function isDraftLanded(
  { runner, mineContext }: OpenDocument,
  { named, base, draft }: KeptSession & { readonly kind: 'whole' },
): boolean {
  const { state } = runner;
  const reading = readMine(draft?.text ?? '', { ...mineContext, named });
  const ledger = new Map(state.ledger).set(named, base);
  return reading.kind === 'read' && isLanded({ ...state, ledger }, reading.object, named);
}

/**
 * Follows a text that an earlier window left unsaved until the cluster is heard of. Where that window was closed
 * during a save, the save may have landed without anyone being told: then the text is saved, and nothing is sent.
 */
export function completeLandedSave(document: OpenDocument, onError: (error: unknown) => void): void {
  const subscription = document.runner.onDidChange((state) => {
    const { mine, named, isDirty, save, liveness } = state;
    const isDone =
      save === undefined && isDirty && mine.kind === 'read' && isLanded(state, mine.object, named);
    if (!isDone && liveness.kind !== 'live') return;
    subscription.dispose();
    if (isDone) saveShown(document).catch(onError);
  });
}

/** Saves what has landed, and nothing that was typed since. */
async function saveShown(document: OpenDocument): Promise<void> {
  const { text, runner, mineContext } = document;
  const { state } = runner;
  const reading = readMine(text, mineContext);
  // Of a large text the session's own reading may lag behind the typing.
  if (reading.kind !== 'read' || !isLanded(state, reading.object, state.named)) return;
  const key = document.uri.toString();
  const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  if (shown !== undefined) await document.savingOnly(text, async () => await shown.save());
}
