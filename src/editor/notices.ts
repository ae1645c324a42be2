import { assertNever } from '../core/assertNever.ts';
import type { JsonObject } from '../core/json.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { AppliedChange, FieldChange } from '../core/merge/mergeResult.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { identityCodes } from '../core/session/readMine.ts';
import type { OverturnedField } from '../core/session/afterSave.ts';
import type { DryRunResult, SaveResult } from '../core/session/saveResult.ts';
import type { ForeignChange } from '../core/session/sessionView.ts';
import type { CommandId } from './commandMap.ts';
import { count, describeAuthors, joinNames, listPaths, shortValue } from './fieldWords.ts';
import { describeDenial } from './denialWords.ts';
import { describeKeeper } from './keeperWords.ts';
import { action, type Notice, type NoticeAction } from './notice.ts';
import type { UndoOutcome } from './undoSave.ts';
import { nameObject, namePlace } from './objectWords.ts';
import { withoutSecretValues } from './secretNotice.ts';
import { type ImmutableCause, readImmutable } from '../core/text/immutableFields.ts';
import { isSecretField, isSecretResource } from '../core/merge/secretFields.ts';

/** What the words need to know beside the result. */
export interface NoticeContext {
  readonly ref: ResourceRef;
  /** The document's URI, for the actions. */
  readonly uri: string;
  readonly nowMs: number;
  /** The newest object seen, for its kind. */
  readonly liveObject?: JsonObject | undefined;
  /** What others changed on live since base. */
  readonly foreign?: readonly ForeignChange[];
  /** The result is of a dry run: the words are about that, not about a save. */
  readonly isDryRun?: boolean;
}

/** The words for the end of a save; `kubemerge.save` answers with the message. */
export function describeSaveResult(result: SaveResult, context: NoticeContext): Notice {
  return withoutSecretValues(context.ref, describeSave(result, context));
}

