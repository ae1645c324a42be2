import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultProxy, RecordedRequest } from '../../support/faultProxy.ts';
import type { Chance } from './chance.ts';

const status = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason });
const json = { 'content-type': 'application/json' };

/** Lays one fault after another, until the signal ends it. @returns how many requests met one */
export async function layFaults(proxy: FaultProxy, chance: Chance, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const restMs = chance.between(100, 500);
    if (chance(0.02)) {
      proxy.cutConnections();
      count++;
      await pause(restMs);
    } else if (chance(0.01)) {
      await proxy.pause();
      count++;
      await pause(2 * restMs);
      await proxy.resume();
    } else {
      const isWrite = chance(0.7);
      const isTarget = ({ method, path }: RecordedRequest): boolean =>
        isWrite ? method === 'PUT' : method === 'GET' && path.includes('/namespaces/');
      using laid = proxy.inject(isTarget, pickFault(chance, isWrite), 1);
      await pause(restMs);
      count += laid.met.length;
      // Requests go by unharmed in between.
      await pause(restMs);
    }
  }
  return count;
}

function pickFault(chance: Chance, isWrite: boolean): Fault {
  const later = pause(chance.between(50, 1500));
  return chance.pick<Fault>([
    { kind: 'cutBefore' },
    { kind: 'cutAfter' },
    { kind: 'cutAfter' },
    { kind: 'truncate', bytes: Math.floor(chance.between(0, 400)) },
    { kind: 'hold', until: later },
    { kind: 'holdAnswer', until: later },
    { kind: 'drip', bytes: 64 },
    { kind: 'answer', status: 500, headers: json, body: status(500, 'InternalError') },
    { kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
    { kind: 'answer', status: 503, headers: json, body: status(503, 'ServiceUnavailable') },
    ...(isWrite
      ? [
          {
            kind: 'answer',
            status: 429,
            headers: { ...json, 'retry-after': '1' },
            body: status(429, 'TooManyRequests'),
          } as const,
        ]
      : []),
  ]);
}
