import type { SessionView } from '../core/session/sessionView.ts';
import type { ObjectRight } from '../sync/objectRights.ts';
import type { CommandId } from './commandMap.ts';
import { count } from './fieldWords.ts';

/** One thing that can be done with a live document now. */
export interface DocumentAction {
  readonly command: CommandId;
  readonly title: string;
  /** What it does, in a sentence without full stop. */
  readonly detail: string;
  /** A codicon's name. */
  readonly icon: string;
  /** It asks where a person is there to answer: its second argument says so. */
  readonly mayAsk?: true;
}

/** What decides the choices beside the view. */
export interface ActionContext {
  readonly isSecret: boolean;
  readonly isRevealed: boolean;
  /** The values of a Secret are shown as text in its own editor. */
  readonly isDecoded: boolean;
  /** What may be done with the whole object. */
  readonly rights: ReadonlySet<ObjectRight>;
  /** Its merge editor was closed with a saved result. */
  readonly hasClosedMerge: boolean;
  /** Saves of it from this editor are kept. */
  readonly hasSaves: boolean;
}

/** The choices that apply to a document in its state, the likeliest first. */
export function listActions(view: SessionView, context: ActionContext): DocumentAction[] {
  const { isSecret, isRevealed, isDecoded, hasClosedMerge, hasSaves } = context;
  const rights: ReadonlySet<ObjectRight> = view.ref.subresource === undefined ? context.rights : new Set();
  const hasLive = view.phase !== 'deleted';
  const isWritable = view.readOnlyReason === undefined;
  const isBehind = view.phase === 'stale' || view.phase === 'conflicted' || view.foreign.length > 0;
  const isOrdinary = view.phase !== 'recreated' && view.phase !== 'conflicted';
  const canSave = view.isDirty && isWritable && hasLive && isOrdinary;
  const canMerge = isBehind && hasLive && view.phase !== 'recreated';
  const needsSignIn = view.liveness.kind === 'notWatched' && view.liveness.needsSignIn === true;
  return [
    ...(needsSignIn ? [signIn] : []),
    ...(canMerge ? [mergeAction(view)] : []),
    ...(hasClosedMerge && hasLive ? [useClosedMerge] : []),
    ...(view.phase === 'deleted' && rights.has('create') ? [recreate] : []),
    ...(hasLive && (view.isDirty || isBehind || view.phase === 'recreated') ? [compare] : []),
    ...(canMerge ? [liveChanges, whoChanged] : []),
    ...(view.phase === 'conflicted' ? [keepMine, takeLive] : []),
    ...(canSave ? [save, dryRun] : []),
    ...(hasLive && (view.isDirty || view.phase === 'recreated') ? [reload] : []),
    ...(hasLive ? [fullObject] : []),
    ...(isSecret ? [isDecoded ? encodeValues : decodeValues, isRevealed ? hideValues : revealValues] : []),
    ...(hasLive && rights.has('scale') ? [scale] : []),
    ...(hasLive && rights.has('editStatus') ? [editStatus] : []),
    ...(rights.has('create') ? [createCopy] : []),
    ...(hasSaves ? [showSaves] : []),
    ...(view.phase === 'terminating' && rights.has('update') ? [removeFinalizers] : []),
    ...(hasLive && view.phase !== 'terminating' && rights.has('delete') ? [deletion] : []),
  ];
}

function mergeAction(view: SessionView): DocumentAction {
  const conflicts = view.conflicts.length;
  return {
    command: 'kubemerge.merge',
    title: conflicts > 0 ? 'Resolve in Merge Editor' : 'Merge Live into Mine',
    detail:
      conflicts > 0
        ? `Decide ${count(conflicts, 'field')}; everything else has merged by itself`
        : `Bring ${count(view.foreign.length, 'field')} that others changed into the text`,
    icon: 'git-merge',
  };
}

