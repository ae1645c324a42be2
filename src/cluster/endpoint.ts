import { Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions as TlsRequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { hostOf } from './proxyChoice.ts';
import { displayUrl } from './redact.ts';
import type { HttpRequest } from './exchange.ts';
import type { TlsOptions } from './requestAuth.ts';

/** How long an unused connection is kept, in ms: less than the API server's own 90 s. */
export const maxUnusedMs = 45_000;

const agentOptions = { keepAlive: true, keepAliveMsecs: 15_000, maxFreeSockets: 8, timeout: maxUnusedMs };

/** Where requests go and through which connections. */
export interface Endpoint {
  readonly url: URL;
  readonly agent: HttpAgent;
  /** The server, for messages. */
  readonly display: string;
  /** The proxy, for messages; absent for a direct connection. */
  readonly proxyDisplay?: string;
  readonly userAgent: string;
  readonly isCompressionDisabled: boolean;
}

/**
 * Builds the connections' owner; nothing is dialled before the first request.
 *
 * @throws Error where the proxy's URL has a scheme that is not supported
 */
export async function createEndpoint(
  server: string,
  proxy: string | undefined,
  options: { readonly userAgent: string; readonly isCompressionDisabled: boolean },
): Promise<Endpoint> {
  const url = new URL(server);
  return {
    url,
    agent: await createAgent(url.protocol === 'https:', proxy),
    display: displayUrl(server),
    ...(proxy === undefined ? {} : { proxyDisplay: displayUrl(proxy) }),
    ...options,
  };
}

/** The options of one request; TLS options stand on the request itself. */
export function requestOptions(endpoint: Endpoint, request: HttpRequest): RequestOptions & TlsRequestOptions {
  const { url, agent, userAgent, isCompressionDisabled } = endpoint;
  const { auth, body } = request;
  const headers: Record<string, string | string[]> = {
    Accept: request.accept ?? 'application/json',
    'User-Agent': userAgent,
    // Said aloud: an editor's host that puts its own agent in place would otherwise close each connection.
    Connection: 'keep-alive',
    ...auth.headers,
  };
  if (!isCompressionDisabled) headers['Accept-Encoding'] = 'gzip';
  if (body !== undefined) {
    headers['Content-Type'] = request.contentType ?? 'application/json';
    headers['Content-Length'] = String(Buffer.byteLength(body));
  }
  return {
    protocol: url.protocol,
    host: hostOf(url),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: url.pathname.replace(/\/$/, '') + request.path,
    method: request.method,
    headers,
    agent,
    ...(url.protocol === 'https:' ? { ...auth.tls, ...identityCheck(hostOf(url), auth.tls) } : {}),
  };
}

/** TLS inside a proxy's tunnel knows no address, and would take the server for `localhost`. */
function identityCheck(
  host: string,
  { servername }: TlsOptions,
): Pick<TlsRequestOptions, 'checkServerIdentity'> {
  if (servername !== undefined || isIP(host) === 0) return {};
  return { checkServerIdentity: (_localhost, certificate) => checkServerIdentity(host, certificate) };
}

async function createAgent(isTls: boolean, proxy: string | undefined): Promise<HttpAgent> {
  if (proxy === undefined) return isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  // Large, and few need it.
  const { createProxyAgent } = await import('./proxyAgent.ts');
  return createProxyAgent(isTls, proxy, agentOptions);
}
