import * as vscode from 'vscode';
import { type JsonObject, memberAt } from '../core/json.ts';
import { finalizersOf } from '../core/resource/finalizers.ts';
import { findKeepers } from '../core/resource/keepers.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import { type ResourceRef, wholeOf } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import type { ClusterPort, ClustersPort, Discovery } from '../sync/clusterPort.ts';
import { type Decision, readSnapshot, sendAction } from '../sync/conditionalAction.ts';
import { deletionOf, type Propagation, removalOfFinalizers, scaleTo } from '../sync/objectDecisions.ts';
import { describeActionOutcome, describeNotOffered } from './actionWords.ts';
import type { CommandRegistry, CommandTarget } from './commandMap.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { DocumentStore } from './documentStore.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { describeReturn, nameKeepers } from './keeperWords.ts';
import type { Notifier } from './notifier.ts';
import { nameObject, namePlace } from './objectWords.ts';
import { describeReadFailure } from './readFailures.ts';
import { refOf, type TreeNode } from './treeNodes.ts';
import type { ConsentRequest, WriteConsents } from './writeConsents.ts';

export interface ObjectActionDependencies {
  readonly clusters: ClustersPort;
  readonly commands: CommandRegistry;
  readonly documents: DocumentStore;
  readonly open: (ref: ResourceRef) => Promise<unknown>;
  readonly targets: DocumentTargets;
  readonly notifier: Notifier;
  readonly consents: WriteConsents;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason'>;
}

/** What was chosen for an action. */
interface Target {
  readonly ref: ResourceRef;
  readonly cluster: ClusterPort;
  /** For its kind. */
  readonly object: JsonObject | undefined;
}

/** What an action is about, as the server shows it now. */
interface Subject {
  readonly ref: ResourceRef;
  readonly cluster: ClusterPort;
  readonly type: ResourceType;
  readonly seen: Snapshot;
}

interface ObjectAction {
  readonly name: ConsentRequest['action'];
  readonly verb: string;
  readonly subresource?: string;
  /** Asks what is still to be decided. Undefined: the person gave up, or was told why there is nothing to do. */
  readonly decide: (subject: Subject, notifier: Notifier) => Promise<Decided | undefined>;
}

/** What a person decided, and how a question about it puts that. */
interface Decided extends Decision {
  readonly detail?: string;
}

/** Registers the actions on whole objects: each one a conditional write. */
export function registerObjectActions(dependencies: ObjectActionDependencies): vscode.Disposable {
  const { commands } = dependencies;
  return vscode.Disposable.from(
    commands.register('kubemerge.delete', (target) => run(deletion, target, dependencies)),
    commands.register('kubemerge.removeFinalizers', (target) => run(finalizing, target, dependencies)),
    commands.register('kubemerge.scale', (target) => run(scaling, target, dependencies)),
    commands.register('kubemerge.editStatus', (target) => editStatus(target, dependencies)),
  );
}

async function run(
  action: ObjectAction,
  target: CommandTarget | TreeNode | undefined,
  dependencies: ObjectActionDependencies,
): Promise<void> {
  const { notifier, consents, settings } = dependencies;
  const found = await findTarget(target, dependencies);
  if (found === undefined) return;
  const { ref, cluster, object } = found;
  const signal = new AbortController().signal;
  const refuse = (why: string): void => {
    notifier.show(describeNotOffered(action.name, nameObject(ref, object), ref, why));
  };
  const readOnlyReason = settings.readOnlyReason(ref.context);
  if (readOnlyReason !== undefined) {
    refuse(readOnlyReason);
    return;
  }
  const served = await cluster.discover(signal);
  if (served.kind !== 'ok') {
    refuse(describeReadFailure(served));
    return;
  }
  const type = findType(served.value, ref);
  const isOffered =
    action.subresource === undefined
      ? type?.verbs.includes(action.verb)
      : type?.subresources.includes(action.subresource);
  if (type === undefined || isOffered !== true) {
    refuse(`${ref.context} does not offer this for ${ref.gvr.resource}.`);
    return;
  }
  const right = await cluster.isAllowed(ref, action.verb, signal, action.subresource);
  if (right.kind === 'ok' && !right.value) {
    refuse('You are not allowed to.');
    return;
  }
  const read = await readSnapshot(cluster, ref, signal);
  if (read.kind !== 'ok') {
    refuse(describeReadFailure(read));
    return;
  }
  const seen = read.value;
  const decision = await action.decide({ ref, cluster, type, seen }, notifier);
  if (decision === undefined) return;
  const scalesOn = action === scaling ? cluster : undefined;
  const { detail } = decision;
  const consent = await consents.ask({ action: action.name, ref, object: seen.object, detail, scalesOn });
  if (consent === undefined) return;
  const traits = { hasStatusSubresource: type.subresources.includes('status') };
  const outcome = await sendAction(cluster, { ref, traits, seen, ...decision }, signal, consent);
  notifier.show(describeActionOutcome(action.name, outcome, ref, seen.object, consent.keepers));
}

