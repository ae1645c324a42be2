import { ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Clock } from '../sync/clock.ts';
import { type Endpoint, maxUnusedMs, requestOptions } from './endpoint.ts';
import { RequestSlots } from './requestSlots.ts';
import type { RequestAuth } from './requestAuth.ts';
import { describeTransportError } from './transportError.ts';

/** How long each step of a request may take, in ms. */
export interface TransportTimeouts {
  /** Until the connection stands, TLS and proxy included. */
  readonly connectMs: number;
  /** From there to the answer's headers. The API server itself gives a write up to 60 s. */
  readonly headersMs: number;
  /** Between two chunks of a body. */
  readonly idleMs: number;
}

export const defaultTimeouts: TransportTimeouts = { connectMs: 15_000, headersMs: 65_000, idleMs: 30_000 };

/** Requests under way at once to one cluster; watches do not count. */
const maxRequests = 8;

/** An answer may be this long, in bytes after decompression: more than any list page, less than a string can hold. */
const maxBodyBytes = 256 * 1024 * 1024;

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
  /** JSON text. */
  readonly body?: string;
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
  | { readonly kind: 'invalidAnswer'; readonly message: string }
  | { readonly kind: 'aborted'; readonly wasSent: boolean };

/** A line of the request log: never headers, bodies or credentials. */
export interface RequestLogEntry {
  readonly context: string;
  readonly method: string;
  readonly path: string;
  /** Absent where there was no answer; `result` says why. */
  readonly status?: number;
  readonly result: string;
  readonly ms: number;
  readonly bytes: number;
}

/** An answer whose body is still to come. `close` ends the connection unless the body was read to its end. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  close(): void;
}

/**
 * A thin HTTP/1.1 client for one cluster: raw text in and out, no redirect followed. Nothing is repeated but
 * a GET that met a kept connection which the other side had closed.
 */
export class Transport {
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #timeouts: TransportTimeouts;
  readonly #log: (entry: Omit<RequestLogEntry, 'context'>) => void;
  #lastUsedAt = 0;
  readonly #slots = new RequestSlots(maxRequests);

  constructor(
    endpoint: Endpoint,
    options: {
      readonly clock: Clock;
      readonly timeouts: TransportTimeouts;
      readonly log: (entry: Omit<RequestLogEntry, 'context'>) => void;
    },
  ) {
    this.#endpoint = endpoint;
    this.#clock = options.clock;
    this.#timeouts = options.timeouts;
    this.#log = options.log;
  }

