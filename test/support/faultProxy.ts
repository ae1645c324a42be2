import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent, createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { toDisposable } from '../../src/core/lifecycle.ts';

/** A request as it came to the proxy. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the answer that was sent back, or was lost on its way back; undefined before there is one. */
  status: number | undefined;
  /** What was passed on so far of the answer's body, as Latin-1; empty where a fault broke it. */
  answer: string;
  /** The name that the client asked for in its TLS handshake. */
  readonly serverName: string | undefined;
  /** Tells the client's connections apart. */
  readonly clientPort: number | undefined;
  readonly httpVersion: string;
  /** Common name of the client's certificate, where the proxy asked for one and was given one. */
  readonly clientName: string | undefined;
}

/** What goes wrong with a request. Without one, requests and answers pass unchanged. */
export type Fault =
  /** The proxy answers by itself; the server never hears of the request. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The connection breaks before the request is passed on. */
  | { readonly kind: 'cutBefore' }
  /** The server carries the request out, and the connection breaks instead of the answer. */
  | { readonly kind: 'cutAfter' }
  /** The answer breaks off after this many bytes of its body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The same, and the connection does not end but is reset (TCP RST). */
  | { readonly kind: 'reset'; readonly bytes: number }
  /** The request is passed on; of the answer only the headers come, and the connection stays open. */
  | { readonly kind: 'stallBody' }
  /** The request is passed on; nothing of an answer ever comes, and the connection stays open. */
  | { readonly kind: 'stall' }
  /** The request is passed on once the promise resolves. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /** The answer comes once the promise resolves. */
  | { readonly kind: 'holdAnswer'; readonly until: Promise<void> }
  /** The body comes in pieces of this many bytes, each in a packet of its own. */
  | { readonly kind: 'drip'; readonly bytes: number };

/** A fault laid for requests to come. */
export interface Injection extends Disposable {
  readonly dispose: () => void;
  /** The requests that it met so far. */
  readonly met: readonly RecordedRequest[];
  /** Resolves when it has met its first request, the body read, before anything is done about it. */
  readonly first: Promise<RecordedRequest>;
}

export interface FaultProxyOptions {
  /** The real API server. */
  readonly target: { readonly url: string; readonly caPath: string };
  /** Speaks plain HTTP to its clients. */
  readonly isPlain?: boolean;
  /** PEM. Shown instead of the API server's own certificate. */
  readonly identity?: { readonly certificate: string; readonly key: string };
  /** PEM. Whose client certificates it asks for; without one, it serves all the same. */
  readonly clientAuthority?: string;
  /** Of the proxy itself; a loopback address. */
  readonly address?: string;
}

/**
 * Stands in front of an API server: records what passes and breaks what a test wants broken.
 * It shows the API server's own certificate, so that a kubeconfig needs only another URL.
 */
export class FaultProxy implements AsyncDisposable {
  readonly url: string;
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;
  readonly #address: AddressInfo;
  readonly #sockets = new Set<Socket>();
  readonly #injections: LaidFault[] = [];
  readonly #target: URL;
  readonly #ca: Buffer;
  readonly #agent = new Agent({ keepAlive: true });

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const ca = readFileSync(options.target.caPath);
    const cert = options.identity?.certificate ?? ca;
    const key = options.identity?.key ?? readFileSync(options.target.caPath.replace(/\.crt$/, '.key'));
    const { clientAuthority } = options;
    const clients =
      clientAuthority === undefined
        ? {}
        : { ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
    const server =
      options.isPlain === true ? createHttpServer() : createHttpsServer({ cert, key, ...clients });
    await listen(server, 0, options.address ?? '127.0.0.1');
    return new FaultProxy(server, options, ca);
  }

