import assert from 'node:assert/strict';
import type { RequestFailure } from '../../../src/core/errors.ts';
import { maxWatchSeconds, settleMs, silenceMarginMs, slowOpeningMs } from '../../../src/sync/reflector.ts';
import { slowRetryMs } from '../../../src/sync/reflectorPlan.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, fakeObject } from '../../support/fakeCluster.ts';
import { ReflectorHarness } from './reflectorHarness.ts';

describe('Reflector: silence', () => {
  it('B1: a watch that says nothing past its own timeout is given up and the list read again', async () => {
    const harness = await ReflectorHarness.live();
    const openedAt = harness.clock.now();
    const dead = harness.cluster.lastWatch;
    assert.equal(dead.options.timeoutSeconds, maxWatchSeconds);
    await harness.clock.advance(maxWatchSeconds * 1_000 + silenceMarginMs - 1);
    assert.equal(dead.signal.aborted, false);
    await harness.clock.advance(1);
    assert.equal(dead.signal.aborted, true);
    assert.deepEqual(harness.liveness.at(-1), { kind: 'reconnecting', since: openedAt });
    await harness.clock.advance(1_000);
    await harness.cluster.lastList.page([fakeObject('a', '200')], '200');
    assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'list', 'watch 200']);
    assert.equal(harness.said.at(-1), 'replaced a@200');
  });

  it('B1: a watch that is slow to open is not called live meanwhile', async () => {
    const harness = await ReflectorHarness.live();
    await harness.clock.advance(60_000);
    await harness.cluster.lastWatch.end();
    const askedAt = harness.clock.now();
    await harness.clock.advance(slowOpeningMs - 1);
    assert.deepEqual(harness.livenessKinds, ['live']);
    await harness.clock.advance(1);
    assert.deepEqual(harness.liveness.at(-1), { kind: 'reconnecting', since: askedAt });
    await harness.cluster.lastWatch.open();
    await harness.clock.advance(settleMs);
    assert.deepEqual(harness.livenessKinds, ['live', 'reconnecting', 'live']);
    await harness.clock.advance(slowOpeningMs);
    assert.equal(harness.livenessKinds.at(-1), 'live');
  });

  it('asks for watches of different lengths, so that many do not end together', async () => {
    const harness = new ReflectorHarness();
    harness.clock.chance = 0.999;
    harness.reflector.start();
    await harness.cluster.lastList.page([]);
    assert.equal(harness.cluster.lastWatch.options.timeoutSeconds, 68);
  });
});

