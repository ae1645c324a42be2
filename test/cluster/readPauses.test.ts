import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import { maxReadPauseMs } from '../../src/cluster/readPauses.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import { settled } from '../support/fakeClock.ts';
import type { Injection } from '../support/faultProxy.ts';
import { until } from '../support/until.ts';
import { AnnouncingClock } from './announcingClock.ts';
import { type ClusterFixture, configMap, configMaps, openFixture } from './clusterFixture.ts';
import { noAbort } from './openClusters.ts';
import { isOpened, recordWatch } from './watchRecorder.ts';

const deniedStatus = { kind: 'Status', reason: 'TooManyRequests', message: 'too many requests' };

describe('reads from a server that asks for pauses', () => {
  let fixture: ClusterFixture;
  let clock: AnnouncingClock;
  let cluster: ClusterPort;
  let path: string;
  before(async () => {
    fixture = await openFixture();
    path = `/api/v1/namespaces/${fixture.namespace}/configmaps`;
    await fixture.other.create(path, configMap('one'));
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    clock = new AnnouncingClock();
    cluster = (await fixture.open({ clock })).connect('admin');
  });

  const collection = () => ({ context: 'admin', namespace: fixture.namespace, gvr: configMaps });

  function refuse(
    part: string,
    status: number,
    headers: Readonly<Record<string, string>>,
    times = 1,
  ): Injection {
    const body = status === 429 ? JSON.stringify({ ...deniedStatus, code: status }) : 'down';
    return fixture.proxy.inject(
      ({ path: asked }) => asked.includes(part),
      { kind: 'answer', status, headers, body },
      times,
    );
  }

  const seconds = (count: number): Record<string, string> => ({ 'retry-after': String(count) });
  const date = (count: number): Record<string, string> => {
    const now = Date.UTC(2031, 4, 6);
    const print = (ms: number): string => new Date(ms).toUTCString();
    return { date: print(now), 'retry-after': print(now + count * 1000) };
  };

  const reads: readonly (readonly [
    what: string,
    part: string,
    read: () => Promise<{ readonly kind: string }>,
  ])[] = [
    ['a get', '/configmaps/one', () => cluster.get(fixture.ref('one'), noAbort)],
    ['a list', '/configmaps?', () => cluster.list(collection(), { content: 'rows', limit: 5 }, noAbort)],
    ['discovery', '/apis', () => cluster.discover(noAbort)],
    ['a schema', '/openapi/v3/api', () => cluster.openApi('v1', noAbort)],
    ['the index of schemas', '/openapi/v3', () => cluster.openApi('v1', noAbort)],
    [
      'a question for rights',
      'selfsubjectaccessreviews',
      () => cluster.isAllowed(fixture.ref('one'), 'update', noAbort),
    ],
  ];
  for (const [what, part, read] of reads) {
    for (const [status, form, headers] of [
      [429, 'seconds', seconds(7)],
      [503, 'a date', date(7)],
    ] as const) {
      it(`${what} waits as long as a ${String(status)} says in ${form}, and is then asked again`, async () => {
        using refused = refuse(part, status, headers);
        const paused = clock.whenScheduled(7_000);
        const outcome = read();
        await paused;
        const before = fixture.proxy.requests.length;
        await clock.advance(6_999);
        assert.equal(fixture.proxy.requests.length, before);
        await clock.advance(1);
        assert.equal((await outcome).kind, 'ok');
        assert.equal(refused.met.length, 1);
      });
    }
  }

  it('a watch is refused with the pause that was asked for, in both forms', async () => {
    for (const [status, headers, kind] of [
      [429, seconds(7), 'throttled'],
      [503, date(7), 'serverError'],
    ] as const) {
      using _ = refuse('watch=true', status, headers);
      const end = await recordWatch(cluster, collection()).end;
      assert.ok(end.kind === kind && end.retryAfterMs === 7_000, JSON.stringify(end));
    }
  });

  it('the pauses of one read grow, and end after 30 s in all', async () => {
    using refused = refuse('/configmaps/one', 429, seconds(0), 100);
    let paused = clock.whenScheduled(1_000);
    const outcome = cluster.get(fixture.ref('one'), noAbort);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
      await paused;
      paused = clock.whenScheduled(pauseMs * 2);
      await clock.advance(pauseMs);
    }
    const end = await outcome;
    assert.deepEqual(end, { kind: 'throttled', message: 'too many requests', retryAfterMs: 0 });
    assert.equal(refused.met.length, 5);
  });

  it('a pause that is longer than a person waits is told at once', async () => {
    using refused = refuse('/configmaps/one', 503, seconds(maxReadPauseMs / 1000 + 1), 100);
    const end = await cluster.get(fixture.ref('one'), noAbort);
    assert.ok(end.kind === 'serverError' && end.retryAfterMs === maxReadPauseMs + 1_000);
    assert.equal(refused.met.length, 1);
  });

  it('a 5xx that asks for nothing is told at once', async () => {
    using refused = refuse('/configmaps/one', 503, {}, 100);
    assert.equal((await cluster.get(fixture.ref('one'), noAbort)).kind, 'serverError');
    assert.equal(refused.met.length, 1);
  });

  it('a pause ends when nobody waits any more', async () => {
    using refused = refuse('/configmaps/one', 429, seconds(7), 100);
    const cancel = new AbortController();
    const paused = clock.whenScheduled(7_000);
    const outcome = cluster.get(fixture.ref('one'), cancel.signal);
    await paused;
    cancel.abort();
    assert.deepEqual(await outcome, { kind: 'aborted' });
    await clock.advance(60_000);
    assert.equal(refused.met.length, 1);
  });

  it('a pause for a whole priority level holds back reads and watches, and no write', async () => {
    const headers = { ...seconds(5), 'x-kubernetes-pf-prioritylevel-uid': 'level' };
    using refused = refuse('/configmaps/one', 429, headers);
    const paused = clock.whenScheduled(5_000);
    const first = cluster.get(fixture.ref('one'), noAbort);
    await paused;
    const before = fixture.proxy.requests.length;
    const list = cluster.list(collection(), { content: 'full' }, noAbort);
    const watch = recordWatch(cluster, collection());
    await settled();
    assert.equal(fixture.proxy.requests.length, before);
    const object: JsonObject = configMap('written');
    const write = await cluster.write({ kind: 'create', ref: fixture.ref('written'), object }, noAbort);
    assert.equal(write.kind, 'committed');
    assert.equal(fixture.proxy.requests.length, before + 1);
    await clock.advance(5_000);
    assert.deepEqual([(await first).kind, (await list).kind], ['ok', 'ok']);
    await watch.until(isOpened);
    watch.stop();
    assert.equal(refused.met.length, 1);
  });
});

