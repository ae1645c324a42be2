import assert from 'node:assert/strict';
import { memberAt, withMember } from '../../src/core/json.ts';
import { printKubeconfig } from '../support/kubeconfig.ts';
import { until } from '../support/until.ts';
import { AnnouncingClock } from './announcingClock.ts';
import { makeAuthority } from './certificates.ts';
import type { Fault, RecordedRequest } from '../support/faultProxy.ts';
import {
  type ClusterFixture,
  configMap,
  configMaps,
  create,
  openFixture,
  read,
  update,
} from './clusterFixture.ts';
import { makeFolder, noAbort, openClusters } from './openClusters.ts';

const isPut = ({ method }: RecordedRequest): boolean => method === 'PUT';
const isGet = ({ method }: RecordedRequest): boolean => method === 'GET';

describe("answers that are lost, late or not the API server's", () => {
  let fixture: ClusterFixture;
  let count = 0;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** An object, and a PUT on it under way to meet `fault`. */
  async function updateMeeting(fault: Fault, cluster = fixture.cluster) {
    const name = `lost-${String(count++)}`;
    const ref = fixture.ref(name);
    const basis = await create(fixture.cluster, ref, configMap(name, { key: 'old' }));
    const injection = fixture.proxy.inject(
      (request) => isPut(request) && request.path.includes(`/${name}?`),
      fault,
    );
    const outcome = update(cluster, ref, basis, withMember(basis.object, 'data', { key: 'new' }));
    return {
      ref,
      injection,
      outcome,
      storedKey: async () => memberAt((await read(fixture.cluster, ref)).object, 'data', 'key'),
    };
  }

  it('A6: a PUT whose answer is cut off is unknown, though it has landed', async () => {
    const { outcome, storedKey, injection } = await updateMeeting({ kind: 'cutAfter' });
    assert.equal((await outcome).kind, 'unknown');
    assert.equal(await storedKey(), 'new');
    assert.equal(injection.met.length, 1, 'a PUT is never repeated');
  });

  it('A6: a PUT whose connection breaks before the server hears of it is unknown too', async () => {
    const { outcome, storedKey, injection } = await updateMeeting({ kind: 'cutBefore' });
    assert.equal((await outcome).kind, 'unknown');
    assert.equal(await storedKey(), 'old');
    assert.equal(injection.met.length, 1, 'a PUT is never repeated');
  });

  it('a PUT whose answer breaks off in its body is unknown', async () => {
    const { outcome, storedKey } = await updateMeeting({ kind: 'truncate', bytes: 20 });
    assert.equal((await outcome).kind, 'unknown');
    assert.equal(await storedKey(), 'new');
  });

  it("G2: a web page of a proxy becomes a short text, and a write's result unknown", async () => {
    const body = `<html><head><title>502 Bad Gateway</title></head><body>${'secret'.repeat(2000)}</body></html>`;
    const page = { kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body } as const;
    const { outcome, storedKey } = await updateMeeting(page);
    const result = await outcome;
    assert.equal(result.kind, 'unknown');
    assert.equal(result.message, "the answer (502) is not the API server's but a web page: 502 Bad Gateway");
    assert.equal(await storedKey(), 'old');
  });

  it('G2: an empty answer becomes a short text', async () => {
    const { outcome } = await updateMeeting({ kind: 'answer', status: 500 });
    const result = await outcome;
    assert.deepEqual(result, { kind: 'unknown', message: 'the server answered 500 without saying why' });
  });

  it('a web page with status 200 is no success', async () => {
    const page = {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>Sign in',
    } as const;
    const { outcome, ref } = await updateMeeting(page);
    assert.equal((await outcome).kind, 'unknown');
    using reads = fixture.proxy.inject((request) => isGet(request) && request.path.includes(ref.name), page);
    assert.equal((await fixture.cluster.get(ref, noAbort)).kind, 'invalidAnswer');
    assert.equal(reads.met.length, 1);
  });

  it('a web page with status 404 or 409 says nothing about the object', async () => {
    const headers = { 'content-type': 'text/html' };
    const missing = await updateMeeting({ kind: 'answer', status: 404, headers, body: '<h1>Not here</h1>' });
    assert.equal((await missing.outcome).kind, 'rejected');
    const conflict = await updateMeeting({ kind: 'answer', status: 409, headers, body: '<h1>Conflict</h1>' });
    assert.equal((await conflict.outcome).kind, 'unknown');
    using _ = fixture.proxy.inject(isGet, { kind: 'answer', status: 404, headers, body: '<h1>Not here' });
    assert.equal((await fixture.cluster.get(missing.ref, noAbort)).kind, 'refused');
  });

  it('a redirect is not followed', async () => {
    const { proxy, cluster } = fixture;
    const headers = { location: `${proxy.url}/elsewhere` };
    const { outcome, ref } = await updateMeeting({ kind: 'answer', status: 307, headers });
    assert.equal((await outcome).kind, 'rejected');
    using _ = proxy.inject(isGet, { kind: 'answer', status: 302, headers });
    assert.equal((await cluster.get(ref, noAbort)).kind, 'refused');
    assert.deepEqual(proxy.recorded('GET', 'elsewhere'), []);
    assert.deepEqual(proxy.recorded('PUT', 'elsewhere'), []);
  });

  it('a server that asks for patience is obeyed: throttled, for as long as it says', async () => {
    const status = JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      message: 'too many requests',
      code: 429,
    });
    const headers = { 'content-type': 'application/json', 'retry-after': '7' };
    const { outcome } = await updateMeeting({ kind: 'answer', status: 429, headers, body: status });
    assert.deepEqual(await outcome, { kind: 'throttled', message: 'too many requests', retryAfterMs: 7000 });
  });

  it('a server that is overloaded leaves the result of a write unknown, with the pause it asks for', async () => {
    const { outcome } = await updateMeeting({ kind: 'answer', status: 503, headers: { 'retry-after': '3' } });
    const result = await outcome;
    assert.equal(result.kind, 'unknown');
    assert.equal(result.retryAfterMs, 3000);
  });

  it('nothing listening: the write never left, and says where', async () => {
    const { proxy } = fixture;
    const ref = fixture.ref('unreached');
    const basis = await create(fixture.cluster, ref, configMap('unreached'));
    const cluster = (await fixture.open({})).connect('admin');
    await proxy.pause();
    const outcome = await update(cluster, ref, basis);
    const reading = await cluster.get(ref, noAbort);
    await proxy.resume();
    assert.deepEqual(outcome, {
      kind: 'notSent',
      message: `nothing answers at ${proxy.url} (connection refused)`,
    });
    assert.equal(reading.kind, 'unreachable');
    assert.equal((await update(cluster, ref, basis)).kind, 'committed');
  });

  it('a certificate that nothing vouches for: the write never left', async () => {
    const { proxy, server } = fixture;
    const { other, dispose } = await openWithOtherCa(fixture);
    const outcome = await update(other, fixture.ref('any'), await createdFor(fixture, 'any'));
    assert.equal(outcome.kind, 'notSent');
    assert.match(outcome.message, /certificate of https:\S+ is not signed by an authority/);
    assert.notEqual(proxy.url, server.url);
    await dispose();
  });

  it('a cancelled write says whether it had left', async () => {
    const { cluster, proxy } = fixture;
    const name = 'cancelled';
    const ref = fixture.ref(name);
    const basis = await create(cluster, ref, configMap(name));
    using stalled = proxy.inject(isPut, { kind: 'stall' }, 1);
    const cancel = new AbortController();
    const { uid, resourceVersion } = basis;
    const request = {
      kind: 'update',
      ref,
      precondition: { uid, resourceVersion },
      object: basis.object,
    } as const;
    const outcome = cluster.write(request, cancel.signal);
    await stalled.first;
    cancel.abort();
    assert.deepEqual(await outcome, { kind: 'unknown', message: 'cancelled after it was sent' });
    const never = await cluster.write(request, AbortSignal.abort());
    assert.deepEqual(never, { kind: 'notSent', message: 'cancelled before it was sent' });
  });

  it('a server that never answers is given up: unknown', async () => {
    const clock = new AnnouncingClock();
    const { connect } = await fixture.open({ clock });
    const { outcome, injection } = await updateMeeting({ kind: 'stall' }, connect('admin'));
    await injection.first;
    await clock.advance(65_000);
    const result = await outcome;
    assert.equal(result.kind, 'unknown');
    assert.match(result.message, /no answer .* within 65 s/);
  });

  it('a body that stops coming is given up', async () => {
    const clock = new AnnouncingClock();
    const { connect } = await fixture.open({ clock });
    using _ = fixture.proxy.inject(isGet, { kind: 'stallBody' }, 1);
    const waiting = clock.whenScheduled(30_000);
    const outcome = connect('admin').get(fixture.ref('any'), noAbort);
    await waiting;
    await clock.advance(30_000);
    assert.equal((await outcome).kind, 'interrupted');
  });

  it('a read that nobody waits for any more ends, and its connection with it, wherever it is', async () => {
    const { proxy } = fixture;
    const { connect, clusters } = await fixture.open({});
    const cluster = connect('admin');
    const collection = { context: 'admin', namespace: fixture.namespace, gvr: configMaps };
    proxy.cutConnections();
    for (const kind of ['stall', 'stallBody'] as const) {
      for (const read of [
        (signal: AbortSignal) => cluster.get(fixture.ref('any'), signal),
        (signal: AbortSignal) => cluster.list(collection, { content: 'rows' }, signal),
        (signal: AbortSignal) => cluster.discover(signal, { refresh: true }),
        (signal: AbortSignal) => cluster.openApi('v1', signal),
      ]) {
        using stalled = proxy.inject(() => true, { kind });
        const cancel = new AbortController();
        const outcome = read(cancel.signal);
        await stalled.first;
        cancel.abort();
        assert.deepEqual(await outcome, { kind: 'aborted' });
      }
    }
    await until(() => proxy.connectionCount === 0);
    clusters.dispose();
  });

  it('a GET on a kept connection that was closed meanwhile is sent once more', async () => {
    const { cluster, proxy } = fixture;
    const ref = fixture.ref('kept-alive');
    await create(cluster, ref, configMap('kept-alive'));
    using cut = proxy.inject(isGet, { kind: 'cutBefore' }, 1);
    assert.equal((await cluster.get(ref, noAbort)).kind, 'ok');
    assert.equal(cut.met.length, 1);
  });

  it('a GET finds its way where a network that was gone has closed every kept connection', async () => {
    const { proxy } = fixture;
    const { connect } = await fixture.open({});
    const cluster = connect('admin');
    const ref = fixture.ref('all-gone');
    await create(cluster, ref, configMap('all-gone'));
    const from = proxy.requests.length;
    await Promise.all(Array.from({ length: 4 }, () => cluster.get(ref, noAbort)));
    const kept = new Set(proxy.requests.slice(from).map(({ clientPort }) => clientPort));
    assert.ok(kept.size > 1, `${String(kept.size)} kept`);
    using gone = proxy.inject(({ clientPort }) => kept.has(clientPort), { kind: 'cutBefore' });
    assert.equal((await cluster.get(ref, noAbort)).kind, 'ok');
    assert.equal(gone.met.length, 1);
  });

  it('requests share a bounded number of connections', async () => {
    const { proxy } = fixture;
    const { connect, clusters } = await fixture.open({});
    proxy.cutConnections();
    const ref = fixture.ref('pooled');
    const cluster = connect('admin');
    await create(cluster, ref, configMap('pooled'));
    const reads = Array.from({ length: 50 }, () => cluster.get(ref, noAbort));
    const outcomes = await Promise.all(reads);
    assert.ok(outcomes.every(({ kind }) => kind === 'ok'));
    assert.ok(proxy.connectionCount <= 8, String(proxy.connectionCount));
    clusters.dispose();
  });
});

async function createdFor(fixture: ClusterFixture, name: string) {
  return create(fixture.cluster, fixture.ref(name), configMap(name));
}

/** The product on a kubeconfig that trusts another authority than the server's. */
async function openWithOtherCa(fixture: ClusterFixture) {
  const folder = await makeFolder();
  const authority = await makeAuthority();
  const path = await folder.write(
    'config',
    printKubeconfig({ url: fixture.proxy.url, ca: authority.certificate, tokens: fixture.server.tokens }),
  );
  const opened = await openClusters([path]);
  return {
    other: opened.connect('admin'),
    dispose: async () => {
      opened.clusters.dispose();
      await folder.remove();
    },
  };
}
