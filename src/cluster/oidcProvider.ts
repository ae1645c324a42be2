import type { RequestFailure } from '../core/errors.ts';
import { isJsonObject, type JsonObject, memberAt } from '../core/json.ts';
import type { Clock } from '../sync/clock.ts';
import { tryParseJson } from './apiStatus.ts';
import { createEndpoint } from './endpoint.ts';
import type { HttpRequest, TransportTimeouts } from './exchange.ts';
import type { Environment } from './kubeconfigPaths.ts';
import type { OidcSettings } from './oidcSettings.ts';
import { chooseProxy } from './proxyChoice.ts';
import { toShortText } from './redact.ts';
import { type RequestLogEntry, Transport } from './transport.ts';

export interface OidcProviderSurroundings {
  readonly env: () => Environment;
  readonly clock: Clock;
  readonly timeouts: TransportTimeouts;
  readonly userAgent: string;
  readonly onRequest: (entry: Omit<RequestLogEntry, 'context'>) => void;
}

/** What a refresh brings. */
export type RefreshResult =
  | { readonly kind: 'ok'; readonly idToken: string; readonly refreshToken?: string }
  /** The provider knows the refresh token no more. */
  | { readonly kind: 'invalidGrant'; readonly message: string }
  | RequestFailure;

/**
 * Asks an identity provider for a new ID token.
 * Source: OpenID Connect Discovery 1.0, section 4; RFC 6749, sections 2.3.1 and 6.
 *
 * @returns never throws; messages name the provider and its error code, never a token
 */
export async function refreshIdToken(
  settings: OidcSettings,
  refreshToken: string,
  surroundings: OidcProviderSurroundings,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const metadata = await request(
    `${settings.issuer}/.well-known/openid-configuration`,
    { method: 'GET' },
    { settings, surroundings, signal },
  );
  if (metadata.kind !== 'answered') return metadata.failure;
  const { host } = new URL(settings.issuer);
  const tokenEndpoint = memberAt(metadata.json, 'token_endpoint');
  if (metadata.status !== 200 || typeof tokenEndpoint !== 'string') {
    return invalid(`${host} does not describe itself as an identity provider (${metadata.status})`);
  }
  if (!URL.canParse(tokenEndpoint) || new URL(tokenEndpoint).protocol !== 'https:') {
    return invalid(`the identity provider ${host} names no https URL for its tokens`);
  }
  const methods = memberAt(metadata.json, 'token_endpoint_auth_methods_supported');
  const { headers, fields } = proveClient(settings, Array.isArray(methods) ? methods : undefined);
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, ...fields });
  const answer = await request(
    tokenEndpoint,
    { method: 'POST', body: form.toString(), contentType: 'application/x-www-form-urlencoded' },
    { settings, surroundings, signal, headers },
  );
  if (answer.kind !== 'answered') return answer.failure;
  return readTokens(answer, host);
}

function readTokens({ status, json }: JsonAnswer, host: string): RefreshResult {
  if (status !== 200) {
    const error = memberAt(json, 'error');
    const code = typeof error === 'string' ? toShortText(error, 60) : String(status);
    const description = memberAt(json, 'error_description');
    const more = typeof description === 'string' ? `: ${toShortText(description, 200)}` : '';
    const message = `the identity provider ${host} gave no new token (${code}${more})`;
    if (error === 'invalid_grant') return { kind: 'invalidGrant', message };
    return status >= 500 || status === 429
      ? { kind: 'unreachable', message }
      : { kind: 'unauthenticated', message };
  }
  const idToken = memberAt(json, 'id_token');
  const rotated = memberAt(json, 'refresh_token');
  if (typeof idToken !== 'string' || idToken === '') {
    return {
      kind: 'unauthenticated',
      message: `the identity provider ${host} gave no ID token: it gives none on a refresh, or the sign-in did not ask for the scope "openid"`,
    };
  }
  return {
    kind: 'ok',
    idToken,
    ...(typeof rotated === 'string' && rotated !== '' ? { refreshToken: rotated } : {}),
  };
}

/** A client with a secret shows it in a header unless the provider takes it in the form only. */
function proveClient(
  { clientId, clientSecret }: OidcSettings,
  methods: readonly unknown[] | undefined,
): { readonly headers: Record<string, string>; readonly fields: Record<string, string> } {
  if (clientSecret === undefined) return { headers: {}, fields: { client_id: clientId } };
  if (methods?.includes('client_secret_basic') === false && methods.includes('client_secret_post')) {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } };
  }
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} };
}

interface JsonAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly json: JsonObject;
}

interface RequestContext {
  readonly settings: OidcSettings;
  readonly surroundings: OidcProviderSurroundings;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

async function request(
  address: string,
  parts: Pick<HttpRequest, 'method' | 'body' | 'contentType'>,
  { settings, surroundings, signal, headers = {} }: RequestContext,
): Promise<JsonAnswer | { readonly kind: 'failed'; readonly failure: RequestFailure }> {
  const { env, clock, timeouts, userAgent, onRequest } = surroundings;
  const url = new URL(address);
  const failed = (
    failure: RequestFailure,
  ): { readonly kind: 'failed'; readonly failure: RequestFailure } => ({
    kind: 'failed',
    failure,
  });
  let transport: Transport;
  try {
    const proxy = chooseProxy(url, undefined, env());
    const endpoint = await createEndpoint(url.origin, proxy, { userAgent, isCompressionDisabled: false });
    transport = new Transport({ endpoint, clock, timeouts }, onRequest);
  } catch (error) {
    return failed({ kind: 'misconfigured', message: error instanceof Error ? error.message : String(error) });
  }
  try {
    const exchange = await transport.exchange({
      ...parts,
      path: url.pathname + url.search,
      auth: { headers, tls: settings.ca === undefined ? {} : { ca: settings.ca } },
      signal,
    });
    switch (exchange.kind) {
      case 'answered': {
        const { status, body } = exchange.value;
        const json = tryParseJson(body);
        if (isJsonObject(json)) return { kind: 'answered', status, json };
        if (status !== 200) return { kind: 'answered', status, json: {} };
        return failed(invalid(`the identity provider ${url.host} did not answer in JSON`));
      }
      case 'aborted':
        return failed({ kind: 'aborted' });
      case 'misconfigured':
        return failed({ kind: 'misconfigured', message: exchange.message });
      case 'notSent':
      case 'interrupted':
      case 'invalidAnswer':
        // Nothing has gone to the cluster: it is safe to try again later.
        return failed({ kind: 'unreachable', message: `no new ID token: ${exchange.message}` });
    }
  } finally {
    transport.dispose();
  }
}

function invalid(message: string): { readonly kind: 'misconfigured'; readonly message: string } {
  return { kind: 'misconfigured', message };
}
