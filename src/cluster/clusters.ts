import type { Outcome } from '../core/errors.ts';
import { type Disposable, DisposableStore, type Event } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClusterPort, ClustersPort, KubeconfigView } from '../sync/clusterPort.ts';
import type { SignInPort, TerminalSignIn } from '../sync/signInPort.ts';
import { ApiClient } from './apiClient.ts';
import { ClusterConnection, type DialledCluster } from './clusterConnection.ts';
import { type CredentialIssuers, Credentials, type UserSource } from './credentials.ts';
import { createEndpoint } from './endpoint.ts';
import { ExecCredentials } from './execCredentials.ts';
import { type PluginOutput, pluginEnvironment, readTerminalReport } from './execPlugin.ts';
import type { ResolvedContext } from './kubeconfigModel.ts';
import type { Environment } from './kubeconfigPaths.ts';
import { KubeconfigStore } from './kubeconfigStore.ts';
import { OidcTokens, type TokenRotation } from './oidcTokens.ts';
import type { TextCache } from './openApi.ts';
import { chooseProxy } from './proxyChoice.ts';
import { prepareTerminalRun } from './terminalSignIn.ts';
import type { SecretStore } from './secretStore.ts';
import type { TransportTimeouts } from './exchange.ts';
import { defaultTimeouts, type RequestLogEntry, Transport } from './transport.ts';

export interface ClustersOptions {
  /** Read anew for each use, so that a repaired PATH or proxy works without a restart. */
  readonly env: () => Environment;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  /** Kubeconfig files that the user set in the editor; call `reload` after a change. */
  readonly kubeconfigPaths: () => readonly string[];
  /** Where a pod's service account lies; absent for the place that Kubernetes puts it in. */
  readonly serviceAccountFolder?: string;
  readonly clock: Clock;
  /** Why nothing may be written in a context, in words; undefined where it may. Asked before each write. */
  readonly readOnlyReason: (context: string) => string | undefined;
  /** Why each write in a context needs a person's consent, in words; undefined where it does not. */
  readonly protectedReason: (context: string) => string | undefined;
  /** Hears of every request. */
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** Hears what credential plugins write for the person. */
  readonly onPluginOutput?: (output: PluginOutput) => void;
  /** Keeps the tokens of users with `auth-provider: oidc`. */
  readonly secrets: SecretStore;
  /** Hears that an identity provider has replaced a user's refresh token. */
  readonly onTokenRotated?: (rotation: TokenRotation) => void;
  readonly openApiCache?: TextCache;
  readonly timeouts?: Partial<TransportTimeouts>;
  readonly userAgent?: string;
}

const defaultUserAgent = 'kubemerge';

/**
 * Creates the cluster layer. No file is read before `reload`, and nothing is dialled and no credential plugin
 * is run before a connection is used. `view` is empty until the first `reload` resolves.
 */
export function createClusters(options: ClustersOptions): ClustersPort & SignInPort & Disposable {
  return new Clusters(options);
}

class Clusters implements ClustersPort, SignInPort, Disposable {
  readonly #options: ClustersOptions;
  readonly #owned = new DisposableStore();
  readonly #store: KubeconfigStore;
  readonly #issuers: CredentialIssuers;
  readonly #connections = new Map<string, ClusterConnection>();
  /** Those too whose context names another cluster by now: documents stay on them. */
  readonly #all = new Set<ClusterConnection>();

