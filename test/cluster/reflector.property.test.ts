import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Liveness } from '../../src/core/session/sessionView.ts';
import type { ListContent } from '../../src/sync/clusterPort.ts';
import { Reflector } from '../../src/sync/reflector.ts';
import { FaultStorm, type StormFault, stormFaults } from '../support/faultStorm.ts';
import { until } from '../support/until.ts';
import { linesOf, WatchedStore } from '../support/watchedStore.ts';
import { type ClusterFixture, configMap, configMaps, openFixture } from './clusterFixture.ts';
import { hastyClock } from './hastyClock.ts';
import { noAbort } from './openClusters.ts';

type Step =
  | { readonly kind: 'put' | 'delete'; readonly name: string }
  | { readonly kind: 'fault'; readonly fault: StormFault; readonly amount: number }
  | { readonly kind: 'relist' | 'retryNow' }
  | { readonly kind: 'wait'; readonly ms: number };

const names = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('put', 'put', 'delete'), name: names }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault'),
      fault: fc.constantFrom(...stormFaults),
      amount: fc.nat({ max: 2_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('relist', 'retryNow') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(5, 50, 200) }) },
);

describe('reflectors on a real API server behind faults', () => {
  let fixture: ClusterFixture;
  before(async () => {
    fixture = await openFixture({ clock: hastyClock(20) });
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('B1 B2 B6 B7 B8: at rest they hold what the server holds, whatever happened', async () => {
    const { cluster, other, namespace, proxy } = fixture;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const collection = { context: 'admin', namespace, gvr: configMaps };
    const play = async (next: Step, reflectors: readonly Reflector[], storm: FaultStorm): Promise<void> => {
      switch (next.kind) {
        case 'put': {
          const made = await other.request('POST', path, { body: configMap(next.name) });
          const data = { key: String(Math.random()) };
          if (made.status === 409) await other.patch(`${path}/${next.name}`, { data });
          return;
        }
        case 'delete':
          await other.request('DELETE', `${path}/${next.name}`);
          return;
        case 'fault':
          await storm.accept();
          await storm.brew(next.fault, next.amount);
          return;
        case 'relist':
        case 'retryNow':
          for (const reflector of reflectors) reflector[next.kind]();
          return;
        case 'wait':
          await new Promise((resolve) => setTimeout(resolve, next.ms));
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        proxy.requests.length = 0;
        const storm = new FaultStorm(proxy);
        const errors: unknown[] = [];
        const kinds: { content: ListContent; streamsLists: boolean; name?: string }[] = [
          { content: 'full', streamsLists: true },
          { content: 'rows', streamsLists: false },
          { content: 'full', streamsLists: true, name: 'a' },
        ];
        const watched = kinds.map((options) => {
          const store = new WatchedStore();
          const seen: { liveness?: Liveness } = {};
          const reflector = new Reflector({
            ...{ cluster, collection, clock: hastyClock(20), pageSize: 2, ...options },
            onDelta: (delta) => {
              store.take(delta);
            },
            onLiveness: (liveness) => {
              seen.liveness = liveness;
            },
            onError: (error) => errors.push(error),
          });
          reflector.start();
          return { reflector, store, seen, name: options.name };
        });
        const reflectors = watched.map(({ reflector }) => reflector);
        try {
          for (const next of steps) await play(next, reflectors, storm);
        } finally {
          await storm.calm();
        }
        try {
          const page = await cluster.list(collection, { content: 'metadata' }, noAbort);
          assert.equal(page.kind, 'ok');
          const held = linesOf(page.value.objects);
          for (const { store, seen, name } of watched) {
            const expected = held.filter(
              (line) => name === undefined || line.startsWith(`${namespace}/${name} `),
            );
            await until(
              () => seen.liveness?.kind === 'live' && store.lines.join('\n') === expected.join('\n'),
              { deadlineMs: 30_000, describe: () => JSON.stringify({ seen, has: store.lines, expected }) },
            );
          }
          assert.deepEqual(errors, []);
        } finally {
          for (const reflector of reflectors) reflector.dispose();
        }
        await until(() => proxy.connectionCount <= 8);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }).timeout(240_000);
});
