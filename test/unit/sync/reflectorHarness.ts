import { metadataString } from '../../../src/core/resource/kubeObject.ts';
import type { CollectionRef } from '../../../src/core/resource/resourceRef.ts';
import type { Liveness } from '../../../src/core/session/sessionView.ts';
import type { Delta } from '../../../src/sync/delta.ts';
import { Reflector, type ReflectorOptions } from '../../../src/sync/reflector.ts';
import { FakeClock, settled } from '../../support/fakeClock.ts';
import { FakeCluster, fakeObject } from '../../support/fakeCluster.ts';

export const configMaps: CollectionRef = {
  context: 'test',
  namespace: 'shop',
  gvr: { group: '', version: 'v1', resource: 'configmaps' },
};

/** A reflector on a cluster that is answered by hand, and all that it said. */
export class ReflectorHarness {
  readonly clock = new FakeClock();
  readonly cluster = new FakeCluster();
  readonly deltas: Delta[] = [];
  readonly liveness: Liveness[] = [];
  readonly errors: unknown[] = [];
  readonly reflector: Reflector;

  constructor(options: Partial<ReflectorOptions> = {}) {
    this.reflector = new Reflector({
      cluster: this.cluster,
      collection: configMaps,
      content: 'full',
      clock: this.clock,
      onDelta: (delta) => this.deltas.push(delta),
      onLiveness: (liveness) => this.liveness.push(liveness),
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  /** Starts, answers the list with objects `a` and `b`, and opens the watch. */
  static async live(options: Partial<ReflectorOptions> = {}): Promise<ReflectorHarness> {
    const harness = new ReflectorHarness(options);
    harness.reflector.start();
    await settled();
    await harness.cluster.lastList.page([fakeObject('a', '1'), fakeObject('b', '2')], '100');
    await harness.cluster.lastWatch.open();
    return harness;
  }

  /** The deltas as words, such as `replaced a@1 b@2`. */
  get said(): string[] {
    return this.deltas.map((delta) =>
      [delta.kind, ...('objects' in delta ? delta.objects : [delta.object]).map(nameAndVersion)].join(' '),
    );
  }

  /** The kinds of liveness told so far. */
  get livenessKinds(): string[] {
    return this.liveness.map(({ kind }) => kind);
  }
}

function nameAndVersion(object: Parameters<typeof metadataString>[0]): string {
  return `${metadataString(object, 'name')}@${metadataString(object, 'resourceVersion')}`;
}
