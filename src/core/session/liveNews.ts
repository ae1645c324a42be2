import type { ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import type { SessionEffect } from './sessionEvent.ts';
import type { SessionState, WatchNews } from './sessionState.ts';
import { newestOf } from './viewOf.ts';

/** A state before its analysis, and what it wants done. */
export interface Step {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

/** How many versions are remembered to know a replay by. */
const maxHistory = 512;

/**
 * Takes one piece of news from the watch while no save is under way. Replays, and whatever comes
 * before a version that an answer already showed, change nothing (issue cases A4, B7).
 */
export function takeNews(state: SessionState, news: WatchNews): Step {
  switch (news.kind) {
    case 'seen':
      return { state: takeSeen(state, news.snapshot), effects: [] };
    case 'gone':
      return { state: takeGone(state, news.uid), effects: [] };
    case 'relisted':
      return takeRelisted(state, news);
  }
}

/** Takes an object from the answer to our own read or write: it is at least as new as live. */
export function takeAnswer(state: SessionState, snapshot: Snapshot): SessionState {
  if (snapshot.resourceVersion === newestOf(state.live).resourceVersion) return state;
  const passed = state.held.findIndex(
    (news) =>
      (news.kind === 'seen' || news.kind === 'relisted') &&
      news.snapshot?.resourceVersion === snapshot.resourceVersion,
  );
  const next = setLive(state, snapshot);
  if (snapshot.uid !== state.uid || passed >= 0) {
    const { awaited: _reached, ...rest } = next;
    return { ...rest, held: state.held.slice(passed + 1) };
  }
  // A relist may be newer than the answer, and nothing else would end the wait then: it is asked again.
  return {
    ...next,
    held: state.held.filter((news) => news.kind === 'relisted'),
    awaited: snapshot.resourceVersion,
  };
}

/** The object is gone, as an answer of the server says. */
export function takeAbsence(state: SessionState): SessionState {
  const { awaited: _dropped, ...rest } = state;
  return { ...rest, live: { kind: 'deleted', last: lastOfOurs(state) } };
}

function takeSeen(state: SessionState, snapshot: Snapshot): SessionState {
  const { resourceVersion, uid } = snapshot;
  if (state.history.includes(resourceVersion)) {
    if (resourceVersion !== state.awaited) return state;
    const { awaited: _reached, ...rest } = state;
    return rest;
  }
  if (uid === state.uid && state.live.kind === 'recreated') return state;
  if (uid === state.uid && state.awaited !== undefined) {
    return { ...state, history: remember(state.history, resourceVersion) };
  }
  return setLive(state, snapshot);
}

function takeGone(state: SessionState, uid: Snapshot['uid']): SessionState {
  const isCurrent = state.live.kind !== 'deleted' && state.live.snapshot.uid === uid;
  return isCurrent ? takeAbsence(state) : state;
}

function takeRelisted(state: SessionState, news: WatchNews & { kind: 'relisted' }): Step {
  const { snapshot } = news;
  if (state.awaited !== undefined && !news.isNewerThanSave && snapshot?.resourceVersion !== state.awaited) {
    return { state, effects: [{ kind: 'confirmLive' }] };
  }
  const { awaited: _reached, ...settled } = state;
  if (snapshot === undefined) return { state: takeAbsence(settled), effects: [] };
  return { state: takeSeen(settled, snapshot), effects: [] };
}

function setLive(state: SessionState, snapshot: Snapshot): SessionState {
  const history = remember(state.history, snapshot.resourceVersion);
  if (snapshot.uid === state.uid) return { ...state, history, live: { kind: 'present', snapshot } };
  const { awaited: _obsolete, ...rest } = state;
  return { ...rest, history, live: { kind: 'recreated', last: lastOfOurs(state), snapshot } };
}

function lastOfOurs(state: SessionState): Snapshot {
  return state.live.kind === 'present' ? state.live.snapshot : state.live.last;
}

function remember(history: readonly ResourceVersion[], version: ResourceVersion): readonly ResourceVersion[] {
  return [...history.slice(1 - maxHistory), version];
}
