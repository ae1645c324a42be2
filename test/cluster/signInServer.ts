import { type Json, memberAt } from '../../src/core/json.ts';
import { type ApiServer, startApiServer } from '../support/apiServer.ts';
import { type Authority, type IssuedCertificate, makeAuthority } from './certificates.ts';
import { buildKubeconfig, inline } from './kubeconfigBuilder.ts';
import { type OidcIssuer, startOidcIssuer } from './oidcIssuer.ts';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

/** A real API server that knows tokens, client certificates and the ID tokens of a local issuer. */
export interface SignInServer extends AsyncDisposable {
  readonly server: ApiServer;
  /** Signs client certificates that the server takes, and certificates of servers for tests. */
  readonly authority: Authority;
  readonly issuer: OidcIssuer;
  /** `carol` of `system:masters` and `devs`. */
  readonly carol: IssuedCertificate;
  readonly folder: Awaited<ReturnType<typeof makeFolder>>;
  /** The cluster entry that leads to the server. */
  readonly cluster: Readonly<Record<string, unknown>>;
  /** The product on a kubeconfig of one context `x`. */
  readonly open: (
    user: Readonly<Record<string, unknown>> | undefined,
    cluster?: Readonly<Record<string, unknown>>,
    options?: Partial<ClustersOptions>,
  ) => Promise<OpenClusters>;
  /** Disposes what `open` opened. */
  closeAll(): void;
}

export async function startSignInServer(): Promise<SignInServer> {
  const folder = await makeFolder();
  const authority = await makeAuthority();
  const caPath = await folder.write('clients.pem', authority.certificate);
  const issuer = await startOidcIssuer(
    await authority.issue({ commonName: 'issuer', addresses: ['127.0.0.1'] }),
  );
  const server = await startApiServer({
    flags: [
      `--client-ca-file=${caPath}`,
      '--anonymous-auth=true',
      `--oidc-issuer-url=${issuer.url}`,
      `--oidc-client-id=${issuer.clientId}`,
      `--oidc-ca-file=${caPath}`,
      '--oidc-username-claim=sub',
      '--oidc-username-prefix=oidc:',
      '--oidc-groups-claim=groups',
    ],
  });
  const cluster = { server: server.url, 'certificate-authority-data': inline(server.ca) };
  const opened: OpenClusters[] = [];
  return {
    server,
    authority,
    issuer,
    carol: await authority.issue({ commonName: 'carol', groups: ['system:masters', 'devs'] }),
    folder,
    cluster,
    open: async (user, ofCluster = cluster, options = {}) => {
      const text = buildKubeconfig({ x: { cluster: ofCluster, ...(user === undefined ? {} : { user }) } });
      const one = await openClusters([await folder.write('config', text)], options);
      opened.push(one);
      return one;
    },
    closeAll: () => {
      for (const { clusters } of opened.splice(0)) clusters.dispose();
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await issuer[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** Who the server takes us for: its SelfSubjectReview; or why it does not answer. */
export async function whoAmI(one: OpenClusters, context = 'x'): Promise<Json | undefined> {
  const gvr = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' };
  const object = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const ref = { context, gvr, name: '' };
  const outcome = await one.connect(context).write({ kind: 'create', ref, object }, noAbort);
  if (outcome.kind === 'committed') return memberAt(outcome.object, 'status', 'userInfo');
  return { failed: outcome.kind, message: outcome.message };
}

export function nameOf(info: Json | undefined): Json | undefined {
  return memberAt(info, 'username');
}

/** Why the server was not asked, or did not answer. */
export function reasonOf(info: Json | undefined): string {
  const message = memberAt(info, 'message');
  return typeof message === 'string' ? message : '';
}
