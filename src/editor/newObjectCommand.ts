import * as vscode from 'vscode';
import { metadataString } from '../core/resource/kubeObject.ts';
import { printDocumentPath } from '../core/resource/documentPath.ts';
import { preferredTypes } from '../core/resource/objectQuery.ts';
import { printResource, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClusterPort, ClustersPort } from '../sync/clusterPort.ts';
import { findRights } from '../sync/objectRights.ts';
import type { CommandRegistry, CommandTarget } from './commandMap.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { newObjectUri, newScheme } from './documentUris.ts';
import type { Notifier } from './notifier.ts';
import { describeReadFailure } from './readFailures.ts';
import { problemOfNamespace } from './rememberedNamespaces.ts';

import { contextOf, type TreeNode } from './treeNodes.ts';

export interface NewObjectCommandDependencies {
  readonly clusters: ClustersPort;
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly notifier: Notifier;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason'>;
}

/** How many namespaces are listed to choose from; another can be typed. */
const maxNamespaces = 500;

/** Registers the command that begins a new object from a template, and the one that creates it of its text. */
export function registerNewObjectCommands(dependencies: NewObjectCommandDependencies): vscode.Disposable {
  const { commands, notifier } = dependencies;
  return vscode.Disposable.from(
    commands.register('kubemerge.create', (target) => begin(target, dependencies)),
    commands.register('kubemerge.createFromText', async () => {
      const shown = vscode.window.activeTextEditor?.document;
      if (shown?.uri.scheme === newScheme) {
        // A save by code leaves a text alone that was not changed.
        await vscode.commands.executeCommand('workbench.action.files.save');
        return;
      }
      const message = 'No new object is open in the active editor. “Create Object…” begins one.';
      notifier.show({ severity: 'info', message, actions: [] });
    }),
  );
}

async function begin(
  target: TreeNode | CommandTarget | undefined,
  dependencies: NewObjectCommandDependencies,
): Promise<void> {
  const { clusters, notifier, settings } = dependencies;
  const node = isTreeNode(target) ? target : undefined;
  const refuse = (message: string): void => {
    notifier.show({ severity: 'warning', message: `Nothing is created: ${message}`, actions: [] });
  };
  const context = (node && contextOf(node)?.entry.name) ?? (await askContext(dependencies));
  if (context === undefined) return;
  const cluster = clusters.connect(context);
  if (cluster === undefined) {
    refuse(`the kubeconfig has no context ${context}.`);
    return;
  }
  const readOnlyReason = settings.readOnlyReason(context);
  if (readOnlyReason !== undefined) {
    refuse(readOnlyReason);
    return;
  }
  const type = node?.kind === 'kind' ? node.type : await askType(cluster, refuse);
  if (type === undefined) return;
  const namespace = type.isNamespaced
    ? (namespaceOf(node) ?? (await askNamespace(cluster, type)))
    : undefined;
  if (type.isNamespaced && namespace === undefined) return;
  const place = { context, gvr: type.gvr, ...(namespace === undefined ? {} : { namespace }) };
  const signal = new AbortController().signal;
  const rights = await findRights(cluster, { ...place, name: '' }, type, signal);
  if (!rights.has('create')) {
    refuse(`you are not allowed to create a ${type.gvk.kind} in ${namespace ?? context}.`);
    return;
  }
  const name = await vscode.window.showInputBox({
    title: `New ${type.gvk.kind} in ${namespace === undefined ? context : `${namespace} · ${context}`}`,
    prompt: 'Name. A template opens; saving it creates the object.',
    value: `new-${type.singularName === '' ? type.gvk.kind.toLowerCase() : type.singularName}`,
    validateInput: problemOfName,
  });
  if (name === undefined) return;
  const ref: ResourceRef = { ...place, name: name.trim() };
  const path = printDocumentPath({ clusterId: cluster.context.clusterId, ref });
  const uri = newObjectUri(path);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

/** The document that is shown tells the context, too; what is current is suggested first. */
async function askContext({
  clusters,
  targets,
  settings,
}: NewObjectCommandDependencies): Promise<string | undefined> {
  const shown = targets.active?.ref.context;
  const usable = clusters.view.contexts.filter(({ problem }) => problem === undefined);
  const rank = (name: string, isCurrent: boolean): number => (name === shown ? 0 : isCurrent ? 1 : 2);
  const items = usable
    .toSorted((left, right) => rank(left.name, left.isCurrent) - rank(right.name, right.isCurrent))
    .map(({ name, isCurrent, server }) => ({
      label: name,
      description: [
        isCurrent ? 'current' : '',
        settings.readOnlyReason(name) === undefined ? '' : 'read-only',
      ]
        .filter((mark) => mark !== '')
        .join(' · '),
      detail: server,
    }));
  if (items.length === 1) return items[0]?.label;
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Create Object',
    placeHolder: 'In which context?',
  });
  return chosen?.label;
}

async function askType(
  cluster: ClusterPort,
  refuse: (message: string) => void,
): Promise<ResourceType | undefined> {
  const served = await cluster.discover(new AbortController().signal);
  if (served.kind !== 'ok') {
    refuse(describeReadFailure(served));
    return undefined;
  }
  const creatable = preferredTypes(served.value.types).filter(
    ({ verbs }) => verbs.includes('create') && verbs.includes('get'),
  );
  const items = creatable
    .map((type) => ({
      label: type.gvk.kind,
      description: [printResource(type.gvr), ...type.shortNames].join(' · '),
      type,
    }))
    .toSorted((left, right) => left.label.localeCompare(right.label));
  const chosen = await vscode.window.showQuickPick(items, {
    title: `Create Object: ${cluster.context.name}`,
    placeHolder: 'Of which kind?',
    matchOnDescription: true,
  });
  return chosen?.type;
}

async function askNamespace(cluster: ClusterPort, { gvk }: ResourceType): Promise<string | undefined> {
  const { name: context, namespace: own } = cluster.context;
  const listed = await cluster.list(
    { context, gvr: { group: '', version: 'v1', resource: 'namespaces' } },
    { content: 'metadata', limit: maxNamespaces },
    new AbortController().signal,
  );
  const names =
    listed.kind === 'ok' ? listed.value.objects.map((object) => metadataString(object, 'name') ?? '') : [];
  const title = `New ${gvk.kind} in ${context}`;
  const other = { label: '$(edit) Another namespace…', namespace: undefined };
  const chosen = await vscode.window.showQuickPick(
    [
      { label: own, description: 'of the context', namespace: own },
      ...names
        .filter((name) => name !== '' && name !== own)
        .map((name) => ({ label: name, namespace: name })),
      other,
    ],
    { title, placeHolder: 'In which namespace?' },
  );
  if (chosen !== other) return chosen?.namespace;
  const typed = await vscode.window.showInputBox({
    title,
    prompt: 'Namespace',
    validateInput: (value) => problemOfNamespace(value.trim()),
  });
  return typed?.trim();
}

function namespaceOf(node: TreeNode | undefined): string | undefined {
  const scope = node?.kind === 'kind' ? node.scope.scope : node?.kind === 'scope' ? node.scope : undefined;
  return scope?.kind === 'namespace' ? scope.namespace : undefined;
}

/** Only what no name can be; what this kind's may be, the server says. */
function problemOfName(value: string): string | undefined {
  if (value.trim() === '') return 'A name is needed.';
  return /[\s/%]/.test(value.trim()) ? 'A name has no spaces, / or %.' : undefined;
}

function isTreeNode(target: unknown): target is TreeNode {
  return typeof target === 'object' && target !== null && 'kind' in target && 'id' in target;
}
