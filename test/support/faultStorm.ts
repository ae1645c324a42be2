import type { Fault, FaultProxy, Injection, RecordedRequest } from './faultProxy.ts';

/** What can go wrong with a list or watch. `network` breaks every open connection. */
export const stormFaults = [
  'network',
  'refuseConnections',
  'cutBefore',
  'cutAfter',
  'truncate',
  'reset',
  'drip',
  'stall',
  'stallBody',
  'gone',
  'goneEvent',
  'tooLarge',
  'throttled',
  'serverError',
  'badGateway',
  'empty',
  'replay',
] as const;

export type StormFault = (typeof stormFaults)[number];

/** Breaks what passes a proxy, one fault after the other, until it is calmed. */
export class FaultStorm {
  readonly #proxy: FaultProxy;
  #injections: Injection[] = [];
  #replayable: RecordedRequest | undefined;
  #isRefusing = false;

  constructor(proxy: FaultProxy) {
    this.#proxy = proxy;
  }

  /** @param amount of bytes after which an answer is cut, or of requests that are met */
  async brew(kind: StormFault, amount: number): Promise<void> {
    switch (kind) {
      case 'network':
        this.#proxy.cutConnections();
        return;
      case 'refuseConnections':
        if (!this.#isRefusing) await this.#proxy.pause();
        this.#isRefusing = true;
        return;
      case 'replay': {
        // The newest watch that sent something: its lines come again, as a cache that is behind sends them.
        const past = this.#proxy.requests.findLast(
          (request) => isWatch(request) && request.answer.includes('\n') && !isCompressed(request),
        );
        this.#replayable = past ?? this.#replayable;
        const body = this.#replayable?.answer.slice(0, this.#replayable.answer.lastIndexOf('\n') + 1) ?? '';
        const path = this.#replayable?.path.split('?')[0];
        // Initial events are a promise of completeness that an old answer does not keep.
        const isSame = (request: RecordedRequest): boolean =>
          isWatch(request) &&
          !request.path.includes('sendInitialEvents') &&
          request.path.split('?')[0] === path;
        if (path !== undefined) this.#lay(isSame, { kind: 'answer', status: 200, body }, 1);
        return;
      }
      default:
        this.#lay(isRead, toFault(kind, amount), 1 + (amount % 5));
    }
  }

  /** Takes the faults away; connections that hang are broken. */
  async calm(): Promise<void> {
    for (const injection of this.#injections) injection.dispose();
    this.#injections = [];
    if (this.#isRefusing) await this.#proxy.resume();
    this.#isRefusing = false;
    this.#proxy.cutConnections();
    this.#replayable = undefined;
  }

  /** Lets connections be made again, where they are refused. */
  async accept(): Promise<void> {
    if (this.#isRefusing) await this.#proxy.resume();
    this.#isRefusing = false;
  }

  #lay(matches: (request: RecordedRequest) => boolean, fault: Fault, times: number): void {
    this.#injections.push(this.#proxy.inject(matches, fault, times));
  }
}

function isRead({ method }: RecordedRequest): boolean {
  return method === 'GET';
}

function isWatch({ path }: RecordedRequest): boolean {
  return path.includes('watch=true');
}

function isCompressed({ answer }: RecordedRequest): boolean {
  return !answer.startsWith('{');
}

function toFault(
  kind: Exclude<StormFault, 'network' | 'refuseConnections' | 'replay'>,
  amount: number,
): Fault {
  switch (kind) {
    case 'cutBefore':
    case 'cutAfter':
    case 'stall':
    case 'stallBody':
      return { kind };
    case 'truncate':
    case 'reset':
      return { kind, bytes: 1 + amount };
    case 'drip':
      return { kind, bytes: 1 + (amount % 7) };
    case 'gone':
      return answer(410, { reason: 'Expired', message: 'too old resource version' });
    case 'goneEvent': {
      const object = status(410, { reason: 'Expired', message: 'too old resource version' });
      return { kind: 'answer', status: 200, body: `${JSON.stringify({ type: 'ERROR', object })}\n` };
    }
    case 'tooLarge':
      return answer(504, {
        reason: 'Timeout',
        message: 'Too large resource version',
        details: {
          retryAfterSeconds: 1,
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'too large' }],
        },
      });
    case 'throttled':
      return { ...answer(429, { reason: 'TooManyRequests' }), headers: { 'retry-after': '1' } };
    case 'serverError':
      return answer(500, { reason: 'InternalError', message: 'etcd is away' });
    case 'badGateway':
      return { kind: 'answer', status: 502, body: '<html><h1>Bad gateway</h1></html>' };
    case 'empty':
      return { kind: 'answer', status: 200 };
  }
}

function status(code: number, more: Readonly<Record<string, unknown>>): unknown {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...more };
}

function answer(code: number, more: Readonly<Record<string, unknown>>): Fault & { kind: 'answer' } {
  return { kind: 'answer', status: code, body: JSON.stringify(status(code, more)) };
}
