import type { ContextEntry } from '../sync/clusterPort.ts';

/** A cluster of the kubeconfig, ready to be dialled; paths are absolute. */
export interface KubeCluster {
  readonly name: string;
  /** `https://host:port/base`, without a slash at the end. */
  readonly server: string;
  /** Certificate authorities, PEM; read once, so that what is checked is what the cluster's id names. */
  readonly ca?: Buffer;
  readonly tlsServerName?: string;
  readonly skipTlsVerify: boolean;
  /** Set by `disable-compression`. */
  readonly isCompressionDisabled: boolean;
  readonly proxyUrl?: string;
  /** The extension `client.authentication.k8s.io/exec`, handed to exec plugins that ask for it. */
  readonly execExtension?: unknown;
}

/** A certificate or key: inline, or a file that is read again for each new use, since it may be rotated. */
export type Material =
  { readonly kind: 'inline'; readonly base64: string } | { readonly kind: 'file'; readonly path: string };

/** Who a user acts as. Source: Kubernetes user impersonation. */
export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A credential plugin. Source: client-go, `client.authentication.k8s.io`. */
export interface ExecConfig {
  readonly apiVersion: string;
  /** Absolute where the file gave a relative path; a bare name is looked up on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

/** The legacy way to get a token; only `oidc` can be served from what the file holds. */
export interface AuthProviderConfig {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** A user of the kubeconfig; the name is '' for a context without one. */
export interface KubeUser {
  readonly name: string;
  readonly clientCertificate?: Material;
  readonly clientKey?: Material;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly authProvider?: AuthProviderConfig;
  readonly impersonation: Impersonation;
}

/** A context with all that it names. `cluster` is absent exactly where `entry.problem` says why. */
export interface ResolvedContext {
  readonly entry: ContextEntry;
  readonly cluster?: KubeCluster;
  readonly user: KubeUser;
}

/** One kubeconfig file, parsed; entries that could not be read carry their problem. */
export interface KubeconfigFile {
  readonly path: string;
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, Entry<RawCluster>>;
  readonly users: ReadonlyMap<string, Entry<KubeUser>>;
  readonly contexts: ReadonlyMap<string, Entry<RawContext>>;
  /** What is wrong with the file as a whole, in words. */
  readonly problems: readonly string[];
}

export type Entry<T> =
  { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'bad'; readonly problem: string };

/** A cluster before its certificate authority is read. */
export interface RawCluster extends Omit<KubeCluster, 'ca'> {
  readonly caMaterial?: Material;
}

export interface RawContext {
  readonly name: string;
  readonly cluster: string;
  /** '' where the context names none. */
  readonly user: string;
  readonly namespace: string;
}
