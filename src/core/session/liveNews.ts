import type { Outcome } from '../errors.ts';
import type { ResourceVersion, Snapshot } from '../resource/snapshot.ts';
import type { SessionEffect } from './sessionEvent.ts';
import type { Live, SessionState, WatchNews } from './sessionState.ts';
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
      return takeRelisted(state, news.snapshot);
  }
}

/**
 * Takes an object from the answer to our own read or write: it is at least as new as live. The watch may
 * be behind it or beyond it already.
 *
 * @param listed what a relist of unknown age held; where the answer is just that, the watch goes on from it
 */
export function takeAnswer(state: SessionState, snapshot: Snapshot, listed?: ResourceVersion): SessionState {
  const { resourceVersion } = snapshot;
  const passed = state.held.findIndex(
    (news) => news.kind !== 'gone' && news.snapshot?.resourceVersion === resourceVersion,
  );
  const isShown = state.history.includes(resourceVersion) && resourceVersion !== state.awaited;
  if (passed >= 0 || isShown || resourceVersion === listed) {
    const { awaited: _reached, ...rest } = setLive(dropHeld(state, passed + 1), snapshot);
    return rest;
  }
  if (resourceVersion === newestOf(state.live).resourceVersion) return state;
  // What follows a relist may be newer than the answer.
  const firstRelist = state.held.findIndex(({ kind }) => kind === 'relisted');
  const older = firstRelist < 0 ? state.held.length : firstRelist;
  return { ...setLive(dropHeld(state, older), snapshot), awaited: resourceVersion };
}

/** Drops the oldest of the news that waits: seen again, its versions are replays. */
function dropHeld(state: SessionState, count: number): SessionState {
  let { history } = state;
  for (const news of state.held.slice(0, count)) {
    if (news.kind === 'seen') history = remember(history, news.snapshot.resourceVersion);
  }
  return { ...state, history, held: state.held.slice(count) };
}

/** Takes a fresh read that was made outside a save. A failed one tells nothing. */
export function takeFreshRead(state: SessionState, outcome: Outcome<Snapshot>): SessionState {
  const { confirming, ...rest } = state;
  if (outcome.kind === 'ok') return takeAnswer(rest, outcome.value, confirming?.listed);
  return outcome.kind === 'notFound' ? takeAbsence(rest) : rest;
}

/** The object is gone, as an answer of the server says. */
export function takeAbsence(state: SessionState): SessionState {
  const { awaited: _dropped, ...rest } = state;
  return { ...rest, live: { kind: 'deleted', last: lastOfOurs(state) } };
}

function takeSeen(state: SessionState, snapshot: Snapshot): SessionState {
  const { resourceVersion } = snapshot;
  if (state.history.includes(resourceVersion)) {
    if (resourceVersion !== state.awaited) return state;
    const { awaited: _reached, ...rest } = state;
    return rest;
  }
  if (state.awaited !== undefined) {
    return { ...state, history: remember(state.history, resourceVersion) };
  }
  return setLive(state, snapshot);
}

function takeGone(state: SessionState, uid: Snapshot['uid']): SessionState {
  const isCurrent = state.live.kind !== 'deleted' && state.live.snapshot.uid === uid;
  return isCurrent ? takeAbsence(state) : state;
}

function takeRelisted(state: SessionState, snapshot: Snapshot | undefined): Step {
  const listed = snapshot?.resourceVersion;
  if (state.awaited !== undefined && listed !== state.awaited) {
    const confirming = listed === undefined ? {} : { listed };
    return { state: { ...state, confirming }, effects: [{ kind: 'confirmLive' }] };
  }
  return { state: snapshot === undefined ? takeAbsence(state) : takeSeen(state, snapshot), effects: [] };
}

function setLive(state: SessionState, snapshot: Snapshot): SessionState {
  if (snapshot.resourceVersion === newestOf(state.live).resourceVersion && state.live.kind !== 'deleted')
    return state;
  const history = remember(state.history, snapshot.resourceVersion);
  const live: Live =
    snapshot.uid === state.uid
      ? { kind: 'present', snapshot }
      : { kind: 'recreated', last: lastOfOurs(state), snapshot };
  return { ...state, history, live };
}

function lastOfOurs(state: SessionState): Snapshot {
  return state.live.kind === 'present' ? state.live.snapshot : state.live.last;
}

function remember(history: readonly ResourceVersion[], version: ResourceVersion): readonly ResourceVersion[] {
  return [...history.slice(1 - maxHistory), version];
}
