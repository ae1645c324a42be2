import { assertNever } from '../core/assertNever.ts';
import type { JsonObject } from '../core/json.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import { isSecretField, isSecretResource } from '../core/merge/secretFields.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Liveness, SessionView } from '../core/session/sessionView.ts';
import { hiddenValue } from '../core/text/maskSecret.ts';
import { count, describeAuthors, describeBlame, shortValue } from './fieldWords.ts';
import { nameObject, namePlace, shortName } from './objectWords.ts';
import { printClock } from './relativeTime.ts';

/** What the status bar says of a document. */
export interface StatusWords {
  /** With an icon in VS Code's `$(name)` form. */
  readonly text: string;
  /** The same for a screen reader. */
  readonly label: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** Whole sentences for the tooltip, most important first. */
  readonly detail: readonly string[];
}

/** What the words need to know beside the view. */
export interface StatusContext {
  readonly nowMs: number;
  /** The newest object seen, for its kind. */
  readonly liveObject?: JsonObject | undefined;
  /** Why each write needs consent, where it does. */
  readonly protectedReason?: string | undefined;
  /** The values of a Secret may be shown. */
  readonly isRevealed: boolean;
  /** The values of a Secret are shown as text in its own editor. */
  readonly isDecoded?: boolean;
}

/** How many fields a tooltip names before it counts the rest. */
const maxListed = 8;

/** The words for a document's state: what stands against live first, then which object it is, then liveness. */
export function describeStatus(view: SessionView, context: StatusContext): StatusWords {
  const headline = describePhase(view, context);
  const activity = describeActivity(view);
  const isProtected = context.protectedReason !== undefined && view.readOnlyReason === undefined;
  const parts = [
    activity?.words ?? headline.words,
    shortName(view.ref),
    view.ref.context,
    view.phase === 'fresh' && view.isDirty && activity === undefined ? 'unsaved' : undefined,
    view.readOnlyReason === undefined ? undefined : 'read-only',
    isProtected ? 'protected' : undefined,
    context.isDecoded === true ? 'values shown' : undefined,
    describeLiveness(view, context.nowMs),
  ].filter((part) => part !== undefined);
  const words = parts.join(' · ');
  return {
    text: `$(${activity?.icon ?? (isProtected && view.phase === 'fresh' ? 'shield' : headline.icon)}) ${words}`,
    label: `${nameObject(view.ref, context.liveObject)}: ${words}`,
    tone: isProtected && headline.tone === 'plain' ? 'warning' : headline.tone,
    detail: detailOf(view, context),
  };
}

/** `Stale: 2 fields changed by kubectl, 12 s ago`, for tabs and lines; undefined while nothing is amiss. */
export function describeTrouble(view: SessionView, context: StatusContext): string | undefined {
  return describePhase(view, context).words;
}

/** `live: 5, by hpa-controller, 12 s ago`: what stands on live at a conflicting field. */
export function describeLiveSide(conflict: Conflict, ref: ResourceRef, context: StatusContext): string {
  const by = describeBlame(conflict.by, context.nowMs);
  const value =
    conflict.live === undefined ? 'removed' : shownValue(ref, conflict.path, conflict.live, context);
  return `live: ${value}${by === undefined ? '' : `, by ${by}`}`;
}

/** A value inside a line; a Secret's is hidden unless revealed. */
export function shownValue(
  ref: ResourceRef,
  path: Conflict['path'],
  value: Conflict['live'],
  { isRevealed }: Pick<StatusContext, 'isRevealed'>,
): string {
  const isHidden = isSecretResource(ref.gvr) && isSecretField(path) && !isRevealed;
  return isHidden && value !== undefined ? hiddenValue : shortValue(value);
}

interface Headline {
  readonly words: string | undefined;
  readonly icon: string;
  readonly tone: StatusWords['tone'];
}

function describePhase(view: SessionView, { nowMs }: StatusContext): Headline {
  switch (view.phase) {
    case 'fresh':
      return { words: undefined, icon: freshIcon(view), tone: 'plain' };
    case 'stale': {
      const by = describeAuthors(view.foreign, nowMs);
      const words =
        view.foreign.length === 0
          ? 'Stale: the version that the text grew from is not known'
          : `Stale: ${count(view.foreign.length, 'field')} changed${by === undefined ? '' : ` by ${by}`}`;
      return { words, icon: 'warning', tone: 'warning' };
    }
    case 'conflicted':
      return { words: count(view.conflicts.length, 'conflict'), icon: 'error', tone: 'error' };
    case 'deleted':
      return { words: 'Deleted', icon: 'trash', tone: 'error' };
    case 'recreated':
      return { words: 'Deleted and created anew', icon: 'error', tone: 'error' };
    case 'terminating':
      return { words: 'Being deleted', icon: 'clock', tone: 'warning' };
    default:
      return assertNever(view.phase);
  }
}

