import { ClientRequest } from 'node:http';
import { awaitHeaders } from './awaitHeaders.ts';
import { maxUnusedMs, requestOptions } from './endpoint.ts';
import type {
  Answer,
  Exchange,
  ExchangeConditions,
  HttpRequest,
  OpenAnswer,
  TransportTimeouts,
} from './exchange.ts';
import { readBody } from './readBody.ts';
import { RequestSlots } from './requestSlots.ts';

export const defaultTimeouts: TransportTimeouts = { connectMs: 15_000, headersMs: 65_000, idleMs: 30_000 };

/** Requests under way at once to one cluster; watches do not count. */
const maxRequests = 8;

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

/**
 * A thin HTTP/1.1 client for one cluster: raw text in and out, no redirect followed. Nothing is repeated but
 * a GET that met a kept connection which the other side had closed.
 */
export class Transport {
  readonly #conditions: ExchangeConditions;
  readonly #log: (entry: Omit<RequestLogEntry, 'context'>) => void;
  #lastUsedAt = 0;
  readonly #slots = new RequestSlots(maxRequests);

  constructor(conditions: ExchangeConditions, log: (entry: Omit<RequestLogEntry, 'context'>) => void) {
    this.#conditions = conditions;
    this.#log = log;
  }

  /** Sends a request and reads the whole answer. */
  async exchange(request: HttpRequest): Promise<Exchange<Answer>> {
    const release = await this.#slots.take(request.signal);
    if (release === undefined) return { kind: 'aborted', wasSent: false };
    const startedAt = this.#conditions.clock.now();
    let bytes = 0;
    const finish = (exchange: Exchange<Answer>): Exchange<Answer> => {
      this.#log({
        method: request.method,
        path: request.path,
        ms: this.#conditions.clock.now() - startedAt,
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
      const read = await readBody(body, request.signal, (length) => (bytes += length), this.#conditions);
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
    const startedAt = this.#conditions.clock.now();
    const opened = await this.#open(request);
    this.#log({
      method: request.method,
      path: request.path,
      ms: this.#conditions.clock.now() - startedAt,
      bytes: 0,
      ...(opened.kind === 'answered' ? { status: opened.value.status } : {}),
      result: opened.kind,
    });
    return opened;
  }

  /** The rest of a streamed answer that turned out to be an error. */
  async readRest(answer: OpenAnswer, signal: AbortSignal): Promise<Exchange<string>> {
    const read = await readBody(answer.body, signal, () => undefined, this.#conditions);
    if (read.kind !== 'answered') answer.close();
    return read;
  }

  dispose(): void {
    this.#conditions.endpoint.agent.destroy();
  }

  async #open(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    this.#dropOldConnections();
    const opened = await this.#openOnce(request);
    const isStale = opened.kind === 'interrupted' && opened.isStale === true;
    return isStale && request.method === 'GET' ? this.#openOnce(request) : opened;
  }

  /** After a sleep of the machine, timers come too late to have closed what is long dead. */
  #dropOldConnections(): void {
    const now = this.#conditions.clock.now();
    const isOld = now - this.#lastUsedAt > maxUnusedMs;
    this.#lastUsedAt = now;
    if (!isOld) return;
    for (const sockets of Object.values(this.#conditions.endpoint.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  async #openOnce(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    if (request.signal.aborted) return { kind: 'aborted', wasSent: false };
    let clientRequest: ClientRequest;
    try {
      // Not https.request: an editor's host may have replaced it by one that picks its own proxy and agent.
      clientRequest = new ClientRequest(requestOptions(this.#conditions.endpoint, request));
    } catch {
      const message = 'the request cannot be built: the credentials hold characters that no header may hold';
      return { kind: 'misconfigured', message };
    }
    return awaitHeaders(clientRequest, request, this.#conditions);
  }
}