  /** Sends a request and reads the whole answer. */
  async exchange(request: HttpRequest): Promise<Exchange<Answer>> {
    const release = await this.#slots.take(request.signal);
    if (release === undefined) return { kind: 'aborted', wasSent: false };
    const startedAt = this.#clock.now();
    let bytes = 0;
    const finish = (exchange: Exchange<Answer>): Exchange<Answer> => {
      this.#log({
        method: request.method,
        path: request.path,
        ms: this.#clock.now() - startedAt,
        bytes,
        ...(exchange.kind === 'answered' ? { status: exchange.value.status } : {}),
        result: exchange.kind,
      });
      return exchange;
    };
    try {
      const opened = await this.#open(request);
      if (opened.kind !== 'answered') return finish(opened);
      const { status, headers, body, close } = opened.value;
      const read = await this.#readBody(body, request.signal, (length) => (bytes += length));
      if (read.kind !== 'answered') close();
      return finish(
        read.kind === 'answered' ? { ...read, value: { status, headers, body: read.value } } : read,
      );
    } finally {
      release();
    }
  }

  /** Sends a GET whose answer goes on, for a watch; its body has no idle limit. */
  async stream(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    const startedAt = this.#clock.now();
    const opened = await this.#open(request);
    this.#log({
      method: request.method,
      path: request.path,
      ms: this.#clock.now() - startedAt,
      bytes: 0,
      ...(opened.kind === 'answered' ? { status: opened.value.status } : {}),
      result: opened.kind,
    });
    return opened;
  }

  /** The rest of a streamed answer that turned out to be an error. */
  async readRest(answer: OpenAnswer, signal: AbortSignal): Promise<Exchange<string>> {
    const read = await this.#readBody(answer.body, signal, () => undefined);
    if (read.kind !== 'answered') answer.close();
    return read;
  }

  dispose(): void {
    this.#endpoint.agent.destroy();
  }

  async #open(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    this.#dropOldConnections();
    const opened = await this.#openOnce(request);
    const isStale = opened.kind === 'interrupted' && opened.isStale === true;
    return isStale && request.method === 'GET' ? this.#openOnce(request) : opened;
  }

  /** After a sleep of the machine, timers come too late to have closed what is long dead. */
  #dropOldConnections(): void {
    const now = this.#clock.now();
    const isOld = now - this.#lastUsedAt > maxUnusedMs;
    this.#lastUsedAt = now;
    if (!isOld) return;
    for (const sockets of Object.values(this.#endpoint.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  async #openOnce(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    if (request.signal.aborted) return { kind: 'aborted', wasSent: false };
    let clientRequest: ClientRequest;
    try {
      // Not https.request: an editor's host may have replaced it by one that picks its own proxy and agent.
      clientRequest = new ClientRequest(requestOptions(this.#endpoint, request));
    } catch {
      const message = 'the request cannot be built: the credentials hold characters that no header may hold';
      return { kind: 'notSent', message };
    }
    return this.#awaitHeaders(clientRequest, request);
  }

  #awaitHeaders(clientRequest: ClientRequest, request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    const { signal, body } = request;
    return new Promise((resolve) => {
      let wasSent = false;
      let proxyStatus: number | undefined;
      let reason: string | undefined;
      const giveUp = (message: string): void => {
        reason = message;
        clientRequest.destroy();
      };
      let timer = this.#clock.schedule(this.#timeouts.connectMs, () => {
        giveUp(`no connection to ${this.#endpoint.display} within ${this.#timeouts.connectMs / 1000} s`);
      });
      const markSent = (): void => {
        if (wasSent) return;
        wasSent = true;
        timer.dispose();
        timer = this.#clock.schedule(this.#timeouts.headersMs, () => {
          giveUp(`no answer from ${this.#endpoint.display} within ${this.#timeouts.headersMs / 1000} s`);
        });
      };
      const abort = (): void => {
        clientRequest.destroy();
      };
      const settle = (exchange: Exchange<OpenAnswer>): void => {
        timer.dispose();
        signal.removeEventListener('abort', abort);
        resolve(exchange);
      };
      const fail = (error: Error | undefined): void => {
        if (signal.aborted) settle({ kind: 'aborted', wasSent });
        else {
          const message = reason ?? describeTransportError(error, this.#endpoint);
          if (!wasSent || proxyStatus !== undefined) settle({ kind: 'notSent', message });
          else {
            const isStale = clientRequest.reusedSocket && reason === undefined;
            settle({ kind: 'interrupted', message, isStale });
          }
        }
      };
      signal.addEventListener('abort', abort, { once: true });
      clientRequest.on('proxyConnect', (answer: { readonly statusCode?: number }) => {
        if (answer.statusCode !== 200) proxyStatus = answer.statusCode ?? 0;
      });
      clientRequest.once('socket', (socket) => {
        const isSecure = 'encrypted' in socket;
        if (clientRequest.reusedSocket || (!isSecure && !socket.connecting)) markSent();
        else socket.once(isSecure ? 'secureConnect' : 'connect', markSent);
      });
      clientRequest.once('response', (response) => {
        // A proxy that refuses the tunnel answers in the server's place; the server never saw the request.
        if (proxyStatus !== undefined) {
          reason = `the proxy ${this.#endpoint.proxyDisplay ?? ''} refused the connection (${proxyStatus})`;
          response.destroy();
          fail(undefined);
          return;
        }
        settle({ kind: 'answered', value: openAnswer(clientRequest, response) });
      });
      clientRequest.on('error', fail);
      clientRequest.once('close', () => {
        fail(undefined);
      });
      clientRequest.end(body);
    });
  }

  #readBody(
    body: Readable,
    signal: AbortSignal,
    onBytes: (length: number) => void,
  ): Promise<Exchange<string>> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let length = 0;
      let lastChunkAt = this.#clock.now();
      const { idleMs } = this.#timeouts;
      const watchIdle = (delayMs: number): void => {
        timer = this.#clock.schedule(delayMs, () => {
          const left = lastChunkAt + idleMs - this.#clock.now();
          if (left > 0) watchIdle(left);
          else
            settle({
              kind: 'interrupted',
              message: `${this.#endpoint.display} stopped in the middle of its answer`,
            });
        });
      };
      let timer = { dispose: (): void => undefined };
      watchIdle(idleMs);
      const abort = (): void => {
        settle({ kind: 'aborted', wasSent: true });
      };
      const settle = (exchange: Exchange<string>): void => {
        timer.dispose();
        signal.removeEventListener('abort', abort);
        if (exchange.kind !== 'answered') body.destroy();
        resolve(exchange);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      body.on('data', (chunk: Buffer) => {
        lastChunkAt = this.#clock.now();
        length += chunk.length;
        onBytes(chunk.length);
        chunks.push(chunk);
        if (length > maxBodyBytes)
          settle({ kind: 'invalidAnswer', message: 'the answer is too long to be read' });
      });
      body.once('end', () => {
        settle({ kind: 'answered', value: Buffer.concat(chunks).toString('utf8') });
      });
      body.on('error', (error: Error) => {
        settle({ kind: 'interrupted', message: describeTransportError(error, this.#endpoint) });
      });
      body.once('close', () => {
        settle({
          kind: 'interrupted',
          message: `${this.#endpoint.display} closed the connection in the middle of its answer`,
        });
      });
    });
  }
}

function openAnswer(request: ClientRequest, response: IncomingMessage): OpenAnswer {
  const close = (): void => {
    response.destroy();
    request.destroy();
  };
  const status = response.statusCode ?? 0;
  if (response.headers['content-encoding'] !== 'gzip')
    return { status, headers: response.headers, body: response, close };
  const unzipped = createGunzip();
  // pipe() hands on neither errors nor an early close.
  response.once('error', (error) => unzipped.destroy(error));
  response.once('close', () => {
    if (!response.complete) unzipped.destroy(new Error('the answer was cut'));
  });
  return { status, headers: response.headers, body: response.pipe(unzipped), close };
}
