import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { chooseKubeconfig } from './chooseKubeconfig.ts';
import type { CommandRegistry } from './commandMap.ts';
import { askForObject } from './openObject.ts';
import { RecentObjects } from './recentObjects.ts';
import { type KeyValueStore, RememberedNamespaces } from './rememberedNamespaces.ts';
import { ObjectTree } from './treeModel.ts';
import { registerTreeView, type TreeViewDependencies } from './treeView.ts';

export interface ObjectBrowserDependencies {
  readonly clusters: ClustersPort;
  readonly clock: Clock;
  readonly commands: CommandRegistry;
  readonly settings: TreeViewDependencies['settings'];
  /** Kept across windows: recent objects and typed namespaces, names only. */
  readonly memory: KeyValueStore;
  readonly open: (ref: ResourceRef) => Promise<void>;
  readonly reportError: (error: unknown) => void;
}

/** The ways to an object: the tree and the quick picks. */
export interface ObjectBrowser extends Disposable {
  /** Puts an object that was opened among the recent ones. */
  remember(ref: ResourceRef): void;
  /** Asks for an object and opens it; does nothing where the user gives up. */
  ask(open: (ref: ResourceRef) => Promise<void>): Promise<void>;
}

/** Registers the tree view and its commands. No cluster is asked before a person expands or chooses one. */
export function createObjectBrowser(dependencies: ObjectBrowserDependencies): ObjectBrowser {
  const { clusters, clock, commands, settings, memory, open, reportError } = dependencies;
  const remembered = new RememberedNamespaces(memory);
  const recent = new RecentObjects(memory);
  const tree = new ObjectTree({ clusters, clock, remembered, onError: reportError });
  const owned = vscode.Disposable.from(
    registerTreeView({ tree, commands, clock, settings, open }),
    commands.register('kubemerge.chooseKubeconfig', () => chooseKubeconfig(clusters)),
    tree,
  );
  return {
    remember: (ref) => {
      recent.add(ref).catch(reportError);
    },
    ask: async (openChosen) => {
      const ref = await askForObject({ clusters, recent, remembered }, clock);
      if (ref !== undefined) await openChosen(ref);
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
