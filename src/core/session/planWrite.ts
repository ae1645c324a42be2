import type { JsonObject } from '../json.ts';
import type { AppliedChange } from '../merge/mergeResult.ts';
import type { Precondition, ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import type { SaveResult } from './saveResult.ts';
import { startSave } from './saveSteps.ts';
import type { SessionState } from './sessionState.ts';

/** What a save of a text would send now, or the result in which it would end without sending anything. */
export type WritePlan =
  | {
      readonly kind: 'write';
      /** The live object that the write is about. */
      readonly on: Snapshot;
      readonly precondition: Precondition;
      readonly object: JsonObject;
      /** The merged value of {@link object}, in its editable form. */
      readonly merged: JsonObject;
      /** What the text's base and the text hold, to tell its own edits. */
      readonly base: JsonObject;
      readonly mine: JsonObject;
      /** Foreign changes that are merged into it. */
      readonly applied: readonly AppliedChange[];
    }
  | { readonly kind: 'ended'; readonly result: Exclude<SaveResult, { readonly kind: 'committed' }> };

/** Decides as a save does, and leaves the state alone: a dry run sends the very write that a save would. */
export function planWrite(state: SessionState, mine: JsonObject, named: ResourceVersion): WritePlan {
  const { state: after, effects } = startSave({ ...state, reviewsForeignChanges: false }, mine, named);
  const [effect] = effects;
  if (effect?.kind === 'finishSave' && effect.result.kind !== 'committed') {
    return { kind: 'ended', result: effect.result };
  }
  const { save } = after;
  if (effect?.kind !== 'write' || save?.sent === undefined) throw new Error('a save starts with a write');
  const { precondition, object } = effect;
  const { on, merged } = save.sent;
  return { kind: 'write', on, precondition, object, merged, base: save.base, mine, applied: save.applied };
}