function describeSave(result: SaveResult, context: NoticeContext): Notice {
  const name = nameObject(context.ref, context.liveObject);
  const place = namePlace(context.ref);
  const act = actionsFor(context.uri);
  const notSaved = (why: string, ...actions: readonly NoticeAction[]): Notice => ({
    severity: 'error',
    message:
      context.isDryRun === true
        ? `Dry run: ${sentence(why)}`
        : `Not saved: ${sentence(why)} Your text is kept.`,
    actions,
  });
  switch (result.kind) {
    case 'committed':
      return describeCommit(result, context);
    case 'gone':
      return notice(
        result.warnings.length > 0 ? 'warning' : 'info',
        [
          `Saved: ${nameObject(context.ref, result.before.object)} in ${place} was being deleted, and is gone now that its last finalizer is removed.`,
          ...result.warnings.map((warning) => `Warning from the server: ${sentence(warning)}`),
        ].join(' '),
      );
    case 'unchanged':
      if (result.isHeld === true)
        return notice('info', `Nothing to send: ${name} already holds all that you changed.`);
      return result.tookLive
        ? notice('info', `Nothing of yours to save. ${name} now shows what others changed.`)
        : notice('quiet', `Nothing to save: ${name} has no changes.`);
    case 'conflict': {
      const by = describeAuthors(result.conflicts, context.nowMs);
      const who = by === undefined ? '' : ` (by ${by})`;
      const fields = result.conflicts.length === 1 ? 'field' : count(result.conflicts.length, 'field');
      return notSaved(
        `you and someone else changed the same ${fields} of ${name}${who}: ${listPaths(result.conflicts)}. ` +
          'Nothing was sent.',
        act.merge,
        act.compare,
        act.reload,
      );
    }
    case 'preconditionFailed': {
      const by = describeAuthors(context.foreign ?? [], context.nowMs);
      return notSaved(
        `${name} changed on the server each time it was about to be saved (${count(result.attempts, 'try', 'tries')})` +
          `${by === undefined ? '' : `, last by ${by}`}.`,
        act.saveAgain,
        act.compare,
        act.reload,
      );
    }
    case 'recreated':
      return notSaved(
        `${name} in ${place} was deleted and created anew. Your text is about the old one (uid ${result.uid}); ` +
          `the new one (uid ${result.liveUid}) was not touched.`,
        act.compare,
        act.reload,
      );
    case 'deleted':
      return notSaved(`${name} no longer exists in ${place}.`, act.recreate);
    case 'invalidText': {
      const first = result.problems.find(({ severity }) => severity === 'error') ?? result.problems[0];
      const more = result.problems.length - 1;
      const codes = result.problems.map(({ code }) => code);
      return notSaved(
        `${first?.message ?? 'the text cannot be read.'}${more > 0 ? ` (and ${count(more, 'more problem')})` : ''}`,
        ...(codes.some((code) => identityCodes.some((one) => one === code)) ? [act.createCopy] : []),
        ...(codes.includes('versionChanged') ? [act.openAsVersion] : []),
      );
    }
    case 'rejected': {
      const isImmutable = result.causes.some((cause) => readImmutable(cause) !== undefined);
      const actions = isImmutable ? [act.createCopy, act.compare] : [act.saveAgain];
      return notSaved(describeRejection(result, name), ...actions);
    }
    case 'alreadyExists':
      return notSaved(`${name} exists already in ${place}.`, act.compare, act.reload);
    case 'ownedByOther': {
      const managers = joinNames([...new Set(result.fields.map(({ manager }) => manager))]);
      const fields = result.fields.map(({ field }) => field.replace(/^\./, ''));
      return notSaved(
        `${managers || 'another manager'} owns ${joinNames(fields) || 'some of these fields'}.`,
      );
    }
    case 'unauthenticated':
      return notSaved(
        `you are not signed in to ${context.ref.context}: ${sentence(result.message)} Then save again.`,
        act.signIn,
        act.saveAgain,
      );
    case 'forbidden':
      return notSaved(`you are not allowed to: ${result.message}`, act.saveAgain);
    case 'throttled':
      return notSaved(`the server of ${context.ref.context} is too busy: ${result.message}`, act.saveAgain);
    case 'notSent':
      return notSaved(
        `no connection to the server of ${context.ref.context}: ${sentence(result.message)} Nothing was sent.`,
        act.saveAgain,
      );
    case 'unknown':
      if (context.isDryRun === true)
        return notSaved(`the server gave no result: ${sentence(result.message)} Nothing was written.`);
      if (result.isAsBefore === true)
        return {
          severity: 'error',
          message:
            `The save of ${name} failed on each try, and the server still holds what it held before: ` +
            `${sentence(result.message)} Your text is kept.`,
          actions: [act.saveAgain, act.compare],
        };
      return {
        severity: 'error',
        message:
          `It is not known whether ${name} was saved: ${sentence(result.message)} ` +
          'Compare with what the server holds now before you save again. Your text is kept.',
        actions: [act.compare, act.saveAgain],
      };
    case 'readOnly':
      return notSaved(result.message);
    case 'baseUnknown':
      return notSaved(
        `the version that this text grew from (${result.resourceVersion}) is no longer remembered. ` +
          'Compare, then keep yours or take live.',
        act.compare,
        act.keepMine,
        act.takeLive,
      );
    case 'autoSave':
      return notice('quiet', `Not saved: auto-save never writes to a cluster. Save ${name} yourself.`);
    case 'cancelled':
      return notice('quiet', `Not saved: cancelled. Your text of ${name} is kept.`);
    default:
      return assertNever(result);
  }
}

export function actionsFor(uri: string): Record<ActionName, NoticeAction> {
  const onUri = (title: string, command: CommandId): NoticeAction => action(title, command, uri);
  // A person chooses it, who can be asked.
  const saving = (title: string): NoticeAction => action(title, 'kubemerge.save', uri, true);
  return {
    merge: onUri('Merge', 'kubemerge.merge'),
    compare: onUri('Compare', 'kubemerge.compareWithLive'),
    reload: onUri('Reload', 'kubemerge.reload'),
    createCopy: onUri('Create a Copy', 'kubemerge.createCopy'),
    openAsVersion: onUri('Open as Version', 'kubemerge.openAsVersion'),
    recreate: onUri('Recreate', 'kubemerge.recreate'),
    save: saving('Save'),
    saveAgain: saving('Save Again'),
    keepMine: onUri('Keep Mine', 'kubemerge.keepMine'),
    takeLive: onUri('Take Live', 'kubemerge.takeLive'),
    signIn: onUri('Sign In', 'kubemerge.signIn'),
    compareWithSaved: onUri('Show Diff', 'kubemerge.compareWithSaved'),
    history: onUri('Show Saves', 'kubemerge.history'),
  };
}

