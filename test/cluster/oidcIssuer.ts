import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IssuedCertificate } from './certificates.ts';

/** What a client sent to the token endpoint. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

/** An OpenID Connect provider of one user, as much of it as discovery, refresh and an API server's check need. */
export interface OidcIssuer extends AsyncDisposable {
  readonly url: string;
  readonly clientId: string;
  /** The refresh token that is accepted now. */
  readonly refreshToken: string;
  readonly tokenRequests: TokenRequest[];
  /** Each refresh replaces the refresh token; the former one is refused from then on. */
  isRotating: boolean;
  /** How the token endpoint says that clients prove themselves; undefined leaves it out. */
  clientProofs: readonly string[] | undefined;
  /** Another answer of the token endpoint, until it is undefined again. */
  failure: { readonly status: number; readonly body: string } | undefined;
  /** Holds the token endpoint's answers. */
  gate: Promise<void>;
  /** An ID token that ends this many seconds from now. */
  issue(seconds: number): string;
}

export async function startOidcIssuer(identity: IssuedCertificate): Promise<OidcIssuer> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer({ cert: identity.certificate, key: identity.key });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const clientId = 'kubernetes';
  const keyId = 'key-1';
  let serial = 0;
  let refreshToken = newRefreshToken();
  const issuer: OidcIssuer = {
    url,
    clientId,
    get refreshToken() {
      return refreshToken;
    },
    tokenRequests: [],
    isRotating: false,
    clientProofs: undefined,
    failure: undefined,
    gate: Promise.resolve(),
    issue: (seconds) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: url,
        aud: clientId,
        sub: 'frieda',
        groups: ['system:masters', 'on-call'],
        iat: now - 60,
        exp: now + seconds,
        jti: String(serial++),
      };
      const parts = [{ alg: 'RS256', kid: keyId }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      const signature = sign('sha256', Buffer.from(parts.join('.')), keys.privateKey);
      return [...parts, signature.toString('base64url')].join('.');
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  const answerToken = async (request: IncomingMessage): Promise<{ status: number; body: string }> => {
    const form = new URLSearchParams(await readText(request));
    issuer.tokenRequests.push({ form, authorization: request.headers.authorization });
    await issuer.gate;
    if (issuer.failure !== undefined) return issuer.failure;
    if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== refreshToken) {
      const error = { error: 'invalid_grant', error_description: 'Token is not active' };
      return { status: 400, body: JSON.stringify(error) };
    }
    if (issuer.isRotating) refreshToken = newRefreshToken();
    const tokens = { id_token: issuer.issue(3600), access_token: 'unused', token_type: 'Bearer' };
    const rotated = issuer.isRotating ? { refresh_token: refreshToken } : {};
    return { status: 200, body: JSON.stringify({ ...tokens, ...rotated }) };
  };

  server.on('request', (request, response) => {
    const answer = (status: number, body: string): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    };
    switch (request.url) {
      case '/.well-known/openid-configuration':
        answer(
          200,
          JSON.stringify({
            issuer: url,
            authorization_endpoint: `${url}/authorize`,
            token_endpoint: `${url}/token`,
            jwks_uri: `${url}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
            token_endpoint_auth_methods_supported: issuer.clientProofs,
          }),
        );
        return;
      case '/keys': {
        const key = { ...keys.publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' };
        answer(200, JSON.stringify({ keys: [key] }));
        return;
      }
      case '/token':
        answerToken(request).then(
          ({ status, body }) => {
            answer(status, body);
          },
          () => request.destroy(),
        );
        return;
      default:
        answer(404, '{}');
    }
  });
  return issuer;
}

function newRefreshToken(): string {
  return `refresh-${randomBytes(12).toString('hex')}`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
