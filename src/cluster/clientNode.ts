import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { KubeCluster, KubeUser, Material } from './kubeconfigModel.ts';
import type { RequestAuth, TlsOptions } from './requestAuth.ts';

/** What a user's own way to sign in adds, such as an exec plugin's token or certificate. */
export interface IssuedCredentials {
  readonly token?: string;
  /** PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * Turns a cluster and a user into TLS options and headers, by the Kubernetes client.
 * Files are read anew at each call, since certificates are rotated.
 * The only module that imports the client. It is handed just what it reads as kubectl does:
 * tokens from files and plugins come in as `issued`, and impersonation is added by the caller.
 *
 * @throws Error where a certificate file cannot be read
 */
export async function buildRequestAuth(
  cluster: KubeCluster,
  user: KubeUser,
  issued: IssuedCredentials,
): Promise<RequestAuth> {
  const name = 'kubemerge';
  const config = new KubeConfig();
  config.addAuthenticator({
    isAuthProvider: () => true,
    applyAuthentication: (_user, options: RequestOptions) => {
      if (issued.token !== undefined) {
        options.headers = { ...headersOf(options), Authorization: `Bearer ${issued.token}` };
      }
      if (issued.certificate !== undefined) options.cert = issued.certificate;
      if (issued.key !== undefined) options.key = issued.key;
      return Promise.resolve();
    },
  });
  config.loadFromOptions({
    clusters: [
      {
        name,
        // Its agent is not used; an http server would make it refuse to build one.
        server: cluster.server.replace(/^http:/, 'https:'),
        skipTLSVerify: cluster.skipTlsVerify,
        ...(cluster.ca === undefined ? {} : { caData: cluster.ca.toString('base64') }),
        ...(cluster.tlsServerName === undefined ? {} : { tlsServerName: cluster.tlsServerName }),
      },
    ],
    users: [
      {
        name,
        ...toFileOrData(user.clientCertificate, 'cert'),
        ...toFileOrData(user.clientKey, 'key'),
        ...(user.token === undefined || issued.token !== undefined ? {} : { token: user.token }),
      },
    ],
    contexts: [{ name, cluster: name, user: name }],
    currentContext: name,
  });
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return { headers: headersOf(options), tls: tlsOf(options) };
}

function toFileOrData(material: Material | undefined, prefix: 'cert' | 'key'): Record<string, string> {
  if (material === undefined) return {};
  return material.kind === 'inline'
    ? { [`${prefix}Data`]: material.base64 }
    : { [`${prefix}File`]: material.path };
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): TlsOptions {
  const isPem = (value: unknown): value is string | Buffer =>
    typeof value === 'string' || Buffer.isBuffer(value);
  return {
    ...(isPem(ca) ? { ca } : {}),
    ...(isPem(cert) ? { cert } : {}),
    ...(isPem(key) ? { key } : {}),
    ...(servername === undefined ? {} : { servername }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}
