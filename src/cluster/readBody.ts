import type { Readable } from 'node:stream';
import type { Exchange, ExchangeConditions } from './exchange.ts';
import { describeTransportError } from './transportError.ts';

/** An answer may be this long, in bytes after decompression: more than any list page, less than a string can hold. */
const maxBodyBytes = 256 * 1024 * 1024;

/** Reads an answer's body to its end, as UTF-8. Never rejects. */
export function readBody(
  body: Readable,
  signal: AbortSignal,
  onBytes: (length: number) => void,
  { endpoint, clock, timeouts }: ExchangeConditions,
): Promise<Exchange<string>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let lastChunkAt = clock.now();
    const { idleMs } = timeouts;
    const watchIdle = (delayMs: number): void => {
      timer = clock.schedule(delayMs, () => {
        const left = lastChunkAt + idleMs - clock.now();
        if (left > 0) watchIdle(left);
        else fail(`${endpoint.display} stopped in the middle of its answer`);
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
    const fail = (message: string): void => {
      settle({ kind: 'interrupted', message });
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    body.on('data', (chunk: Buffer) => {
      lastChunkAt = clock.now();
      length += chunk.length;
      onBytes(chunk.length);
      chunks.push(chunk);
      if (length <= maxBodyBytes) return;
      settle({ kind: 'invalidAnswer', message: 'the answer is too long to be read' });
    });
    body.once('end', () => {
      settle({ kind: 'answered', value: Buffer.concat(chunks).toString('utf8') });
    });
    body.on('error', (error: Error) => {
      fail(describeTransportError(error, endpoint));
    });
    body.once('close', () => {
      fail(`${endpoint.display} closed the connection in the middle of its answer`);
    });
  });
}
