import type { Outcome } from '../../src/core/errors.ts';
import { Emitter } from '../../src/core/lifecycle.ts';
import { parseApiVersion } from '../../src/core/resource/gvk.ts';
import type { ClusterId } from '../../src/core/resource/resourceRef.ts';
import type { ResourceType } from '../../src/core/resource/resourceType.ts';
import type {
  ClusterPort,
  ClustersPort,
  ContextEntry,
  Discovery,
  KubeconfigView,
} from '../../src/sync/clusterPort.ts';
import { settled } from './fakeClock.ts';
import { FakeCluster, type PendingList, type PendingWatch } from './fakeCluster.ts';

/** A context that looks usable, in namespace `shop`. */
export function fakeContext(name: string, more: Partial<ContextEntry> = {}): ContextEntry {
  return {
    name,
    namespace: 'shop',
    clusterId: `id-${name}` as ClusterId,
    server: `https://${name}.example.com`,
    userName: 'someone',
    isCurrent: false,
    isInsecure: false,
    canSignIn: false,
    ...more,
  };
}

/** A namespaced type that can be listed, unless told otherwise. */
export function fakeType(
  apiVersion: string,
  kind: string,
  resource: string,
  more: Partial<ResourceType> = {},
): ResourceType {
  const { group, version } = parseApiVersion(apiVersion);
  return {
    gvk: { group, version, kind },
    gvr: { group, version, resource },
    isNamespaced: true,
    singularName: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ['get', 'list', 'watch'],
    subresources: [],
    isPreferredVersion: true,
    ...more,
  };
}

/** One cluster whose reads are answered by hand; writes are not there. */
export class FakeConnection extends FakeCluster implements ClusterPort {
  readonly context: ContextEntry;
  /** How each discovery was asked for. */
  readonly discoveries: { readonly refresh: boolean; readonly signal: AbortSignal }[] = [];
  readonly #answers: ((outcome: Outcome<Discovery>) => void)[] = [];

  constructor(context: ContextEntry) {
    super();
    this.context = context;
  }

  discover(signal: AbortSignal, options?: { readonly refresh?: boolean }): Promise<Outcome<Discovery>> {
    this.discoveries.push({ refresh: options?.refresh === true, signal });
    return new Promise((resolve) => {
      this.#answers.push(resolve);
    });
  }

  /** Answers all discoveries that wait. */
  async serve(types: readonly ResourceType[], failures: Discovery['failures'] = []): Promise<void> {
    await this.answerDiscovery({ kind: 'ok', value: { types, failures } });
  }

  async answerDiscovery(outcome: Outcome<Discovery>): Promise<void> {
    for (const answer of this.#answers.splice(0)) answer(outcome);
    await settled();
  }

  /** The newest list of a resource, in a namespace where one is given. */
  listOf(resource: string, namespace?: string): PendingList {
    const found = this.#newest('list', resource, namespace);
    if (found?.kind !== 'list') throw new Error(`no list of ${resource}`);
    return found;
  }

  watchOf(resource: string, namespace?: string): PendingWatch {
    const found = this.#newest('watch', resource, namespace);
    if (found?.kind !== 'watch') throw new Error(`no watch of ${resource}`);
    return found;
  }

  /** Requests that were not ended. */
  get open(): readonly (PendingList | PendingWatch)[] {
    return this.requests.filter(({ signal, kind }) => kind === 'watch' && !signal.aborted);
  }

  get(): never {
    throw new Error('not faked');
  }

  write(): never {
    throw new Error('not faked');
  }

  openApi(): never {
    throw new Error('not faked');
  }

  isAllowed(): never {
    throw new Error('not faked');
  }

  #newest(
    kind: 'list' | 'watch',
    resource: string,
    namespace: string | undefined,
  ): PendingList | PendingWatch | undefined {
    return this.requests.findLast(
      ({ kind: requestKind, collection }) =>
        requestKind === kind &&
        collection.gvr.resource === resource &&
        (namespace === undefined || collection.namespace === namespace),
    );
  }
}

/** A kubeconfig that the test writes, and a connection for each context. */
export class FakeClusters implements ClustersPort {
  view: KubeconfigView;
  reloads = 0;
  readonly connections = new Map<string, FakeConnection>();
  readonly #changes = new Emitter<KubeconfigView>();

  readonly onDidChange = this.#changes.event;

  constructor(contexts: readonly ContextEntry[], problems: readonly string[] = []) {
    this.view = { files: ['/home/someone/.kube/config'], contexts, problems };
  }

  reload(): Promise<void> {
    this.reloads++;
    return Promise.resolve();
  }

  connect(context: string): FakeConnection | undefined {
    const entry = this.view.contexts.find(({ name }) => name === context);
    if (entry === undefined) return undefined;
    const known = this.connections.get(context);
    if (known?.context.clusterId === entry.clusterId) return known;
    const made = new FakeConnection(entry);
    this.connections.set(context, made);
    return made;
  }

  /** The connection of a context that was connected to. */
  at(context: string): FakeConnection {
    const connection = this.connections.get(context);
    if (connection === undefined) throw new Error(`nobody connected to ${context}`);
    return connection;
  }

  change(contexts: readonly ContextEntry[], problems: readonly string[] = []): void {
    this.view = { ...this.view, contexts, problems };
    this.#changes.fire(this.view);
  }
}

/** A memento that forgets at the end of the test. */
export class FakeStore {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}