  constructor(options: ClustersOptions) {
    this.#options = options;
    this.#store = this.#owned.add(new KubeconfigStore(options));
    // Before anyone outside hears of a change and sends a request.
    this.#owned.add(
      this.#store.onDidChange(() => {
        for (const connection of this.#all) connection.follow();
      }),
    );
    const { env, clock } = options;
    this.#issuers = {
      exec: new ExecCredentials({ env, clock, onPluginOutput: (output) => options.onPluginOutput?.(output) }),
      oidc: new OidcTokens({
        ...{ env, clock, secrets: options.secrets, userAgent: options.userAgent ?? defaultUserAgent },
        timeouts: { ...defaultTimeouts, ...options.timeouts },
        onRequest: (line) => options.onRequest?.({ context: 'identity provider', ...line }),
        onRotated: (rotation) => options.onTokenRotated?.(rotation),
      }),
    };
  }

  get view(): KubeconfigView {
    return this.#store.view;
  }

  get onDidChange(): Event<KubeconfigView> {
    return this.#store.onDidChange;
  }

  reload(): Promise<void> {
    return this.#store.reload();
  }

  connect(context: string): ClusterPort | undefined {
    const resolved = this.#store.find(context);
    if (resolved === undefined) return undefined;
    const kept = this.#connections.get(context);
    if (kept?.context.clusterId === resolved.entry.clusterId) return kept;
    const connection = new ClusterConnection(resolved, {
      clock: this.#options.clock,
      resolveNow: () => this.#store.find(context),
      reread: () => this.#store.checkNow(),
      dial: (now, users) => this.#dial(now, users),
      readOnlyReason: this.#options.readOnlyReason,
      protectedReason: this.#options.protectedReason,
      openApiCache: this.#options.openApiCache,
    });
    this.#connections.set(context, connection);
    this.#all.add(connection);
    return connection;
  }

  async beginSignIn(context: string): Promise<Outcome<TerminalSignIn>> {
    const { cluster, user, entry } = this.#store.find(context) ?? {};
    if (cluster === undefined || user === undefined) {
      const message = entry?.problem ?? `the kubeconfig has no context "${context}"`;
      return { kind: 'misconfigured', message };
    }
    const { exec } = user;
    if (exec === undefined || exec.interactiveMode === 'Never') {
      const why = exec === undefined ? 'has no credential plugin' : 'has a credential plugin that never asks';
      const message = `user "${user.name}" of context "${context}" ${why}, so that there is nothing to run in a terminal: sign in with the tool that wrote the kubeconfig`;
      return { kind: 'misconfigured', message };
    }
    const env = pluginEnvironment(exec, cluster, this.#options.env(), { isInteractive: true });
    const run = await prepareTerminalRun(
      { command: exec.command, args: exec.args, env },
      this.#options.platform,
    );
    const finish = async (): Promise<Outcome<undefined>> => {
      const report = await run.report;
      if (report.kind !== 'ok') return report;
      const result = readTerminalReport(report.value, exec, env);
      if (result.kind !== 'ok') return result;
      this.#issuers.exec.accept(user, cluster, result.value);
      this.#store.announce();
      return { kind: 'ok', value: undefined };
    };
    const dispose = (): Promise<void> => Promise.resolve(run[Symbol.asyncDispose]());
    return { kind: 'ok', value: { program: run.program, done: finish(), [Symbol.asyncDispose]: dispose } };
  }

  dispose(): void {
    this.#owned.dispose();
    for (const connection of this.#all) connection.dispose();
  }

  async #dial({ entry, cluster }: ResolvedContext, users: UserSource): Promise<DialledCluster> {
    if (cluster === undefined) throw new Error(entry.problem ?? 'this context cannot be used');
    const { clock, env, timeouts, userAgent = defaultUserAgent, onRequest } = this.#options;
    const proxy = chooseProxy(new URL(cluster.server), cluster.proxyUrl, env());
    const { isCompressionDisabled } = cluster;
    const endpoint = await createEndpoint(cluster.server, proxy, { userAgent, isCompressionDisabled });
    const transport = new Transport(
      { endpoint, clock, timeouts: { ...defaultTimeouts, ...timeouts } },
      (line) => onRequest?.({ context: entry.name, ...line }),
    );
    const client = new ApiClient(transport, new Credentials(cluster, users, this.#issuers), clock);
    return { client, endpoint };
  }
}
