import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';

/** An answer of the API server, whatever its status. */
export interface ApiReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as plain JSON; integers beyond 2^53 are rounded, `text` has them exactly. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read deep into objects of any kind
  readonly json: any;
}

/** What may be said beside method and path. */
export interface ApiRequestOptions {
  /** Sent as it is where it is text, else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The other writer of the tests: plain requests to an API server, sharing nothing with the product. */
export class ApiClient {
  readonly #url: string;
  readonly #ca: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(server: { readonly url: string; readonly ca: string; readonly token: string }) {
    this.#url = server.url;
    this.#ca = server.ca;
    this.#token = server.token;
  }

  /** @throws {Error} no answer came; an answer of any status is returned */
  request(method: string, path: string, options: ApiRequestOptions = {}): Promise<ApiReply> {
    const { body } = options;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        new URL(path, this.#url),
        {
          method,
          ca: this.#ca,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#token}`,
            accept: 'application/json',
            ...(text === undefined ? {} : { 'content-type': 'application/json' }),
            ...options.headers,
          },
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const replyText = Buffer.concat(chunks).toString('utf8');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: replyText,
              get json(): unknown {
                return JSON.parse(replyText);
              },
            });
          });
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  }

  /** @throws {Error} also for any status but 2xx */
  async #succeed(method: string, path: string, options?: ApiRequestOptions): Promise<ApiReply['json']> {
    const reply = await this.request(method, path, options);
    if (reply.status < 200 || reply.status > 299) {
      throw new Error(`${method} ${path} answered ${String(reply.status)}: ${reply.text}`);
    }
    return reply.json;
  }

  get(path: string): Promise<ApiReply['json']> {
    return this.#succeed('GET', path);
  }

  /** @param path of the collection */
  create(path: string, body: unknown): Promise<ApiReply['json']> {
    return this.#succeed('POST', path, { body });
  }

  replace(path: string, body: unknown): Promise<ApiReply['json']> {
    return this.#succeed('PUT', path, { body });
  }

  /** A JSON merge patch: what another person's or controller's single change looks like. */
  patch(path: string, body: unknown, fieldManager = 'other-writer'): Promise<ApiReply['json']> {
    return this.#succeed('PATCH', withQuery(path, { fieldManager }), {
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  }

  /** Server-side apply. */
  apply(path: string, body: unknown, fieldManager: string): Promise<ApiReply['json']> {
    return this.#succeed('PATCH', withQuery(path, { fieldManager, force: 'true' }), {
      body,
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
  }

  delete(path: string): Promise<ApiReply['json']> {
    return this.#succeed('DELETE', path);
  }

  /** Closes the connections it keeps. */
  close(): void {
    this.#agent.destroy();
  }
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}
