import * as vscode from 'vscode';
import { type DocumentAddress, parseDocumentPath } from '../core/resource/documentPath.ts';
import { linkPath, printLinkQuery, readLink } from '../core/resource/objectLink.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { type CommandRegistry, type CommandTarget, toUri } from './commandMap.ts';
import { documentScheme, liveUriOf } from './documentUris.ts';
import { findLinkTarget } from './linkTarget.ts';
import type { Notifier } from './notifier.ts';
import type { ShortcutNode } from './shortcuts.ts';
import { addressOf, type TreeNode } from './treeNodes.ts';

export interface ObjectLinksDependencies {
  readonly clusters: ClustersPort;
  readonly commands: CommandRegistry;
  readonly notifier: Notifier;
  /** `PUBLISHER.NAME`: where VS Code hands links to this extension. */
  readonly extensionId: string;
  readonly open: (ref: ResourceRef) => Promise<unknown>;
}

/** Links to objects: `KubeMerge: Copy Link` makes one; opening one asks before anything is contacted. */
export function registerObjectLinks(dependencies: ObjectLinksDependencies): vscode.Disposable {
  const { commands, notifier, extensionId } = dependencies;
  return vscode.Disposable.from(
    vscode.window.registerUriHandler({
      handleUri: async (uri) => {
        try {
          await openLink(uri, dependencies);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          notifier.show({ severity: 'error', message, actions: [] });
        }
      },
    }),
    commands.register('kubemerge.copyLink', async (target) => {
      const address = addressOfTarget(target);
      if (address === undefined) return undefined;
      const link = vscode.Uri.from({
        scheme: vscode.env.uriScheme,
        authority: extensionId,
        path: linkPath,
        query: printLinkQuery(address),
      }).toString();
      await vscode.env.clipboard.writeText(link);
      notifier.show({ severity: 'quiet', message: `Link to ${address.ref.name} copied`, actions: [] });
      return link;
    }),
  );
}

async function openLink(
  { path, query }: vscode.Uri,
  { clusters, notifier, open }: ObjectLinksDependencies,
): Promise<void> {
  const reading = readLink(path, query);
  if (reading.kind === 'problem') {
    const message = `The link cannot be opened: ${reading.message}. Ask for a new one, made by “KubeMerge: Copy Link”.`;
    notifier.show({ severity: 'error', message, actions: [] });
    return;
  }
  const target = findLinkTarget(reading.value, clusters.view.contexts);
  if (target.kind === 'unknown') notifier.show({ severity: 'error', message: target.message, actions: [] });
  else if (await notifier.confirm(target.question)) await open(target.ref);
}

/** Of a row, or of a document; of the active one without either. */
function addressOfTarget(
  target: TreeNode | ShortcutNode | CommandTarget | undefined,
): DocumentAddress | undefined {
  if (isRow(target, 'object')) return addressOf(target);
  if (isRow(target, 'shortcut')) return target.target.kind === 'object' ? target.target.address : undefined;
  const uri = toUri(target) ?? vscode.window.activeTextEditor?.document.uri;
  const live = uri === undefined ? undefined : liveUriOf(uri);
  return live?.scheme === documentScheme ? parseDocumentPath(live.path) : undefined;
}

function isRow<Kind extends 'object' | 'shortcut'>(
  target: unknown,
  kind: Kind,
): target is Extract<TreeNode | ShortcutNode, { kind: Kind }> {
  return typeof target === 'object' && target !== null && 'kind' in target && target.kind === kind;
}
