import { ClientRequest } from 'node:http';
import { awaitHeaders } from './awaitHeaders.ts';
import { maxUnusedMs, requestOptions } from './endpoint.ts';
import type {
  Answer,
  Exchange,
  ExchangeConditions,
  HttpRequest,
  OpenAnswer,
  OpenStream,
  TransportTimeouts,
} from './exchange.ts';
import { readBody } from './readBody.ts';
import { RequestSlots } from './requestSlots.ts';

export const defaultTimeouts: TransportTimeouts = { connectMs: 15_000, headersMs: 65_000, idleMs: 30_000 };

/** Requests under way at once through one transport; the others wait in order. */
export const maxRequests = 8;

/**
 * Watches open at once through one transport, beside the requests, so that neither waits for the other. One too
 * many waits in order for another's end, 90 s at most; until then it is not called live. Each has a connection
 * of its own: with the requests' there are never more than `maxRequests + maxWatches`.
 */
export const maxWatches = 100;

/** A line of the request log: never headers, bodies or credentials. */
export interface RequestLogEntry {
  readonly context: string;
  readonly method: string;
  readonly path: string;
  /** Absent where there was no answer; `result` says why. */
  readonly status?: number;
  /** `opened` is a watch whose headers are here; its end has a line of its own. */
  readonly result: Exchange<unknown>['kind'] | 'opened';
  /** To the end of the answer. */
  readonly ms: number;
  /** Of the answer's body, after decompression. */
  readonly bytes: number;
}

/** What became of a request, as far as the log tells it. */
type Loggable = { readonly kind: RequestLogEntry['result'] } & (
  { readonly value: { readonly status: number } } | { readonly message?: string }
);

/**
 * A thin HTTP/1.1 client for one cluster: raw text in and out, no redirect followed. Nothing is repeated but
 * a GET that met a kept connection which the other side had closed.
 */
export class Transport {
  readonly #conditions: ExchangeConditions;
  readonly #log: (entry: Omit<RequestLogEntry, 'context'>) => void;
  readonly #requestSlots = new RequestSlots(maxRequests);
  readonly #watchSlots = new RequestSlots(maxWatches);
  readonly #openStreams = new Set<OpenAnswer>();
  #lastUsedAt = 0;
  #underWay = 0;
  #isRetired = false;

  constructor(conditions: ExchangeConditions, log: (entry: Omit<RequestLogEntry, 'context'>) => void) {
    this.#conditions = conditions;
    this.#log = log;
  }

  /** True once another transport has taken its place. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Sends a request and reads the whole answer. */
  async exchange(request: HttpRequest): Promise<Exchange<Answer>> {
    const release = await this.#requestSlots.take(request.signal);
    if (release === undefined) return { kind: 'aborted', wasSent: false };
    const finish = this.#begin(request);
    let bytes = 0;
    try {
      const opened = await this.#open(request);
      if (opened.kind !== 'answered') return finish(opened, bytes);
      const { status, headers, body, close } = opened.value;
      const read = await readBody(body, request.signal, (length) => (bytes += length), this.#conditions);
      if (read.kind !== 'answered') close();
      return finish(
        read.kind === 'answered' ? { ...read, value: { status, headers, body: read.value } } : read,
        bytes,
      );
    } finally {
      this.#end();
      release();
    }
  }

  /** Sends a GET whose answer goes on, for a watch; its body has no idle limit. */
  async stream(request: HttpRequest): Promise<Exchange<OpenStream>> {
    const release = await this.#watchSlots.take(request.signal);
    if (release === undefined) return { kind: 'aborted', wasSent: false };
    const finish = this.#begin(request);
    const opened = await this.#open(request);
    if (opened.kind !== 'answered') {
      this.#end();
      release();
      return finish(opened, 0);
    }
    const answer = opened.value;
    let bytes = 0;
    if (answer.status === 200) finish({ kind: 'opened', value: answer }, bytes);
    this.#openStreams.add(answer);
    answer.body.once('close', () => {
      this.#openStreams.delete(answer);
      const kind = request.signal.aborted ? 'aborted' : 'interrupted';
      finish(answer.body.readableEnded ? opened : { kind, value: answer }, bytes);
      this.#end();
      release();
    });
    const tally = (length: number): void => {
      bytes += length;
    };
    return { kind: 'answered', value: { ...answer, tally } };
  }

  /** The rest of a streamed answer that turned out to be an error. */
  async readRest(answer: OpenStream, signal: AbortSignal): Promise<Exchange<string>> {
    const read = await readBody(answer.body, signal, answer.tally, this.#conditions);
    if (read.kind !== 'answered') answer.close();
    return read;
  }

  /**
   * Ends the watches and, as soon as the requests under way have ended, all connections: another transport has
   * taken its place, since the kubeconfig says now to connect in another way.
   */
  retire(): void {
    this.#isRetired = true;
    for (const answer of [...this.#openStreams]) {
      answer.body.destroy();
      answer.close();
    }
    if (this.#underWay === 0) this.dispose();
  }

  dispose(): void {
    this.#conditions.endpoint.agent.destroy();
  }

  /** @returns logs what became of the request, and hands it on */
  #begin({ method, path }: HttpRequest) {
    this.#underWay++;
    const { clock } = this.#conditions;
    const startedAt = clock.now();
    return <T extends Loggable>(exchange: T, bytes: number): T => {
      const { kind: result } = exchange;
      const status = 'value' in exchange ? { status: exchange.value.status } : {};
      this.#log({ method, path, ms: clock.now() - startedAt, bytes, ...status, result });
      return exchange;
    };
  }

  #end(): void {
    this.#underWay--;
    if (this.#isRetired && this.#underWay === 0) this.dispose();
  }

  async #open(request: HttpRequest): Promise<Exchange<OpenAnswer>> {
    const now = this.#conditions.clock.now();
    // After a sleep of the machine, timers come too late to have closed what is long dead.
    if (now - this.#lastUsedAt > maxUnusedMs) this.#dropUnusedConnections();
    this.#lastUsedAt = now;
    const opened = await this.#openOnce(request);
    const isStale = opened.kind === 'interrupted' && opened.isStale === true;
    if (!isStale || request.method !== 'GET') return opened;
    // Where a network was gone, the other kept connections are as dead: a new one is made.
    this.#dropUnusedConnections();
    return this.#openOnce(request);
  }

  #dropUnusedConnections(): void {
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
