import type { Outcome, RequestFailure, WriteOutcome } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Disposable } from '../core/lifecycle.ts';
import type { CollectionRef, ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import type {
  ClusterPort,
  ContextEntry,
  Discovery,
  ListOptions,
  ListPage,
  WatchEnd,
  WatchEvent,
  WatchOptions,
  WriteConsent,
  WriteRequest,
} from '../sync/clusterPort.ts';
import { reviewAccess } from './accessReview.ts';
import type { ApiClient } from './apiClient.ts';
import type { UserSource } from './credentials.ts';
import { discoverResources } from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import type { ResolvedContext } from './kubeconfigModel.ts';
import { OpenApiDocuments, type TextCache } from './openApi.ts';
import { describeRefusedSignIn } from './refusedSignIn.ts';
import { getObject, listObjects, watchObjects } from './resourceReads.ts';
import { sendWrite } from './resourceWrites.ts';
import { SharedWork } from './sharedWork.ts';

/** A client made from one state of the kubeconfig, and where it leads. */
export interface DialledCluster {
  readonly client: ApiClient;
  readonly endpoint: Endpoint;
}

export interface ConnectionOptions {
  readonly clock: Clock;
  /** What the kubeconfig says of this context now; undefined where it is gone from it. */
  readonly resolveNow: () => ResolvedContext | undefined;
  /** Looks at the kubeconfig's files at once; `resolveNow` is fresh when it resolves. */
  readonly reread: () => Promise<void>;
  /** Rejects where the set-up cannot be used, with the reason in words. */
  readonly dial: (context: ResolvedContext, users: UserSource) => Promise<DialledCluster>;
  readonly readOnlyReason: (context: string) => string | undefined;
  readonly protectedReason: (context: string) => string | undefined;
  readonly openApiCache: TextCache | undefined;
}

/** All that the API server says of a 401. */
const bareRefusal = 'Unauthorized';

/**
 * One cluster as one context saw it when the connection was made. It stays on that cluster: credentials, proxy and
 * the way the certificate is checked may change in the kubeconfig and are taken over, but once the context names
 * another server or CA, every request is refused (issue case H6). A context that is gone from the kubeconfig goes
 * on as it last was.
 */
export class ClusterConnection implements ClusterPort, Disposable {
  readonly #options: ConnectionOptions;
  readonly #discovery = new SharedWork<Outcome<Discovery>>();
  readonly #openApi: OpenApiDocuments;
  #context: ResolvedContext;
  #dialled: Promise<DialledCluster> | undefined;
  #discovered: Discovery | undefined;

  constructor(context: ResolvedContext, options: ConnectionOptions) {
    this.#context = context;
    this.#options = options;
    this.#openApi = new OpenApiDocuments(options.clock, options.openApiCache);
  }

  get context(): ContextEntry {
    return this.#context.entry;
  }

  async discover(
    signal: AbortSignal,
    options: { readonly refresh?: boolean } = {},
  ): Promise<Outcome<Discovery>> {
    if (this.#discovered !== undefined && options.refresh !== true) {
      return { kind: 'ok', value: this.#discovered };
    }
    return this.#with(async ({ client }) => {
      const outcome = await this.#discovery.join((shared) => discoverResources(client, shared), signal);
      if (outcome.kind === 'ok') this.#discovered = outcome.value;
      return outcome;
    });
  }

  get(ref: ResourceRef, signal: AbortSignal): Promise<Outcome<JsonObject>> {
    this.#checkOwn(ref);
    return this.#with(({ client }) => getObject(client, ref, signal));
  }

  list(collection: CollectionRef, options: ListOptions, signal: AbortSignal): Promise<Outcome<ListPage>> {
    this.#checkOwn(collection);
    return this.#with(({ client }) => listObjects(client, collection, options, signal));
  }

  watch(
    collection: CollectionRef,
    options: WatchOptions,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<WatchEnd> {
    this.#checkOwn(collection);
    const { clock } = this.#options;
    return this.#with(({ client, endpoint }) =>
      watchObjects(client, collection, options, { clock, endpoint }, onEvent, signal),
    );
  }

  async write(request: WriteRequest, signal: AbortSignal, consent?: WriteConsent): Promise<WriteOutcome> {
    this.#checkOwn(request.ref);
    const dialled = await this.#dial();
    // Asked after the last wait: a setting may change at any time.
    const { name } = this.context;
    const reason = this.#options.readOnlyReason(name);
    if (reason !== undefined) return { kind: 'readOnly', message: reason };
    const isDryRun = request.kind !== 'delete' && request.isDryRun === true;
    const protectedReason = this.#options.protectedReason(name);
    if (protectedReason !== undefined && !isDryRun && consent?.context !== name) {
      return { kind: 'readOnly', message: `${protectedReason} Nothing was sent, since nobody confirmed it.` };
    }
    if (dialled.kind !== 'ok') return { kind: 'readOnly', message: dialled.message };
    return this.#explain(await sendWrite(dialled.value.client, request, signal));
  }

  openApi(groupVersion: string, signal: AbortSignal): Promise<Outcome<JsonObject>> {
    return this.#with(({ client }) => this.#openApi.find(client, groupVersion, signal));
  }

  isAllowed(
    ref: ResourceRef,
    verb: string,
    signal: AbortSignal,
    subresource?: string,
  ): Promise<Outcome<boolean>> {
    this.#checkOwn(ref);
    return this.#with(({ client }) => reviewAccess(client, ref, verb, signal, subresource));
  }

  /**
   * Takes over what the kubeconfig says now. Where that is another way to the same cluster, watches go on in the
   * new way at once, and nothing is sent in the old one any more.
   */
  follow(): void {
    const now = this.#options.resolveNow();
    if (now?.entry.problem === undefined && now?.entry.clusterId === this.context.clusterId)
      this.#takeOver(now);
  }

  dispose(): void {
    this.#dialled?.then(
      ({ client }) => {
        client.dispose();
      },
      () => undefined,
    );
  }

  #takeOver(now: ResolvedContext): void {
    if (now === this.#context) return;
    if (!isSameSetUp(now, this.#context)) {
      this.#dialled?.then(
        ({ client }) => {
          client.retire();
        },
        () => undefined,
      );
      this.#dialled = undefined;
    }
    this.#context = now;
  }

  async #with<T extends { readonly kind: string }>(
    use: (dialled: DialledCluster) => Promise<T>,
  ): Promise<T | RequestFailure> {
    const dialled = await this.#dial();
    return dialled.kind === 'ok' ? this.#explain(await use(dialled.value)) : dialled;
  }

  /** Puts into words which credentials the server refused; it says no more than that it did. */
  #explain<T extends { readonly kind: string }>(outcome: T): T {
    const isBare = 'message' in outcome && outcome.message === bareRefusal;
    if (outcome.kind !== 'unauthenticated' || !isBare) return outcome;
    return { ...outcome, message: describeRefusedSignIn(this.#users.current()) };
  }

  async #dial(): Promise<
    | { readonly kind: 'ok'; readonly value: DialledCluster }
    | { readonly kind: 'misconfigured'; readonly message: string }
  > {
    const { name, clusterId, server } = this.context;
    const now = this.#options.resolveNow() ?? this.#context;
    if (now.entry.problem !== undefined) return { kind: 'misconfigured', message: now.entry.problem };
    if (now.entry.clusterId !== clusterId) {
      const what =
        now.entry.server === server
          ? `trusts other authorities for ${server} than when this was opened`
          : `leads to another server (${now.entry.server || 'none'}) than this was opened from (${server})`;
      const message = `context "${name}" now ${what}; nothing is sent: open it again from that context`;
      return { kind: 'misconfigured', message };
    }
    this.#takeOver(now);
    const dialled = (this.#dialled ??= this.#options.dial(now, this.#users));
    try {
      return { kind: 'ok', value: await dialled };
    } catch (error) {
      if (this.#dialled === dialled) this.#dialled = undefined;
      return { kind: 'misconfigured', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The newest user of the kubeconfig, but never one that is meant for another cluster. */
  readonly #users: UserSource = {
    current: () => {
      const now = this.#options.resolveNow();
      const isOurs = now?.entry.problem === undefined && now?.entry.clusterId === this.context.clusterId;
      return isOurs ? now.user : this.#context.user;
    },
    reread: () => this.#options.reread(),
  };

  /** A reference to another context's object sent here would land on the wrong cluster. */
  #checkOwn({ context }: { readonly context: string }): void {
    if (context !== this.context.name) {
      throw new Error(
        `a reference of context "${context}" was given to the connection of "${this.context.name}"`,
      );
    }
  }
}

function isSameSetUp(left: ResolvedContext, right: ResolvedContext): boolean {
  const print = ({ cluster }: ResolvedContext): string =>
    JSON.stringify(cluster, (_key, value: unknown) =>
      typeof value === 'object' && value instanceof Uint8Array
        ? Buffer.from(value).toString('base64')
        : value,
    );
  return print(left) === print(right);
}