describe('Reflector: expired versions', () => {
  for (const [where, expire] of [
    [
      'as an ERROR event',
      (harness: ReflectorHarness): Promise<void> =>
        harness.cluster.lastWatch.send(
          { kind: 'error', failure: failure('expired') },
          { kind: 'added', object: fakeObject('ghost', '9') },
        ),
    ],
    [
      'as a status',
      (harness: ReflectorHarness): Promise<void> => harness.cluster.lastWatch.end(failure('expired')),
    ],
  ] as const) {
    it(`B2: 410 ${where} leads to one list and one watch, at once`, async () => {
      const harness = await ReflectorHarness.live();
      await harness.clock.advance(60_000);
      const watch = harness.cluster.lastWatch;
      await expire(harness);
      assert.equal(watch.signal.aborted, true);
      await watch.end();
      assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'list']);
      await harness.cluster.lastList.page([fakeObject('a', '1')], '200');
      await harness.cluster.lastWatch.open();
      await harness.clock.advance(5_000);
      assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'list', 'watch 200']);
      assert.deepEqual(harness.said, ['replaced a@1 b@2', 'replaced a@1']);
      assert.equal(harness.livenessKinds.at(-1), 'live');
    });
  }

  for (const chance of [0, 0.999]) {
    it(`B3: 410 to every watch costs at most 16 requests a minute and still shows changes (chance ${chance})`, async () => {
      const harness = new ReflectorHarness();
      harness.clock.chance = chance;
      harness.reflector.start();
      const answerAll = async (ms: number): Promise<number> => {
        const before = harness.cluster.requests.length;
        for (let passed = 0; passed < ms; passed += 100) {
          for (let last = harness.cluster.requests.at(-1); last?.signal.aborted === false;) {
            if (last.kind === 'watch')
              await last.send({ kind: 'opened' }, { kind: 'error', failure: failure('expired') });
            else await last.page([fakeObject('a', String(harness.cluster.requests.length))], '100');
            const next = harness.cluster.requests.at(-1);
            if (next === last) break;
            last = next;
          }
          await harness.clock.advance(100);
        }
        return harness.cluster.requests.length - before;
      };
      const firstMinute = await answerAll(60_000);
      assert.ok(firstMinute <= 16, `${firstMinute} requests in the first minute`);
      const secondMinute = await answerAll(60_000);
      assert.ok(secondMinute >= 2 && secondMinute <= 8, `${secondMinute} requests in the second minute`);
      assert.ok(harness.deltas.length > 6, 'lists go on');
    });
  }

  it('starts a list again whose continue token expired', async () => {
    const harness = new ReflectorHarness();
    harness.reflector.start();
    await harness.cluster.lastList.page([fakeObject('a', '1')], '100', 'old');
    await harness.cluster.lastList.answer(failure('expired'));
    assert.equal(harness.cluster.lastList.options.continueToken, undefined);
    await harness.cluster.lastList.page([fakeObject('b', '2')], '200');
    assert.deepEqual(harness.cluster.log, ['list', 'list', 'list', 'watch 200']);
    assert.equal(harness.said.at(-1), 'replaced b@2');
  });

  it('asks for the list in one piece after its token expired twice', async () => {
    const harness = new ReflectorHarness();
    harness.reflector.start();
    for (const pauseMs of [0, 2_000]) {
      assert.equal(harness.cluster.lastList.options.limit, 500);
      await harness.cluster.lastList.page([], '100', 'old');
      await harness.cluster.lastList.answer(failure('expired'));
      await harness.clock.advance(pauseMs);
    }
    assert.equal(harness.cluster.lastList.options.limit, undefined);
  });
});

describe('Reflector: a relist', () => {
  it('B8: finds what was deleted while the watch was down', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end(failure('expired'));
    await harness.cluster.lastList.page([fakeObject('b', '2')], '200');
    assert.equal(harness.said.at(-1), 'replaced b@2');
    await harness.cluster.lastWatch.send({ kind: 'added', object: fakeObject('a', '201') });
    assert.equal(harness.said.at(-1), 'added a@201');
  });

  it('happens when asked for, in place of a healthy watch', async () => {
    const harness = await ReflectorHarness.live();
    const watch = harness.cluster.lastWatch;
    harness.reflector.relist();
    await settled();
    assert.equal(watch.signal.aborted, true);
    assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'list']);
  });

  it('E9: that fails says so and keeps what was told', async () => {
    const harness = await ReflectorHarness.live();
    harness.reflector.relist();
    await settled();
    await harness.cluster.lastList.answer(failure('serverError'));
    assert.deepEqual(harness.livenessKinds, ['live', 'reconnecting']);
    assert.deepEqual(harness.said, ['replaced a@1 b@2']);
  });
});

