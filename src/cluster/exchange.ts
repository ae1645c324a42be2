import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../sync/clock.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestAuth } from './requestAuth.ts';

/** How long each step of a request may take, in ms. */
export interface TransportTimeouts {
  /** Until the connection stands, TLS and proxy included. */
  readonly connectMs: number;
  /** From there to the answer's headers. The API server itself gives a write up to 60 s. */
  readonly headersMs: number;
  /** Between two chunks of a body. */
  readonly idleMs: number;
}

/** What of an answer that is no API answer is kept. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** From the API's root, query included, each part encoded. */
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  /** Of the body; JSON where it is absent. */
  readonly contentType?: string;
  readonly auth: RequestAuth;
  readonly signal: AbortSignal;
}

/**
 * What became of a request. `notSent`: not one byte of it left this machine. `interrupted`: it may have been
 * carried out. An abort says which of the two it was.
 */
export type Exchange<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'notSent'; readonly message: string }
  /** `isStale`: a kept connection turned out to be closed before any answer came. */
  | { readonly kind: 'interrupted'; readonly message: string; readonly isStale?: boolean }
  /** The request cannot be built. */
  | { readonly kind: 'misconfigured'; readonly message: string }
  | { readonly kind: 'invalidAnswer'; readonly message: string }
  | { readonly kind: 'aborted'; readonly wasSent: boolean };

/** An answer whose body is still to come. `close` ends the connection unless the body was read to its end. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  readonly close: () => void;
}

/** An answer that goes on. */
export interface OpenStream extends OpenAnswer {
  /** Whoever reads the body tells how many bytes it read, for the request log. */
  readonly tally: (bytes: number) => void;
}

/** What an exchange needs besides the request. */
export interface ExchangeConditions {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly timeouts: TransportTimeouts;
}
