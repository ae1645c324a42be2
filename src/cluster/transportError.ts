import type { Endpoint } from './endpoint.ts';

const untrusted = 'is not signed by an authority that the kubeconfig or this machine trusts';

/** OpenSSL's and Node's codes for a certificate that does not pass, in words. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet; check the clock',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'names another host',
  CERT_REVOKED: 'has been revoked',
};

/**
 * Says why a connection failed, for a person. Nothing of the error's own text is used but system codes.
 *
 * @param error undefined for a connection that closed without one
 */
export function describeTransportError(
  error: unknown,
  endpoint: Pick<Endpoint, 'display' | 'proxyDisplay'>,
): string {
  const { display, proxyDisplay } = endpoint;
  const target = proxyDisplay === undefined ? display : `${display} through the proxy ${proxyDisplay}`;
  const code = codeOf(error);
  const certificate = certificateProblems[code];
  if (certificate !== undefined) return `the certificate of ${display} ${certificate} (${code})`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing answers at ${target} (connection refused)`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${target} cannot be found (${code})`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return `${target} cannot be reached (${code})`;
    case 'ECONNRESET':
    case 'EPIPE':
    case '':
      return `the connection to ${target} was closed`;
    default:
      return code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')
        ? `no secure connection to ${target} (${code})`
        : code.startsWith('ERR_OSSL')
          ? `the client certificate or its key cannot be read (${code})`
          : `the connection to ${target} failed (${code})`;
  }
}

/** The first system code in an error, in what it wraps, or in its parts where several addresses were tried. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error instanceof AggregateError) {
    for (const part of error.errors) {
      const code = codeOf(part);
      if (code !== '') return code;
    }
  }
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