function freshIcon(view: SessionView): string {
  if (view.readOnlyReason !== undefined) return 'lock';
  if (view.liveness.kind !== 'live') return 'debug-disconnect';
  return view.isDirty ? 'edit' : 'check';
}

function describeActivity({ isSaving, isMerging, conflicts }: SessionView): Headline | undefined {
  if (isSaving) return { words: 'Saving', icon: 'sync~spin', tone: 'plain' };
  if (!isMerging) return undefined;
  const left = conflicts.length === 0 ? '' : `: ${count(conflicts.length, 'conflict')}`;
  return { words: `Merging${left}`, icon: 'git-merge', tone: 'plain' };
}

function describeLiveness({ liveness, phase }: SessionView, nowMs: number): string | undefined {
  switch (liveness.kind) {
    case 'live':
      return phase === 'fresh' ? 'live' : undefined;
    case 'reconnecting':
      return `not live since ${printClock(liveness.since, nowMs)}`;
    case 'notWatched':
      return liveness.needsSignIn === true ? 'not live: sign in' : 'not live';
    default:
      return assertNever(liveness);
  }
}

function detailOf(view: SessionView, context: StatusContext): string[] {
  const { ref, baseVersion, liveVersion } = view;
  return [
    `${nameObject(ref, context.liveObject)} in ${namePlace(ref)}.`,
    ...phaseDetail(view, context),
    ...(view.isMerging ? ['A merge is open; nothing is sent until it is accepted and you save.'] : []),
    ...(view.readOnlyReason === undefined ? [] : [`Read-only: ${view.readOnlyReason}`]),
    ...(context.protectedReason === undefined || view.readOnlyReason !== undefined
      ? []
      : [`${context.protectedReason} Each save asks first.`]),
    ...(context.isDecoded === true ? [decodedDetail(view)] : []),
    livenessDetail(view.liveness, context.nowMs),
    baseVersion === liveVersion
      ? `Version ${liveVersion}.`
      : `The text grew from version ${baseVersion}; live is version ${liveVersion}.`,
  ];
}

function decodedDetail({ isDirty }: SessionView): string {
  const shown = 'The values are shown as plain text; a save encodes them.';
  return isDirty ? `${shown} Until then VS Code keeps the unsaved text, readable, in its backups.` : shown;
}

function phaseDetail(view: SessionView, context: StatusContext): string[] {
  switch (view.phase) {
    case 'fresh':
      return view.isDirty ? ['Your changes are not saved yet. Nobody else changed it.'] : [];
    case 'stale':
    case 'terminating':
      return [
        ...(view.phase === 'terminating' ? ['The object is being deleted.'] : []),
        ...listFields(view.foreign, ({ path, by }) => fieldLine(printFieldPath(path), by, context.nowMs)),
        ...(view.foreign.length > 0 && view.isDirty
          ? ['None of this touches what you changed: saving merges it in.']
          : []),
      ];
    case 'conflicted':
      return [
        ...listFields(view.conflicts, (conflict) => conflictLine(conflict, view.ref, context)),
        'Saving is refused until these are merged.',
      ];
    case 'deleted':
      return ['It no longer exists on the server. Your text is kept; saving does not bring the object back.'];
    case 'recreated':
      return [`It was deleted and created anew. Your text is about the old object, uid ${view.uid}.`];
    default:
      return assertNever(view.phase);
  }
}

function fieldLine(path: string, by: Conflict['by'], nowMs: number): string {
  const who = describeBlame(by, nowMs);
  return `${path}${who === undefined ? ' was changed.' : ` was changed by ${who}.`}`;
}

function conflictLine(conflict: Conflict, ref: ResourceRef, context: StatusContext): string {
  const mine =
    conflict.mine === undefined ? 'removed' : shownValue(ref, conflict.path, conflict.mine, context);
  const note = conflict.note === undefined ? '' : ` (${conflict.note})`;
  return `${printFieldPath(conflict.path)}: mine: ${mine}, ${describeLiveSide(conflict, ref, context)}${note}.`;
}

function listFields<T>(fields: readonly T[], print: (field: T) => string): string[] {
  const lines = fields.slice(0, maxListed).map(print);
  const more = fields.length - lines.length;
  return more > 0 ? [...lines, `And ${count(more, 'more field')}.`] : lines;
}

function livenessDetail(liveness: Liveness, nowMs: number): string {
  switch (liveness.kind) {
    case 'live':
      return 'Live: changes by others show here at once.';
    case 'reconnecting':
      return (
        `Not live since ${printClock(liveness.since, nowMs)}: the connection is being restored. ` +
        'Saving still refuses to overwrite a change by others.'
      );
    case 'notWatched':
      return `Not live: ${liveness.reason}. Saving still refuses to overwrite a change by others.`;
    default:
      return assertNever(liveness);
  }
}