/** The document says itself where the status may be read only. */
async function editStatus(
  target: CommandTarget | TreeNode | undefined,
  dependencies: ObjectActionDependencies,
): Promise<void> {
  const found = await findTarget(target, dependencies);
  if (found === undefined) return;
  const { ref, cluster, object } = found;
  const served = await cluster.discover(new AbortController().signal);
  const type = served.kind === 'ok' ? findType(served.value, ref) : undefined;
  if (served.kind !== 'ok' || type?.subresources.includes('status') !== true) {
    const why =
      served.kind === 'ok'
        ? 'The server keeps no status of it that is edited apart from the rest.'
        : describeReadFailure(served);
    const message = `The status of ${nameObject(ref, object)} in ${namePlace(ref)} was not opened. ${why}`;
    dependencies.notifier.show({ severity: 'warning', message, actions: [] });
    return;
  }
  await dependencies.open({ ...ref, subresource: 'status' });
}

function findType(
  { types }: Discovery,
  { gvr: { group, version, resource } }: ResourceRef,
): ResourceType | undefined {
  return types.find(({ gvr }) => gvr.resource === resource && gvr.group === group && gvr.version === version);
}

async function findTarget(
  target: CommandTarget | TreeNode | undefined,
  { clusters, documents, targets }: ObjectActionDependencies,
): Promise<Target | undefined> {
  if (isTreeNode(target)) {
    if (target.kind !== 'object') return undefined;
    const ref = refOf(target);
    const cluster = clusters.connect(ref.context);
    return cluster && { ref, cluster, object: { kind: target.parent.type.gvk.kind } };
  }
  const shown = await targets.resolve(target);
  const document = shown && documents.find(shown.uri);
  return document && { ref: wholeOf(document.ref), cluster: document.cluster, object: document.liveObject };
}

function isTreeNode(target: unknown): target is TreeNode {
  return typeof target === 'object' && target !== null && 'kind' in target && 'id' in target;
}

const propagations: readonly (vscode.QuickPickItem & { readonly policy: Propagation })[] = [
  {
    label: '$(trash) Delete',
    detail: 'What it owns is deleted afterwards, as kubectl does',
    policy: 'Background',
  },
  {
    label: '$(list-tree) Delete what it owns first',
    detail: 'It goes when all of that is gone',
    policy: 'Foreground',
  },
  {
    label: '$(debug-disconnect) Delete it alone',
    detail: 'What it owns stays, without an owner',
    policy: 'Orphan',
  },
];

const deletion: ObjectAction = {
  name: 'delete',
  verb: 'delete',
  decide: async ({ ref, seen }) => {
    const keepers = findKeepers(seen.object);
    const returning = keepers.length === 0 ? '' : `${nameKeepers(keepers)} may bring it back. `;
    const chosen = await vscode.window.showQuickPick(propagations, {
      title: `Delete ${nameObject(ref, seen.object)} in ${namePlace(ref)}?`,
      placeHolder: `${returning}Esc deletes nothing`,
    });
    if (chosen === undefined) return undefined;
    const detail = [...keepers.map(describeReturn), `${chosen.detail ?? ''}.`].join(' ');
    return { ...deletionOf(ref, chosen.policy), detail };
  },
};

const finalizing: ObjectAction = {
  name: 'removeFinalizers',
  verb: 'update',
  decide: async ({ ref, seen }, notifier) => {
    const finalizers = finalizersOf(seen.object);
    if (metadataString(seen.object, 'deletionTimestamp') === undefined || finalizers.length === 0) {
      notifier.show(
        describeNotOffered(
          'removeFinalizers',
          nameObject(ref, seen.object),
          ref,
          'It is not held up in its deletion.',
        ),
      );
      return undefined;
    }
    const chosen = await vscode.window.showQuickPick(finalizers, {
      title: `Remove which finalizers of ${nameObject(ref, seen.object)} in ${namePlace(ref)}?`,
      placeHolder:
        'Each stands for cleaning up that somebody has still to do; without the last one it is gone',
      canPickMany: true,
    });
    if (chosen === undefined || chosen.length === 0) return undefined;
    return { ...removalOfFinalizers(ref, chosen), detail: `Finalizers: ${chosen.join(', ')}.` };
  },
};

const scaling: ObjectAction = {
  name: 'scale',
  verb: 'update',
  subresource: 'scale',
  decide: async ({ ref, seen }) => {
    const current = memberAt(seen.object, 'spec', 'replicas');
    const typed = await vscode.window.showInputBox({
      title: `Scale ${nameObject(ref, seen.object)} in ${namePlace(ref)}`,
      prompt: `Replicas${typeof current === 'number' ? `, ${current} now` : ''}`,
      value: typeof current === 'number' ? String(current) : '',
      validateInput: (value) => {
        if (!/^\d{1,9}$/.test(value.trim())) return 'A whole number is needed.';
        const message = `From ${typeof current === 'number' ? current : 'the default'} to ${Number(value)} replicas`;
        return Number(value) === current
          ? undefined
          : { message, severity: vscode.InputBoxValidationSeverity.Info };
      },
    });
    if (typed === undefined) return undefined;
    const from = typeof current === 'number' ? `${current} → ` : '';
    return { ...scaleTo(ref, Number(typed)), detail: `Replicas: ${from}${Number(typed)}.` };
  },
};
