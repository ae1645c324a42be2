import {
  createServer as createHttpServer,
  request as httpRequest,
  type Server as HttpServer,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy for tests; whatever host it is asked for, it dials this machine. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** The hosts and ports that it was asked for, in order. */
  readonly asked: string[];
  /** Connections that clients have open. */
  readonly openCount: number;
}

/** An HTTP proxy: CONNECT for https servers, whole URLs for http ones. */
export async function startHttpRelay(
  options: {
    /** `user:password`; others are answered 407. */
    readonly credentials?: string;
    /** PEM; then clients speak TLS to the proxy itself. */
    readonly identity?: { readonly certificate: string; readonly key: string };
  } = {},
): Promise<Relay> {
  const asked: string[] = [];
  const expected =
    options.credentials === undefined
      ? undefined
      : `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  const { identity } = options;
  const server: HttpServer =
    identity === undefined
      ? createHttpServer()
      : createHttpsServer({ cert: identity.certificate, key: identity.key });
  server.on('connect', (request, client: Socket, head: Buffer) => {
    if (expected !== undefined && request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    asked.push(request.url ?? '');
    const upstream = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
    });
    join(client, upstream);
  });
  server.on('request', (request, response) => {
    asked.push(request.url ?? '');
    const target = new URL(request.url ?? '');
    const upstream = httpRequest(
      {
        host: '127.0.0.1',
        port: target.port,
        path: target.pathname + target.search,
        method: request.method ?? '',
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    response.once('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  return listening(server, asked);
}

/** A SOCKS5 proxy without log-in, as much of RFC 1928 as a CONNECT needs. */
export async function startSocksRelay(): Promise<Relay> {
  const asked: string[] = [];
  const server = createServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (request) => {
        const isName = request[3] === 3;
        const end = isName ? 5 + (request[4] ?? 0) : 8;
        const host = isName
          ? request.subarray(5, end).toString('latin1')
          : [...request.subarray(4, 8)].join('.');
        const port = request.readUInt16BE(end);
        asked.push(`${host}:${String(port)}`);
        const upstream = connect(port, '127.0.0.1', () => {
          client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
        });
        join(client, upstream);
      });
    });
  });
  return listening(server, asked);
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream);
  upstream.pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
}

async function listening(server: Server, asked: string[]): Promise<Relay> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    get openCount() {
      return sockets.size;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
