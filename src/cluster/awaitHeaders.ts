import type { ClientRequest, IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { Exchange, ExchangeConditions, HttpRequest, OpenAnswer } from './exchange.ts';
import { describeTransportError } from './transportError.ts';

/** Sends a request's body and waits for the answer's headers. Never rejects. */
export function awaitHeaders(
  clientRequest: ClientRequest,
  request: HttpRequest,
  conditions: ExchangeConditions,
): Promise<Exchange<OpenAnswer>> {
  const { endpoint, clock, timeouts } = conditions;
  const { signal, body } = request;
  return new Promise((resolve) => {
    let wasSent = false;
    let isSettled = false;
    let proxyStatus: number | undefined;
    let reason: string | undefined;
    const giveUp = (message: string): void => {
      reason = message;
      clientRequest.destroy();
    };
    let timer = clock.schedule(timeouts.connectMs, () => {
      giveUp(`no connection to ${endpoint.display} within ${timeouts.connectMs / 1000} s`);
    });
    const markSent = (): void => {
      if (wasSent || isSettled) return;
      wasSent = true;
      timer.dispose();
      timer = clock.schedule(timeouts.headersMs, () => {
        giveUp(`no answer from ${endpoint.display} within ${timeouts.headersMs / 1000} s`);
      });
    };
    const abort = (): void => {
      clientRequest.destroy();
    };
    const settle = (exchange: Exchange<OpenAnswer>): void => {
      isSettled = true;
      timer.dispose();
      signal.removeEventListener('abort', abort);
      resolve(exchange);
    };
    const fail = (error: Error | undefined): void => {
      if (signal.aborted) settle({ kind: 'aborted', wasSent });
      else {
        const message = reason ?? describeTransportError(error, endpoint);
        if (!wasSent || proxyStatus !== undefined) settle({ kind: 'notSent', message });
        else {
          const isStale = clientRequest.reusedSocket && reason === undefined;
          settle({ kind: 'interrupted', message, isStale });
        }
      }
    };
    signal.addEventListener('abort', abort, { once: true });
    clientRequest.on('proxyConnect', (answer: { readonly statusCode?: number }) => {
      // Without a tunnel, for a plain http server, there is no status.
      if (answer.statusCode !== undefined && answer.statusCode !== 200) proxyStatus = answer.statusCode;
    });
    clientRequest.once('socket', (socket) => {
      // What is not known to be still connecting counts as sent: the safe side.
      if ('secureConnecting' in socket && socket.secureConnecting === true) {
        socket.once('secureConnect', markSent);
      } else if (socket.connecting) socket.once('connect', markSent);
      else markSent();
    });
    clientRequest.once('response', (response) => {
      // A proxy that refuses the tunnel answers in the server's place; the server never saw the request.
      if (proxyStatus !== undefined) {
        reason = `the proxy ${endpoint.proxyDisplay ?? ''} refused the connection (${proxyStatus})`;
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

function openAnswer(request: ClientRequest, response: IncomingMessage): OpenAnswer {
  const close = (): void => {
    response.destroy();
    request.destroy();
  };
  const status = response.statusCode ?? 0;
  const { headers } = response;
  if (headers['content-encoding'] !== 'gzip') return { status, headers, body: response, close };
  const unzipped = createGunzip();
  // Whoever reads it listens too; one that is closed unread must not end the process.
  unzipped.on('error', () => undefined);
  // pipe() hands on neither errors nor an early close.
  response.once('error', (error) => unzipped.destroy(error));
  response.once('close', () => {
    if (!response.complete) unzipped.destroy(new Error('the answer was cut'));
  });
  return { status, headers, body: response.pipe(unzipped), close };
}