describe('Reflector: failures', () => {
  for (const kind of ['throttled', 'serverError'] as const) {
    it(`waits as long as the server asks after ${kind}, in a watch and in a list`, async () => {
      const harness = await ReflectorHarness.live();
      await harness.cluster.lastWatch.end(failure(kind, { retryAfterMs: 7_000 }));
      await harness.clock.advance(6_999);
      assert.equal(harness.cluster.requests.length, 2);
      await harness.clock.advance(1);
      assert.deepEqual(harness.cluster.log.at(-1), 'watch 100');
      harness.reflector.relist();
      await settled();
      await harness.cluster.lastList.answer(failure(kind, { retryAfterMs: 40_000 }));
      assert.equal(harness.clock.nextDelayMs, 40_000);
    });
  }

  for (const kind of ['serverError', 'unreachable', 'interrupted', 'invalidAnswer'] as const) {
    it(`backs off after ${kind} and tries again`, async () => {
      const harness = new ReflectorHarness();
      harness.reflector.start();
      for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
        await harness.cluster.lastList.answer(failure(kind));
        assert.equal(harness.clock.nextDelayMs, pauseMs);
        await harness.clock.advance(pauseMs);
      }
      assert.deepEqual(harness.livenessKinds, ['reconnecting']);
    });
  }

  it('counts failures from zero again after a watch that held', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(1_000);
    await harness.cluster.lastWatch.end(failure('interrupted'));
    await harness.clock.advance(2_000);
    await harness.cluster.lastWatch.open();
    await harness.clock.advance(10_000);
    await harness.cluster.lastWatch.end(failure('interrupted'));
    assert.equal(harness.clock.nextDelayMs, 1_000);
  });

  it('waits for a replica that lags, then lists', async () => {
    const harness = await ReflectorHarness.live();
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await harness.cluster.lastWatch.end(failure('versionTooLarge'));
      await harness.clock.advance(pauseMs);
    }
    assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'watch 100', 'watch 100', 'list']);
  });

  for (const kind of ['unauthenticated', 'forbidden', 'misconfigured'] as const) {
    it(`${kind === 'unauthenticated' ? 'B10: ' : ''}stops on ${kind}, says why, and tries again only when asked`, async () => {
      const harness = await ReflectorHarness.live();
      await harness.cluster.lastWatch.end(failure(kind));
      const needsSignIn = kind === 'unauthenticated' ? { needsSignIn: true } : {};
      assert.deepEqual(harness.liveness.at(-1), {
        kind: 'notWatched',
        reason: `it is ${kind}`,
        ...needsSignIn,
      });
      assert.equal(harness.clock.pendingTimers, 0);
      await harness.clock.advance(3_600_000);
      assert.equal(harness.cluster.requests.length, 2);
      harness.reflector.retryNow();
      await settled();
      assert.deepEqual(harness.cluster.log, ['list', 'watch 100', 'list']);
      await harness.cluster.lastList.page([fakeObject('a', '1')], '200');
      await harness.cluster.lastWatch.open();
      assert.deepEqual(harness.liveness.at(-1), { kind: 'live' });
    });
  }

  for (const kind of ['notFound', 'refused'] as const) {
    it(`says why on ${kind} and looks again now and then`, async () => {
      const harness = await ReflectorHarness.live();
      await harness.cluster.lastWatch.end(failure(kind));
      assert.deepEqual(harness.liveness.at(-1), { kind: 'notWatched', reason: `it is ${kind}` });
      assert.equal(harness.clock.nextDelayMs, slowRetryMs);
      await harness.clock.advance(slowRetryMs);
      await harness.cluster.lastList.answer(failure(kind));
      assert.equal(harness.clock.nextDelayMs, slowRetryMs);
      assert.deepEqual(harness.said, ['replaced a@1 b@2']);
    });
  }

  it('ends a pause when asked to', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end(failure('unreachable'));
    assert.equal(harness.cluster.requests.length, 2);
    harness.reflector.retryNow();
    await settled();
    assert.equal(harness.cluster.requests.length, 3);
    assert.equal(
      harness.clock.pendingTimers,
      2,
      'those of a watch that opens: for silence and for being slow',
    );
  });

  it('treats a cluster that throws as one that failed', async () => {
    const harness = new ReflectorHarness({
      cluster: {
        list: () => {
          throw new Error('bug');
        },
        watch: () => Promise.reject(new Error('bug')),
      },
    });
    harness.reflector.start();
    await settled();
    assert.equal(harness.clock.nextDelayMs, 1_000);
    assert.equal(harness.errors.length, 1);
  });

  it('takes an abort that nobody asked for as a lost connection', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end({ kind: 'aborted' });
    assert.equal(harness.cluster.requests.length, 2);
    assert.equal(harness.clock.nextDelayMs, 1_000);
  });
});