type ActionName =
  | 'merge'
  | 'compare'
  | 'reload'
  | 'createCopy'
  | 'openAsVersion'
  | 'recreate'
  | 'save'
  | 'saveAgain'
  | 'keepMine'
  | 'takeLive'
  | 'signIn'
  | 'history'
  | 'compareWithSaved';

/** Every save of this extension goes by this name, in whichever window. */
const ownManager = 'kubemerge';

/** The words for a save that someone overturned right after it. */
export function describeOverturned(fields: readonly OverturnedField[], context: NoticeContext): Notice {
  const { ref, nowMs } = context;
  const by = describeAuthors(fields, nowMs) ?? 'someone';
  const name = nameObject(ref, context.liveObject);
  const verb = fields.length === 1 ? 'was' : 'were';
  const what = fields.every(({ isReverted }) => isReverted) ? `${verb} set back` : `${verb} changed again`;
  const [only] = fields;
  const isShown = fields.length === 1 && !(isSecretResource(ref.gvr) && isSecretField(only?.path ?? []));
  const values =
    isShown && only !== undefined
      ? ` You saved ${shortValue(only.before)}, it now holds ${shortValue(only.after)}.`
      : '';
  const isSavedElsewhere = fields.every((field) => field.by?.manager === ownManager);
  return notice(
    'warning',
    `Right after your save, ${listPaths(fields)} of ${name} ${what} by ${by}.${values} ` +
      (isSavedElsewhere
        ? 'It was saved with KubeMerge in another window, or by someone else who uses it.'
        : `A controller or a tool that owns ${fields.length === 1 ? 'it' : 'them'} will do so again.`),
    actionsFor(context.uri).compareWithSaved,
  );
}

/** The words for taking back the save of a time; undone without unsaved changes beside it, the save itself speaks. */
export function describeUndo(outcome: UndoOutcome, context: NoticeContext, when: string): Notice {
  const name = nameObject(context.ref, context.liveObject);
  const act = actionsFor(context.uri);
  switch (outcome.kind) {
    case 'edited':
      return notice(
        'info',
        `The save of ${when} is undone in your text of ${name}. It has other unsaved changes too: look, then save.`,
        act.compare,
        act.save,
      );
    case 'nothing':
      return notice('info', `Nothing to undo: ${name} no longer holds what the save of ${when} changed.`);
    case 'conflicted':
      return notice(
        'warning',
        `The save of ${when} cannot be undone by itself: ${listPaths(outcome.conflicts)} changed again since. ` +
          'Nothing was changed. Compare, and edit it by hand.',
        act.history,
      );
    case 'otherObject':
      return notice(
        'warning',
        `The save of ${when} is about an earlier object: ${name} is gone, or was created anew.`,
      );
    case 'unreadable':
      return notice('error', `The save of ${when} cannot be undone: the text of ${name} cannot be read now.`);
    default:
      return assertNever(outcome);
  }
}

type Previewed = Extract<DryRunResult, { kind: 'previewed' }>;

/** The words for the end of a dry run. */
export function describeDryRun(result: DryRunResult, context: NoticeContext): Notice {
  if (result.kind !== 'previewed') {
    if (result.kind === 'unchanged') return notice('info', 'Dry run: there is nothing of yours to save.');
    return describeSaveResult(result, { ...context, isDryRun: true });
  }
  const { applied, altered, warnings } = result;
  const name = nameObject(context.ref, context.liveObject);
  const sentences = [`The server would take ${name} as shown. Nothing was written.`];
  if (applied.length > 0) sentences.push(`${describeApplied(applied, context.nowMs)}.`);
  if (altered.length > 0) sentences.push(describeAltered(altered, context.ref));
  for (const warning of warnings) sentences.push(`Warning from the server: ${sentence(warning)}`);
  return withoutSecretValues(context.ref, notice(previewSeverity(result), sentences.join(' ')));
}

function previewSeverity({ applied, altered, warnings }: Previewed): Notice['severity'] {
  if (altered.length > 0 || warnings.length > 0) return 'warning';
  return applied.length > 0 ? 'info' : 'quiet';
}

