import { readFile } from 'node:fs/promises';
import type { Outcome } from '../core/errors.ts';
import { isJsonObject, memberAt } from '../core/json.ts';
import { tryParseJson } from './apiStatus.ts';
import type { AuthProviderConfig } from './kubeconfigModel.ts';

/** What a kubeconfig's `auth-provider: oidc` says. Source: client-go `plugin/pkg/client/auth/oidc`. */
export interface OidcSettings {
  /** https, without a slash at the end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** PEM; absent where the machine's own authorities vouch for the issuer. */
  readonly ca?: Buffer;
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** Reads the settings, and the authority's file that they may name. */
export async function readOidcSettings(
  { config }: AuthProviderConfig,
  userName: string,
): Promise<Outcome<OidcSettings>> {
  const read = (key: string): string | undefined => (config[key] === '' ? undefined : config[key]);
  const issuer = read('idp-issuer-url');
  const clientId = read('client-id');
  if (issuer === undefined || clientId === undefined) {
    const missing = issuer === undefined ? 'idp-issuer-url' : 'client-id';
    return misconfigured(`the auth-provider "oidc" of user "${userName}" has no ${missing}`);
  }
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:') {
    return misconfigured(`the idp-issuer-url of user "${userName}" is not an https URL`);
  }
  const caFile = read('idp-certificate-authority');
  const caData = read('idp-certificate-authority-data');
  let ca: Buffer | undefined;
  try {
    if (caData !== undefined) ca = Buffer.from(caData, 'base64');
    else if (caFile !== undefined) ca = await readFile(caFile);
  } catch {
    return misconfigured(
      `the certificate authority of user "${userName}"'s identity provider cannot be read (${caFile ?? ''})`,
    );
  }
  const clientSecret = read('client-secret');
  const idToken = read('id-token');
  const refreshToken = read('refresh-token');
  return {
    kind: 'ok',
    value: {
      issuer: issuer.replace(/\/+$/, ''),
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(ca === undefined ? {} : { ca }),
      ...(idToken === undefined ? {} : { idToken }),
      ...(refreshToken === undefined ? {} : { refreshToken }),
    },
  };
}

/**
 * When an ID token runs out, in ms since the epoch. Its signature is the API server's to check.
 *
 * @returns undefined for a token that does not say
 */
export function expiryOf(idToken: string): number | undefined {
  const claims = tryParseJson(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const seconds = isJsonObject(claims) ? memberAt(claims, 'exp') : undefined;
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

function misconfigured(message: string): { readonly kind: 'misconfigured'; readonly message: string } {
  return { kind: 'misconfigured', message };
}