  private constructor(server: Server, options: FaultProxyOptions, ca: Buffer) {
    this.#server = server;
    this.#address = server.address() as AddressInfo;
    this.#target = new URL(options.target.url);
    this.#ca = ca;
    const scheme = options.isPlain === true ? 'http' : 'https';
    this.url = `${scheme}://${this.#address.address}:${String(this.#address.port)}`;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  /** How many connections clients have open. */
  get connectionCount(): number {
    return this.#sockets.size;
  }

  /** The recorded requests with this method, and this text in their path. */
  recorded(method: string, pathPart = ''): readonly RecordedRequest[] {
    return this.requests.filter((request) => request.method === method && request.path.includes(pathPart));
  }

  /** Lays a fault for the next `times` requests that `matches` picks; the one laid first is asked first. */
  inject(
    matches: (request: RecordedRequest) => boolean,
    fault: Fault,
    times = Number.POSITIVE_INFINITY,
  ): Injection {
    const laid = new LaidFault(matches, fault, times);
    this.#injections.push(laid);
    const removal = toDisposable(() => {
      this.#injections.splice(this.#injections.indexOf(laid), 1);
    });
    const dispose = (): void => {
      removal.dispose();
    };
    return { met: laid.met, first: laid.first, dispose, [Symbol.dispose]: dispose };
  }

  /** Breaks every open connection, as a lost network does. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Refuses connections until `resume`, and breaks those there are. */
  async pause(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutConnections();
    await closed;
  }

  resume(): Promise<void> {
    return listen(this.#server, this.#address.port, this.#address.address);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    if (this.#server.listening) await this.pause();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: (await readAll(request)).toString('utf8'),
      status: undefined,
      answer: '',
      serverName: serverNameOf(request),
      clientPort: request.socket.remotePort,
      httpVersion: request.httpVersion,
      clientName: clientNameOf(request),
    };
    this.requests.push(recorded);
    const fault = this.#injections.find((laid) => laid.take(recorded))?.fault;
    if (fault?.kind === 'answer') {
      recorded.status = fault.status;
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    if (fault?.kind === 'cutBefore') {
      response.destroy();
      return;
    }
    if (fault?.kind === 'hold') await fault.until;
    const answer = await this.#forward(recorded, response);
    recorded.status = answer.statusCode ?? 0;
    await this.#answer(answer, response, fault, recorded);
  }

  /** Below TLS, where a reset is one. */
  #reset({ clientPort }: RecordedRequest): void {
    for (const socket of this.#sockets) if (socket.remotePort === clientPort) socket.resetAndDestroy();
  }

  #forward(recorded: RecordedRequest, response: ServerResponse): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { ...recorded.headers, host: this.#target.host };
      const upstream = httpsRequest(new URL(recorded.path, this.#target), {
        method: recorded.method,
        headers,
        ca: this.#ca,
        agent: this.#agent,
      });
      upstream.once('response', resolve);
      upstream.once('error', reject);
      // A client that goes away ends its watch upstream.
      response.once('close', () => {
        if (!response.writableFinished) upstream.destroy();
      });
      upstream.end(recorded.body);
    });
  }

  async #answer(
    answer: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
    recorded: RecordedRequest,
  ): Promise<void> {
    answer.on('error', () => response.destroy());
    const begin = (): void => {
      const headers = { ...answer.headers };
      response.writeHead(answer.statusCode ?? 502, headers);
      response.flushHeaders();
    };
    switch (fault?.kind) {
      case 'cutAfter':
        await readAll(answer);
        response.destroy();
        return;
      case 'stall':
        answer.resume();
        return;
      case 'stallBody':
        begin();
        answer.resume();
        return;
      case 'truncate':
        begin();
        await truncate(answer, response, fault.bytes);
        response.destroy();
        return;
      case 'reset':
        begin();
        await truncate(answer, response, fault.bytes);
        this.#reset(recorded);
        return;
      case 'drip':
        begin();
        await drip(answer, response, fault.bytes);
        return;
      case 'holdAnswer':
        await fault.until;
        break;
      default:
    }
    begin();
    answer.on('data', (chunk: Buffer) => {
      recorded.answer += chunk.toString('latin1');
    });
    answer.pipe(response);
  }
}

class LaidFault {
  readonly met: RecordedRequest[] = [];
  readonly first: Promise<RecordedRequest>;
  readonly fault: Fault;
  readonly #matches: (request: RecordedRequest) => boolean;
  #left: number;
  #meet: (request: RecordedRequest) => void = () => undefined;

  constructor(matches: (request: RecordedRequest) => boolean, fault: Fault, times: number) {
    this.#matches = matches;
    this.fault = fault;
    this.#left = times;
    this.first = new Promise((resolve) => {
      this.#meet = resolve;
    });
  }

  take(request: RecordedRequest): boolean {
    if (this.#left <= 0 || !this.#matches(request)) return false;
    this.#left--;
    this.met.push(request);
    this.#meet(request);
    return true;
  }
}

async function truncate(answer: IncomingMessage, response: ServerResponse, bytes: number): Promise<void> {
  let left = bytes;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    await write(response, chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
}

async function drip(answer: IncomingMessage, response: ServerResponse, bytes: number): Promise<void> {
  response.socket?.setNoDelay(true);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length; start += bytes) {
      await write(response, chunk.subarray(start, start + bytes));
    }
  }
  response.end();
}

/** Resolves when the bytes have been handed to the system. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => {
      resolve();
    });
  });
}

function serverNameOf({ socket }: IncomingMessage): string | undefined {
  return 'servername' in socket && typeof socket.servername === 'string' ? socket.servername : undefined;
}

function clientNameOf({ socket }: IncomingMessage): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const name = socket.getPeerCertificate().subject.CN;
  return typeof name === 'string' ? name : name[0];
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
