import { readFile } from 'node:fs/promises';
import type { Outcome } from '../core/errors.ts';
import type { IssuedCredentials } from './clientNode.ts';
import type { ExecCredentials } from './execCredentials.ts';
import type { ExecCredential } from './execPlugin.ts';
import type { Impersonation, KubeCluster, KubeUser } from './kubeconfigModel.ts';
import type { RequestAuth } from './requestAuth.ts';

/** A request's proof of identity, and where it came from, so that a refused one can be dropped. */
export interface Authorization {
  readonly auth: RequestAuth;
  readonly issued: IssuedCredentials;
  readonly fromPlugin?: ExecCredential;
}

/** Produces what one user of the kubeconfig shows one cluster. */
export class Credentials {
  readonly #cluster: KubeCluster;
  readonly #user: KubeUser;
  readonly #exec: ExecCredentials;

  constructor(cluster: KubeCluster, user: KubeUser, exec: ExecCredentials) {
    this.#cluster = cluster;
    this.#user = user;
    this.#exec = exec;
  }

  /** Files are read and plugins are asked here, never earlier. */
  async authorize(signal: AbortSignal): Promise<Outcome<Authorization>> {
    const { clientNode, issued } = {
      // Loaded on first use: the package is most of this extension's weight.
      clientNode: await import('./clientNode.ts'),
      issued: await this.#issue(signal),
    };
    if (issued.kind !== 'ok') return issued;
    try {
      const auth = await clientNode.buildRequestAuth(this.#cluster, this.#user, issued.value.issued);
      return { kind: 'ok', value: { ...issued.value, auth: withOwnHeaders(auth, this.#user, issued.value) } };
    } catch {
      const message = `the client certificate or key of user "${this.#user.name}" cannot be read`;
      return { kind: 'misconfigured', message };
    }
  }

  /** After a 401. @returns false where asking again would bring the same credentials */
  drop(refused: Authorization): boolean {
    if (refused.fromPlugin === undefined) return this.#user.tokenFile !== undefined;
    this.#exec.drop(this.#user, this.#cluster, refused.fromPlugin);
    return true;
  }

  async #issue(signal: AbortSignal): Promise<Outcome<Omit<Authorization, 'auth'>>> {
    const { tokenFile, token, exec, authProvider, name } = this.#user;
    if (tokenFile !== undefined) {
      try {
        return { kind: 'ok', value: { issued: { token: (await readFile(tokenFile, 'utf8')).trim() } } };
      } catch {
        if (token === undefined) {
          return { kind: 'misconfigured', message: `the token file ${tokenFile} cannot be read` };
        }
      }
    }
    // A token in the file wins over the plugin, as in client-go.
    if (token !== undefined) return { kind: 'ok', value: { issued: {} } };
    if (exec !== undefined) {
      const result = await this.#exec.obtain(this.#user, this.#cluster, signal);
      if (result.kind !== 'ok') return result;
      return { kind: 'ok', value: { issued: result.value, fromPlugin: result.value } };
    }
    if (authProvider !== undefined) {
      const idToken = authProvider.name === 'oidc' ? authProvider.config['id-token'] : undefined;
      if (idToken !== undefined) return { kind: 'ok', value: { issued: { token: idToken } } };
      return {
        kind: 'misconfigured',
        message: `user "${name}" signs in by the auth-provider "${authProvider.name}", which kubectl has dropped: use its exec plugin`,
      };
    }
    return { kind: 'ok', value: { issued: {} } };
  }
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
