import { readFile } from 'node:fs/promises';
import type { Outcome } from '../core/errors.ts';
import type { IssuedCredentials } from './clientNode.ts';
import type { ExecCredentials } from './execCredentials.ts';
import type { Impersonation, KubeCluster, KubeUser } from './kubeconfigModel.ts';
import type { OidcTokens } from './oidcTokens.ts';
import type { RequestAuth } from './requestAuth.ts';

/** A request's proof of identity. */
export interface Authorization {
  readonly auth: RequestAuth;
  readonly issued: IssuedCredentials;
  /** Forgets what was issued, after the server refused it. */
  readonly forget?: () => void | Promise<void>;
}

/** Whose credentials they are: the kubeconfig may change them while the connection lasts. */
export interface UserSource {
  current(): KubeUser;
  /** Looks at the kubeconfig's files at once; `current` is fresh when it resolves. */
  reread(): Promise<void>;
}

/** What issues credentials beside the kubeconfig itself; shared by all contexts. */
export interface CredentialIssuers {
  readonly exec: ExecCredentials;
  readonly oidc: OidcTokens;
}

/** Produces what one user of the kubeconfig shows one cluster. */
export class Credentials {
  readonly #cluster: KubeCluster;
  readonly #users: UserSource;
  readonly #issuers: CredentialIssuers;

  constructor(cluster: KubeCluster, users: UserSource, issuers: CredentialIssuers) {
    this.#cluster = cluster;
    this.#users = users;
    this.#issuers = issuers;
  }

  /** Files are read and plugins are asked here, never earlier. */
  async authorize(signal: AbortSignal): Promise<Outcome<Authorization>> {
    const user = this.#users.current();
    const { clientNode, issued } = {
      // Loaded on first use: the package is most of this extension's weight.
      clientNode: await import('./clientNode.ts'),
      issued: await this.#issue(user, signal),
    };
    if (issued.kind !== 'ok') return issued;
    try {
      const auth = await clientNode.buildRequestAuth(this.#cluster, user, issued.value.issued);
      return { kind: 'ok', value: { ...issued.value, auth: withOwnHeaders(auth, user, issued.value) } };
    } catch {
      const message = `the client certificate or key of user "${user.name}" cannot be read`;
      return { kind: 'misconfigured', message };
    }
  }

  /** After a 401: the next authorization is made from what there is now, in the kubeconfig too. */
  async drop(refused: Authorization): Promise<void> {
    await refused.forget?.();
    await this.#users.reread();
  }

  async #issue(user: KubeUser, signal: AbortSignal): Promise<Outcome<Omit<Authorization, 'auth'>>> {
    const { tokenFile, token, username, exec, authProvider } = user;
    if (tokenFile !== undefined) {
      try {
        return { kind: 'ok', value: { issued: { token: (await readFile(tokenFile, 'utf8')).trim() } } };
      } catch {
        if (token === undefined) {
          return { kind: 'misconfigured', message: `the token file ${tokenFile} cannot be read` };
        }
      }
    }
    // What stands in the file wins over plugins and providers, as in client-go.
    if (token !== undefined || username !== undefined) return { kind: 'ok', value: { issued: {} } };
    if (exec !== undefined) {
      const result = await this.#issuers.exec.obtain(user, this.#cluster, signal);
      if (result.kind !== 'ok') return result;
      const credential = result.value;
      const forget = (): void => {
        this.#issuers.exec.drop(user, this.#cluster, credential);
      };
      return { kind: 'ok', value: { issued: credential, forget } };
    }
    if (authProvider === undefined) return { kind: 'ok', value: { issued: {} } };
    if (authProvider.name !== 'oidc') {
      return { kind: 'misconfigured', message: describeDroppedProvider(user.name, authProvider.name) };
    }
    const result = await this.#issuers.oidc.obtain(user, signal);
    if (result.kind !== 'ok') return result;
    const idToken = result.value;
    const forget = (): Promise<void> => this.#issuers.oidc.drop(user, idToken);
    return { kind: 'ok', value: { issued: { token: idToken }, forget } };
  }
}

/** Auth-providers that kubectl has dropped, and what took their place. Source: Kubernetes 1.26 release notes. */
const successors: Readonly<Record<string, string>> = {
  gcp: 'install gke-gcloud-auth-plugin, then run `gcloud container clusters get-credentials CLUSTER`',
  azure: 'install kubelogin, then run `kubelogin convert-kubeconfig`',
};

function describeDroppedProvider(userName: string, provider: string): string {
  const advice = successors[provider] ?? 'use a credential plugin (`exec` in the kubeconfig) in its place';
  return `user "${userName}" signs in by the auth-provider "${provider}", which kubectl supports no more: ${advice}`;
}

/** What the Kubernetes client leaves out: basic authentication as a header, and all of impersonation. */
function withOwnHeaders(
  auth: RequestAuth,
  user: KubeUser,
  { issued }: { issued: IssuedCredentials },
): RequestAuth {
  const headers: Record<string, string | string[]> = { ...auth.headers };
  const hasToken = user.token !== undefined || issued.token !== undefined;
  if (user.username !== undefined && !hasToken) {
    const pair = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
    headers.Authorization = `Basic ${pair}`;
  }
  return { ...auth, headers: { ...headers, ...impersonationHeaders(user.impersonation) } };
}

/** Source: Kubernetes user impersonation; keys are lower case, with percent signs where a header needs them. */
export function impersonationHeaders(impersonation: Impersonation): Record<string, string | string[]> {
  const { user, uid, groups, extra } = impersonation;
  const headers: Record<string, string | string[]> = {};
  if (user !== undefined) headers['Impersonate-User'] = user;
  if (uid !== undefined) headers['Impersonate-Uid'] = uid;
  if (groups.length > 0) headers['Impersonate-Group'] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    headers[`Impersonate-Extra-${escapeHeaderKey(key)}`] = [...values];
  }
  return headers;
}

/** Source: client-go `headerKeyEscape`: what RFC 7230 does not allow in a token is percent-encoded. */
function escapeHeaderKey(key: string): string {
  return encodeURIComponent(key.toLowerCase()).replace(
    /[()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
