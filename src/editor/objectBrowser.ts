import { type Disposable, DisposableStore } from '../core/lifecycle.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { chooseKubeconfig } from './chooseKubeconfig.ts';
import type { CommandRegistry } from './commandMap.ts';
import { Favourites } from './favourites.ts';
import type { KeyValueStore } from './keyValueStore.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { askForObject } from './openObject.ts';
import { DocumentTabs } from './documentTabs.ts';
import { OpenObjects } from './openObjects.ts';
import { RecentObjects } from './recentObjects.ts';
import { RememberedNamespaces } from './rememberedNamespaces.ts';
import { registerShortcutCommands } from './shortcutCommands.ts';
import { registerShortcutViews } from './shortcutView.ts';
import { registerTreeCommands } from './treeCommands.ts';
import { ObjectTree } from './treeModel.ts';
import { TreeView, type TreeViewDependencies } from './treeView.ts';

export interface ObjectBrowserDependencies {
  readonly clusters: ClustersPort;
  readonly clock: Clock;
  readonly commands: CommandRegistry;
  readonly documents: LiveDocuments;
  readonly notifier: Notifier;
  readonly settings: TreeViewDependencies['settings'];
  /** Kept across windows: favourites, recent objects and typed namespaces, names only. */
  readonly memory: KeyValueStore;
  readonly open: (ref: ResourceRef) => Promise<void>;
  readonly reportError: (error: unknown) => void;
}

/** The ways to an object: the tree, the favourites, what was opened last, and the quick picks. */
export interface ObjectBrowser extends Disposable {
  /** Puts an object that was opened among the recent ones. */
  remember(address: DocumentAddress): void;
  /** Asks for an object and opens it; does nothing where the user gives up. */
  ask(open: (ref: ResourceRef) => Promise<void>): Promise<void>;
}

/** Registers the views and their commands. No cluster is asked before a person expands or chooses one. */
export function createObjectBrowser(dependencies: ObjectBrowserDependencies): ObjectBrowser {
  const { clusters, clock, commands, memory, reportError } = dependencies;
  const owned = new DisposableStore();
  const remembered = new RememberedNamespaces(memory);
  const recent = new RecentObjects(memory);
  const favourites = new Favourites(memory);
  const openObjects = owned.add(new OpenObjects(dependencies.documents, owned.add(new DocumentTabs())));
  const tree = owned.add(new ObjectTree({ clusters, clock, remembered, favourites, onError: reportError }));
  const shared = { ...dependencies, favourites, recent, openObjects, tree };
  const view = owned.add(new TreeView(shared));
  owned.add(registerTreeCommands({ ...shared, view }));
  owned.add(registerShortcutViews(shared));
  owned.add(registerShortcutCommands({ ...shared, view }));
  owned.add(commands.register('kubemerge.chooseKubeconfig', () => chooseKubeconfig(clusters)));
  return {
    remember: (address) => {
      recent.add(address).catch(reportError);
    },
    ask: async (openChosen) => {
      const ref = await askForObject({ clusters, recent, remembered, favourites }, clock);
      if (ref !== undefined) await openChosen(ref);
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