type Committed = Extract<SaveResult, { kind: 'committed' }>;

function describeCommit(result: Committed, context: NoticeContext): Notice {
  const { applied, altered, mutated = [], warnings, keepers = [] } = result;
  const sentences = [
    `Saved ${nameObject(context.ref, result.response.object)} in ${namePlace(context.ref)}.`,
  ];
  if (applied.length > 0) sentences.push(`${describeApplied(applied, context.nowMs)}.`);
  if (altered.length > 0) sentences.push(describeAltered(altered, context.ref));
  if (mutated.length > 0) sentences.push(`The server also set ${listPaths(mutated)}.`);
  for (const warning of warnings) sentences.push(`Warning from the server: ${sentence(warning)}`);
  sentences.push(...keepers.map(describeKeeper));
  const message = sentences.join(' ');
  if (altered.length > 0 || warnings.length > 0 || keepers.length > 0) return notice('warning', message);
  return notice(applied.length > 0 ? 'info' : 'quiet', message);
}

/** `Merged in 2 fields from kubectl, 12 s ago: spec.replicas and metadata.labels.tier`. */
export function describeApplied(applied: readonly AppliedChange[], nowMs: number): string {
  const by = describeAuthors(applied, nowMs);
  const notes = [...new Set(applied.map(({ note }) => note).filter((note) => note !== undefined))];
  return (
    `Merged in ${count(applied.length, 'field')}${by === undefined ? '' : ` from ${by}`}: ${listPaths(applied)}` +
    (notes.length === 0 ? '' : ` (${notes.join('; ')})`)
  );
}

function describeAltered(altered: readonly FieldChange[], ref: ResourceRef): string {
  const [only] = altered;
  if (
    only !== undefined &&
    altered.length === 1 &&
    !(isSecretResource(ref.gvr) && isSecretField(only.path))
  ) {
    return (
      `The server ignored or changed ${printFieldPath(only.path)}: ` +
      `you wrote ${shortValue(only.before)}, it holds ${shortValue(only.after)}.`
    );
  }
  return `The server ignored or changed ${count(altered.length, 'field')}: ${listPaths(altered)}.`;
}

function describeRejection(result: Extract<SaveResult, { kind: 'rejected' }>, name: string): string {
  const { causes, denial } = result;
  // What cannot be mended by another value comes first.
  const first = causes.find((cause) => readImmutable(cause) !== undefined) ?? causes[0];
  const more = causes.length - 1;
  if (denial !== undefined || first === undefined || isNoField(first.field)) {
    const isTooLong = first?.reason === 'FieldValueTooLong' && denial === undefined;
    return describeDenial(isTooLong ? { kind: 'tooLarge' } : denial, name, result.message);
  }
  const immutable = readImmutable(first);
  if (immutable !== undefined) return describeImmutable(first.field, immutable, name, more);
  return (
    `the server refused ${name}: ${first.field}: ${first.message}` +
    (more > 0 ? ` (and ${count(more, 'more problem')})` : '')
  );
}

/** The store's own limit is refused at the field `[]`. */
function isNoField(field: string): boolean {
  return field === '' || field === '[]';
}

/** A field that cannot be changed, and the ways out that lose nothing. */
function describeImmutable(
  field: string,
  { allowed, isSealed }: ImmutableCause,
  name: string,
  more: number,
): string {
  const others = more > 0 ? ` (and ${count(more, 'more problem')})` : '';
  const copy = 'or create a copy that has the new value. Nothing is deleted for you.';
  if (isSealed) {
    return `${name} is immutable, for good: its ${field} cannot be changed${others}. Revert that, ${copy}`;
  }
  if (allowed.length > 0) {
    return (
      `once ${name} exists, only ${joinNames(allowed)} of its ${field} can be changed${others}. ` +
      `Revert what is marked, with the quick fix there, ${copy}`
    );
  }
  return (
    `${field} of ${name} cannot be changed once it exists${others}. ` +
    `Revert what is marked, with the quick fix there, ${copy}`
  );
}

function notice(severity: Notice['severity'], message: string, ...actions: readonly NoticeAction[]): Notice {
  return { severity, message, actions };
}

/** Ends with a full stop unless the text ends a sentence by itself. */
function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`;
}