describe('reads of a user whose priority level has no seat left', () => {
  it('wait for as long as the real server says, and go on when there is a seat', async () => {
    const clock = new AnnouncingClock();
    await using fixture = await openFixture({ clock });
    const { other, viewer } = fixture;
    const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
    const level = { metadata: { name: fixture.namespace } };
    const created = (await other.create(`${root}/prioritylevelconfigurations`, {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      ...level,
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 0,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Reject' },
        },
      },
    })) as { metadata: { uid: string } };
    const levelUid = created.metadata.uid;
    await other.create(`${root}/flowschemas`, {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      ...level,
      spec: {
        priorityLevelConfiguration: { name: fixture.namespace },
        matchingPrecedence: 2,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'viewer' } }],
            resourceRules: [
              { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
            ],
          },
        ],
      },
    });
    const direct = fixture.server.client('viewer');
    const ask = () => direct.request('GET', `/api/v1/namespaces/${fixture.namespace}/configmaps`);
    const isFull = async (): Promise<boolean> => (await ask()).status === 429;
    await until(async () => (await ask()).headers['x-kubernetes-pf-prioritylevel-uid'] === levelUid);
    // The one seat that even an empty level gives is taken by a request whose body never ends.
    const seat = httpsRequest(`${fixture.server.url}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`, {
      method: 'POST',
      ca: fixture.server.ca,
      headers: {
        authorization: `Bearer ${fixture.server.tokens.viewer ?? ''}`,
        'content-type': 'application/json',
        'content-length': '100',
      },
    });
    seat.on('error', () => undefined);
    seat.write('{');
    try {
      await until(isFull);
      const paused = clock.whenScheduled(1_000);
      const list = viewer.list(
        { context: 'viewer', namespace: fixture.namespace, gvr: configMaps },
        { content: 'full' },
        noAbort,
      );
      await paused;
      const [refused] = fixture.proxy.recorded('GET', fixture.namespace);
      assert.equal(refused?.status, 429);
      seat.destroy();
      await until(async () => !(await isFull()));
      await clock.advance(2_000);
      assert.equal((await list).kind, 'ok');
    } finally {
      seat.destroy();
      direct.close();
      await other.request('DELETE', `${root}/flowschemas/${fixture.namespace}`);
      await other.request('DELETE', `${root}/prioritylevelconfigurations/${fixture.namespace}`);
    }
  });
});
