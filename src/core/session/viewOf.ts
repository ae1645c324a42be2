import { metadataString } from '../resource/kubeObject.ts';
import type { Live, SessionState } from './sessionState.ts';
import type { SessionPhase, SessionView } from './sessionView.ts';
import type { Snapshot } from '../resource/snapshot.ts';

/** What the UI may know of a session. */
export function viewOf(state: SessionState): SessionView {
  return {
    ref: state.ref,
    phase: phaseOf(state),
    isDirty: state.isDirty,
    isSaving: state.save !== undefined,
    isMerging: state.isMerging,
    ...(state.readOnlyReason === undefined ? {} : { readOnlyReason: state.readOnlyReason }),
    liveness: state.liveness,
    baseVersion: state.named,
    liveVersion: newestOf(state.live).resourceVersion,
    uid: state.uid,
    conflicts: state.analysis.conflicts,
    foreign: state.analysis.foreign.map(({ path, by }) => ({ path, ...(by === undefined ? {} : { by }) })),
  };
}

/** The newest snapshot of any object of this name. */
export function newestOf(live: Live): Snapshot {
  return live.kind === 'deleted' ? live.last : live.snapshot;
}

function phaseOf(state: SessionState): SessionPhase {
  switch (state.live.kind) {
    case 'deleted':
      return 'deleted';
    case 'recreated':
      return 'recreated';
    case 'present':
      if (state.analysis.conflicts.length > 0) return 'conflicted';
      if (metadataString(state.live.snapshot.object, 'deletionTimestamp') !== undefined) return 'terminating';
      return state.analysis.foreign.length > 0 || !state.ledger.has(state.named) ? 'stale' : 'fresh';
  }
}