describe('Reflector: handlers', () => {
  it('tells why each attempt failed, and on what', async () => {
    const failures: string[] = [];
    const harness = await ReflectorHarness.live({
      onFailure: (why, phase) => failures.push(`${phase}: ${why.kind}`),
    });
    await harness.cluster.lastWatch.end(failure('expired'));
    await harness.cluster.lastList.answer(failure('serverError'));
    await harness.clock.advance(2_000);
    await harness.cluster.lastList.answer(failure('forbidden'));
    assert.deepEqual(failures, ['watch: expired', 'list: serverError', 'list: forbidden']);
    assert.equal(harness.livenessKinds.at(-1), 'notWatched');
  });

  it('goes on when a handler throws, and reports it', async () => {
    const harness = await ReflectorHarness.live({
      onDelta: () => {
        throw new Error('delta');
      },
      onLiveness: () => {
        throw new Error('liveness');
      },
    });
    await harness.cluster.lastWatch.send({ kind: 'modified', object: fakeObject('a', '101') });
    assert.deepEqual(harness.errors.map(String), ['Error: delta', 'Error: liveness', 'Error: delta']);
    await harness.clock.advance(60_000);
    await harness.cluster.lastWatch.end();
    assert.equal(harness.cluster.log.at(-1), 'watch 101');
  });

  it('goes on when the error handler throws too', async () => {
    const harness = await ReflectorHarness.live({
      onDelta: () => {
        throw new Error('delta');
      },
      onError: () => {
        throw new Error('error');
      },
    });
    assert.equal(harness.cluster.log.at(-1), 'watch 100');
  });

  it('lists again when a handler asks for it', async () => {
    const harness = new ReflectorHarness({
      onDelta: () => {
        if (harness.cluster.requests.length === 1) harness.reflector.relist();
      },
    });
    harness.reflector.start();
    await harness.cluster.lastList.page([]);
    assert.deepEqual(harness.cluster.log, ['list', 'list']);
  });
});

describe('Reflector: disposed', () => {
  const said = (harness: ReflectorHarness): unknown[] => [
    harness.said,
    harness.liveness,
    harness.cluster.log,
  ];

  async function staysSilent(harness: ReflectorHarness, act?: () => Promise<void>): Promise<void> {
    const before = said(harness);
    harness.reflector.dispose();
    await act?.();
    await harness.clock.advance(600_000);
    harness.reflector.retryNow();
    harness.reflector.relist();
    harness.reflector.start();
    await harness.clock.advance(600_000);
    assert.deepEqual(said(harness), before);
    assert.equal(harness.clock.pendingTimers, 0);
  }

  it('during a list: the answer is dropped and no watch opened', async () => {
    const harness = new ReflectorHarness();
    harness.reflector.start();
    const list = harness.cluster.lastList;
    await staysSilent(harness, () => list.page([fakeObject('a', '1')]));
  });

  it('during a watch: it is ended and later events are dropped', async () => {
    const harness = await ReflectorHarness.live();
    const watch = harness.cluster.lastWatch;
    await staysSilent(harness, async () => {
      assert.equal(watch.signal.aborted, true);
      await watch.send({ kind: 'modified', object: fakeObject('a', '101') });
      await watch.end(failure('expired'));
    });
  });

  it('during a pause: nothing is opened after it', async () => {
    const harness = await ReflectorHarness.live();
    await harness.cluster.lastWatch.end(failure('unreachable'));
    await staysSilent(harness);
  });

  it('before its start: it never starts', async () => {
    await staysSilent(new ReflectorHarness());
  });

  for (const kind of ['reconnecting', 'notWatched'] as const) {
    it(`by its own handler on ${kind}: no timer is left`, async () => {
      const harness = await ReflectorHarness.live({
        onLiveness: (liveness) => {
          if (liveness.kind === kind) harness.reflector.dispose();
        },
      });
      await harness.cluster.lastWatch.end(failure(kind === 'reconnecting' ? 'unreachable' : 'notFound'));
      assert.equal(harness.clock.pendingTimers, 0);
      await harness.clock.advance(600_000);
      assert.equal(harness.cluster.requests.length, 2);
    });
  }

  it('B8: fifty times over leaves no request and no timer', async () => {
    for (let round = 0; round < 50; round++) {
      const harness = await ReflectorHarness.live();
      harness.reflector.dispose();
      await settled();
      assert.equal(harness.clock.pendingTimers, 0);
      assert.equal(harness.cluster.lastWatch.signal.aborted, true);
    }
  });

  it('ends a request that a failure made superfluous', async () => {
    const harness = await ReflectorHarness.live();
    const watch = harness.cluster.lastWatch;
    const gone: RequestFailure = failure('forbidden');
    await watch.send({ kind: 'error', failure: gone });
    assert.equal(watch.signal.aborted, true);
    assert.equal(harness.livenessKinds.at(-1), 'notWatched');
  });
});
