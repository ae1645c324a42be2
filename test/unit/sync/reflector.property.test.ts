import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/core/json.ts';
import { metadataString } from '../../../src/core/resource/kubeObject.ts';
import type { Liveness } from '../../../src/core/session/sessionView.ts';
import type { Delta } from '../../../src/sync/delta.ts';
import { Reflector } from '../../../src/sync/reflector.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { failure } from '../../support/fakeCluster.ts';
import { type Fault, ModelCluster } from '../../support/modelCluster.ts';
import { configMaps } from './reflectorHarness.ts';

type Step =
  | { kind: 'put' | 'delete'; name: string }
  | { kind: 'compact' | 'bookmark' | 'passVersions' | 'retryNow' | 'relist' }
  | { kind: 'cut'; how: 'interrupted' | 'ended' | 'expired' }
  | { kind: 'faults'; faults: Fault[] }
  | { kind: 'replay'; count: number }
  | { kind: 'wait'; ms: number };

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const fault = fc.constantFrom<Fault>(
  'unreachable',
  'interrupted',
  'serverError',
  'throttled',
  'versionTooLarge',
  'expired',
  'expiredEvent',
  'stall',
  'closeAtOnce',
  'refused',
  'noMark',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('put' as const, 'delete' as const), name: names }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['compact', 'bookmark', 'passVersions', 'retryNow', 'relist'] as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      how: fc.constantFrom(...(['interrupted', 'ended', 'expired'] as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('faults' as const), faults: fc.array(fault, { maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), count: fc.nat({ max: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 1, 700, 1_000, 5_000, 12_000, 40_000, 101_000),
    }),
  },
);

/** What a consumer of deltas would hold. */
class ConsumerStore {
  readonly objects = new Map<string, JsonObject>();

  take(delta: Delta): void {
    switch (delta.kind) {
      case 'replaced':
        for (const name of [...this.objects.keys()]) {
          if (!delta.objects.some((object) => nameOf(object) === name)) this.objects.delete(name);
        }
        for (const object of delta.objects) this.#set(object);
        return;
      case 'page':
        for (const object of delta.objects) this.#set(object);
        return;
      case 'added':
      case 'modified':
        this.#set(delta.object);
        return;
      case 'deleted':
        this.objects.delete(nameOf(delta.object));
    }
  }

  #set(object: JsonObject): void {
    const before = this.objects.get(nameOf(object));
    if (before !== undefined) {
      const versionOf = (of: JsonObject): number => Number(metadataString(of, 'resourceVersion'));
      assert.ok(versionOf(object) >= versionOf(before), 'an object never goes back in time');
    }
    this.objects.set(nameOf(object), object);
  }
}

function nameOf(object: JsonObject): string {
  return metadataString(object, 'name') ?? '';
}

async function play(step: Step, model: ModelCluster, reflector: Reflector, clock: FakeClock): Promise<void> {
  switch (step.kind) {
    case 'put':
    case 'delete':
      model[step.kind](step.name);
      break;
    case 'compact':
    case 'bookmark':
    case 'passVersions':
      model[step.kind]();
      break;
    case 'retryNow':
    case 'relist':
      reflector[step.kind]();
      break;
    case 'cut':
      model.endWatches(step.how === 'ended' ? { kind: 'ended' } : failure(step.how));
      break;
    case 'faults':
      model.faults.push(...step.faults);
      break;
    case 'replay':
      model.replayed = step.count;
      break;
    case 'wait':
      await clock.advance(step.ms);
  }
  await clock.advance(0);
}

describe('Reflector, against a model of the server', () => {
  it('B1 B2 B6 B7 B8: at rest the consumer holds what the server holds, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.boolean(),
        async (steps, chance, streamsLists) => {
          const clock = new FakeClock();
          clock.chance = chance;
          const model = new ModelCluster(clock, 2);
          model.put('a');
          model.put('b');
          model.put('c');
          const store = new ConsumerStore();
          const errors: unknown[] = [];
          let liveness: Liveness | undefined;
          const reflector = new Reflector({
            cluster: model,
            collection: configMaps,
            content: 'full',
            pageSize: 2,
            streamsLists,
            clock,
            onDelta: (delta) => {
              store.take(delta);
            },
            onLiveness: (value) => {
              liveness = value;
            },
            onError: (error) => errors.push(error),
          });
          reflector.start();
          for (const next of steps) await play(next, model, reflector, clock);

          model.faults.length = 0;
          await clock.advance(300_000);
          assert.deepEqual(errors, []);
          assert.deepEqual(sorted(store.objects), sorted(model.objects));
          assert.deepEqual(liveness, { kind: 'live' });
          assert.equal(model.mostOpenRequests, 1);

          const before = model.totalRequests;
          reflector.dispose();
          await clock.advance(300_000);
          assert.equal(model.openRequests, 0);
          assert.equal(model.totalRequests, before);
          assert.equal(clock.pendingTimers, 0);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function sorted(objects: ReadonlyMap<string, JsonObject>): (readonly [string, JsonObject])[] {
  return [...objects].sort(([left], [right]) => (left < right ? -1 : 1));
}