const signIn: DocumentAction = {
  command: 'kubemerge.signIn',
  title: 'Sign In in a Terminal',
  detail: 'The server accepts your sign-in no more; what waits for it goes on after this',
  icon: 'key',
};
const useClosedMerge: DocumentAction = {
  command: 'kubemerge.acceptMerge',
  title: 'Use the Closed Merge’s Result',
  detail: 'What you saved in the merge editor before it was closed',
  icon: 'check',
};
const recreate: DocumentAction = {
  command: 'kubemerge.recreate',
  title: 'Recreate',
  detail: 'Create the object anew from this text',
  icon: 'add',
};
const scale: DocumentAction = {
  command: 'kubemerge.scale',
  title: 'Scale…',
  detail: 'Set the number of replicas, on the condition that nobody else changed the object',
  icon: 'arrow-both',
};
const editStatus: DocumentAction = {
  command: 'kubemerge.editStatus',
  title: 'Edit Status',
  detail: 'The status alone, in a document of its own; saved through its own endpoint',
  icon: 'pulse',
};
const createCopy: DocumentAction = {
  command: 'kubemerge.createCopy',
  title: 'Create a Copy…',
  detail: 'Another object from this text; asks for its name',
  icon: 'copy',
};
const showSaves: DocumentAction = {
  command: 'kubemerge.history',
  title: 'Show Saves…',
  detail: 'What your saves from this editor changed, before and after; each can be undone',
  icon: 'history',
  mayAsk: true,
};
const removeFinalizers: DocumentAction = {
  command: 'kubemerge.removeFinalizers',
  title: 'Remove Finalizers…',
  detail: 'Let the object go without what its finalizers still wait for',
  icon: 'unlock',
};
const deletion: DocumentAction = {
  command: 'kubemerge.delete',
  title: 'Delete Object…',
  detail: 'As you saw it, or not at all; asks what becomes of what it owns',
  icon: 'trash',
};
const compare: DocumentAction = {
  command: 'kubemerge.compareWithLive',
  title: 'Compare with Live',
  detail: 'What the cluster holds now, beside your text',
  icon: 'diff',
};
const liveChanges: DocumentAction = {
  command: 'kubemerge.showLiveChanges',
  title: 'Show What Others Changed',
  detail: 'What the text grew from, beside what the cluster holds now',
  icon: 'history',
};
const whoChanged: DocumentAction = {
  command: 'kubemerge.whoChanged',
  title: 'Who Changed This?',
  detail: 'The fields that others changed, each with who and when',
  icon: 'account',
};
const keepMine: DocumentAction = {
  command: 'kubemerge.keepMine',
  title: 'Keep Mine Everywhere',
  detail: 'Your values for all conflicting fields; the next save overrides the others',
  icon: 'arrow-right',
};
const takeLive: DocumentAction = {
  command: 'kubemerge.takeLive',
  title: 'Take Live Everywhere',
  detail: 'The cluster’s values for all conflicting fields; your other changes stay',
  icon: 'arrow-left',
};
const save: DocumentAction = {
  command: 'kubemerge.save',
  title: 'Save',
  detail: 'Send your changes, merged with what others changed',
  icon: 'save',
  mayAsk: true,
};
const dryRun: DocumentAction = {
  command: 'kubemerge.dryRun',
  title: 'Dry Run',
  detail: 'What the server would make of a save; nothing is written',
  icon: 'beaker',
};
const reload: DocumentAction = {
  command: 'kubemerge.reload',
  title: 'Reload from the Cluster',
  detail: 'Discard your changes and show what the cluster holds now',
  icon: 'discard',
};
const fullObject: DocumentAction = {
  command: 'kubemerge.showFullObject',
  title: 'Show Full Object',
  detail: 'Everything the server holds, managedFields and status included; read-only',
  icon: 'json',
};
const decodeValues: DocumentAction = {
  command: 'kubemerge.decodeSecretValues',
  title: 'Reveal and Edit Values Decoded',
  detail: 'As plain text under stringData, in this editor only; a save encodes them',
  icon: 'eye',
};
const encodeValues: DocumentAction = {
  command: 'kubemerge.encodeSecretValues',
  title: 'Hide Decoded Values',
  detail: 'Back to base64 under data; your changes stay',
  icon: 'eye-closed',
};
const revealValues: DocumentAction = {
  command: 'kubemerge.revealSecretValues',
  title: 'Show Secret Values in Comparisons',
  detail: 'Also in merges of this Secret, until it is closed',
  icon: 'diff-added',
};
const hideValues: DocumentAction = {
  command: 'kubemerge.hideSecretValues',
  title: 'Hide Secret Values in Comparisons',
  detail: 'Also in merges of this Secret',
  icon: 'diff-removed',
};
