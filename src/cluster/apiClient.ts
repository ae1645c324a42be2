import type { Outcome, RequestFailure } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Clock } from '../sync/clock.ts';
import { toApiStatus, tryParseJson } from './apiStatus.ts';
import type { Authorization, Credentials } from './credentials.ts';
import type { Answer, Exchange, HttpRequest, OpenStream } from './exchange.ts';
import { type Patience, ReadPauses } from './readPauses.ts';
import { toRequestFailure } from './status.ts';
import type { Transport } from './transport.ts';

/** What a request brought: an exchange, or the credentials that could not be had. */
export type ApiResult<T> =
  Exchange<T> | { readonly kind: 'unauthenticated' | 'misconfigured'; readonly message: string };

export type ApiRequest = Omit<HttpRequest, 'auth'>;

/** Sends requests as one user to one cluster; a 401 brings new credentials once. */
export class ApiClient {
  readonly #transport: Transport;
  readonly #credentials: Credentials;
  readonly #pauses: ReadPauses;

  constructor(transport: Transport, credentials: Credentials, clock: Clock) {
    this.#transport = transport;
    this.#credentials = credentials;
    this.#pauses = new ReadPauses(clock);
  }

  send(request: ApiRequest): Promise<ApiResult<Answer>> {
    return this.#authorized(request, (whole) => this.#transport.exchange(whole));
  }

  /** For watches. The caller reads the body, closes it, and decides when to ask again. */
  async stream(request: ApiRequest): Promise<ApiResult<OpenStream>> {
    if (!(await this.#pauses.untilOpen(request.signal))) return { kind: 'aborted', wasSent: false };
    const result = await this.#authorized(request, (whole) => this.#transport.stream(whole));
    if (result.kind === 'answered') this.#pauses.note(result.value);
    return result;
  }

  /** Reads a streamed answer that turned out to be an error. */
  async readFailure(answer: OpenStream, signal: AbortSignal): Promise<RequestFailure> {
    const read = await this.#transport.readRest(answer, signal);
    if (read.kind !== 'answered') return toReadFailure(read);
    return toRequestFailure({ ...answer, body: read.value });
  }

  /**
   * GETs a JSON object, or POSTs a question that changes nothing. Where the server asks for a pause it is asked
   * again after it, up to `maxReadPauseMs`.
   */
  fetchObject(request: ApiRequest, patience: Patience = 'busyOrDown'): Promise<Outcome<JsonObject>> {
    return this.#pauses.patiently(() => this.#fetchOnce(request), request.signal, patience);
  }

  async #fetchOnce(request: ApiRequest): Promise<Outcome<JsonObject>> {
    const result = await this.send(request);
    if (result.kind !== 'answered') return toReadFailure(result);
    this.#pauses.note(result.value);
    const { status, body } = result.value;
    if (status < 200 || status > 299) return toRequestFailure(result.value);
    const value = tryParseJson(body);
    // A Status where an object should be: some proxies answer errors with 200.
    if (!isJsonObject(value) || toApiStatus(value) !== undefined) return toRequestFailure(result.value);
    return { kind: 'ok', value };
  }

  /** True once another client has taken its place. */
  get isRetired(): boolean {
    return this.#transport.isRetired;
  }

  /** Ends its watches, and its connections as soon as no request needs them. */
  retire(): void {
    this.#transport.retire();
  }

  dispose(): void {
    this.#transport.dispose();
  }

  async #authorized<T extends { readonly status: number; readonly close?: () => void }>(
    request: ApiRequest,
    send: (request: HttpRequest) => Promise<Exchange<T>>,
  ): Promise<ApiResult<T>> {
    const first = await this.#credentials.authorize(request.signal);
    if (first.kind !== 'ok') return toNoCredentials(first);
    const result = await send({ ...request, auth: first.value.auth });
    const isRefused = result.kind === 'answered' && result.value.status === 401;
    if (!isRefused) return result;
    await this.#credentials.drop(first.value);
    const second = await this.#credentials.authorize(request.signal);
    if (second.kind !== 'ok') {
      closeBody(result.value);
      return toNoCredentials(second);
    }
    if (isSameIdentity(first.value, second.value)) return result;
    closeBody(result.value);
    return send({ ...request, auth: second.value.auth });
  }
}

/** What a result without an answer means for a read. */
export function toReadFailure(
  result: Exclude<ApiResult<unknown>, { readonly kind: 'answered' }>,
): RequestFailure {
  switch (result.kind) {
    case 'notSent':
      return { kind: 'unreachable', message: result.message };
    case 'interrupted':
    case 'invalidAnswer':
    case 'unauthenticated':
    case 'misconfigured':
      return { kind: result.kind, message: result.message };
    case 'aborted':
      return { kind: 'aborted' };
  }
}

function toNoCredentials(failure: RequestFailure): Exclude<ApiResult<never>, { readonly kind: 'answered' }> {
  if (failure.kind === 'aborted') return { kind: 'aborted', wasSent: false };
  // Such as an identity provider that does not answer now: it may later.
  if (failure.kind === 'unreachable') return { kind: 'notSent', message: failure.message };
  const kind = failure.kind === 'misconfigured' ? 'misconfigured' : 'unauthenticated';
  return { kind, message: failure.message };
}

function isSameIdentity(first: Authorization, second: Authorization): boolean {
  const print = ({ auth: { headers, tls } }: Authorization): string =>
    JSON.stringify([headers, tls.cert?.toString()]);
  return print(first) === print(second);
}

/** A streamed answer that is not read holds its connection. */
function closeBody(answer: { readonly close?: () => void }): void {
  answer.close?.();
}
