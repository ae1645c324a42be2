import assert from 'node:assert/strict';
import type { RecordedRequest } from '../../support/faultProxy.ts';
import { closeAll, isPutOf, isWatchOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import { configMap, deployment } from './testObjects.ts';
import { until } from './until.ts';

describe('undo in a live document', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('after a save is an edit like any other: saved, it takes the change back', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.untilCurrent();
    const { spec } = await web.live();
    for (let steps = 0; !web.text.includes('replicas: 1'); steps++) {
      assert.ok(steps < 2);
      await web.undo();
    }
    assert.equal(web.state.phase, 'fresh');
    assert.equal(web.state.isDirty, true);
    await web.saveAndLand();
    assert.deepEqual((await web.live()).spec, { ...spec, replicas: 1 });
    await web.untilCurrent();
  });

  it('across a refresh never takes back what someone else changed', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('tier: front', 'tier: back');
    await web.saveAndLand();
    await web.untilCurrent();
    await web.patch({ spec: { replicas: 5 } }, 'hpa-controller');
    await web.untilText('the text follows', (text) => text.includes('replicas: 5'));
    await web.undo();
    assert.match(web.text, /replicas: 1/);
    assert.deepEqual(
      web.state.foreign.map(({ path, manager }) => [path, manager]),
      [['spec.replicas', 'hpa-controller']],
    );
    await web.replace('image: web:0', 'image: web:2');
    await web.saveAndLand();
    const live = await web.live();
    assert.equal(live.spec.replicas, 5);
    assert.equal(live.metadata.labels.tier, 'back');
    assert.equal(live.spec.template.spec.containers[1].image, 'web:2');
    await web.untilCurrent();
    assert.match(web.text, /replicas: 5/);
  });

  it('across a refresh and the own save takes back the own change alone', async () => {
    const settings = await fixture.createAndOpen(configMap({ ours: 'a', theirs: 'a' }));
    await settings.replace('ours: a', 'ours: b');
    await settings.saveAndLand();
    await settings.untilCurrent();
    await settings.patch({ data: { theirs: 'b' } });
    await settings.untilText('the text follows', (text) => text.includes('theirs: b'));
    for (let steps = 0; !settings.text.includes('ours: a'); steps++) {
      assert.ok(steps < 4);
      await settings.undo();
    }
    assert.match(settings.text, /theirs: a/);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { ours: 'a', theirs: 'b' });
  });

  it('of everything leaves nothing to save, and the text takes live again', async () => {
    const settings = await fixture.createAndOpen(configMap({ theirs: 'a' }));
    await settings.patch({ data: { theirs: 'b' } });
    await settings.untilText('the text follows', (text) => text.includes('theirs: b'));
    await settings.undo();
    const { kind, message } = await settings.save();
    assert.equal(kind, 'unchanged');
    assert.match(message, /now shows what others changed/);
    assert.equal(fixture.puts(settings).length, 0);
    await settings.untilText('the text follows again', (text) => text.includes('theirs: b'));
    assert.equal(settings.document.isDirty, false);
  });

  it('of what was typed during a save leaves nothing to save', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(settings), { kind: 'holdAnswer', until: gate.opened }, 1);
    const saving = settings.save();
    await held.first;
    await settings.typeAfter('mode: b', 'x');
    gate.open();
    assert.equal((await saving).kind, 'committed');
    await settings.until('the typing is unsaved', ({ isDirty, isSaving }) => isDirty && !isSaving);
    await settings.undo();
    assert.match(settings.text, /mode: b\n/);
    // VS Code holds it for dirty still: it compares with the text before the save.
    assert.equal((await settings.save()).kind, 'unchanged');
    await settings.untilCurrent();
    assert.equal(settings.isTabDirty, false);
    assert.equal(fixture.puts(settings).length, 1);
  });

  it('of the saved change itself, during the save, does not hide what was saved', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: b');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(settings), { kind: 'holdAnswer', until: gate.opened }, 1);
    const saving = settings.save();
    await held.first;
    await settings.undo();
    assert.match(settings.text, /mode: a\n/);
    gate.open();
    assert.equal((await saving).kind, 'committed');
    // For VS Code the text is as on disk again, hence clean: what is there has to show.
    await settings.untilCurrent();
    assert.match(settings.text, /mode: b\n/);
    assert.equal(settings.isTabDirty, false);
    await settings.undo();
    assert.match(settings.text, /mode: a\n/);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'a' });
  });

  it('and redo after a reload from the cluster bring each text’s own base back', async () => {
    const settings = await fixture.createAndOpen(configMap({ ours: 'a', theirs: 'a' }));
    await settings.replace('ours: a', 'ours: mine');
    const { baseVersion } = settings.state;
    await settings.patch({ data: { theirs: 'b' } });
    await settings.until('stale', ({ phase }) => phase === 'stale');
    await settings.run('kubemerge.reload');
    await settings.untilCurrent();
    await settings.undo();
    assert.match(settings.text, /ours: mine/);
    assert.equal(settings.state.baseVersion, baseVersion);
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { ours: 'mine', theirs: 'b' });
  });
});

describe('the echo of a save', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('A4: before the response is nobody else’s change', async () => {
    const web = await fixture.createAndOpen(deployment());
    using recorded = web.recordPhases();
    await web.replace('replicas: 1', 'replicas: 2');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(web), { kind: 'holdAnswer', until: gate.opened }, 1);
    const watch = fixture.proxy.requests.findLast(isWatchOf(web));
    assert.ok(watch);
    const saving = web.save();
    await held.first;
    await until('the event has come', () => (watch.answer.includes('"replicas":2') ? true : undefined));
    assert.equal(web.state.isSaving, true);
    gate.open();
    assert.equal((await saving).kind, 'committed');
    await web.untilCurrent();
    assert.deepEqual([...recorded.phases], ['fresh']);
    assert.match(web.text, /replicas: 2/);
  });

  it('A4: after the response, and after a further edit, neither marks nor moves the text', async () => {
    const target = await fixture.create(deployment());
    const gate = makeGate();
    const isWatch = isWatchOf(target);
    const isStreamedList = (request: RecordedRequest): boolean => request.path.includes('sendInitialEvents');
    // Streamed, a list that begins late holds the newest state alone: the events between are what is wanted.
    using _refused = fixture.proxy.inject((request) => isWatch(request) && isStreamedList(request), {
      kind: 'answer',
      status: 422,
    });
    using held = fixture.proxy.inject(
      (request) => isWatch(request) && !isStreamedList(request),
      { kind: 'hold', until: gate.opened },
      1,
    );
    const web = await fixture.openUnwatched(target);
    await held.first;
    using recorded = web.recordPhases();
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.untilCurrent();
    await web.replace('replicas: 2', 'replicas: 3');
    await web.saveAndLand();
    await web.untilCurrent();
    const { text } = web;
    const { version } = web.document;
    gate.open();
    await web.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    const watch = held.met[0];
    assert.ok(watch);
    await until('both events have come', () =>
      watch.answer.includes('"replicas":2') && watch.answer.includes('"replicas":3') ? true : undefined,
    );
    await web.patch({ metadata: { labels: { tier: 'back' } } });
    await web.untilText('the text follows what comes then', (now) => now.includes('tier: back'));
    assert.equal(web.document.version, version + 1);
    assert.equal(text.includes('replicas: 3') && web.text.includes('replicas: 3'), true);
    assert.ok(!recorded.phases.has('conflicted'));
    assert.equal(web.state.phase, 'fresh');
  });

  it('B7: and what a new watch replays change nothing', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicas: 2');
    await web.saveAndLand();
    await web.untilCurrent();
    await web.replace('tier: front', 'tier: back');
    using recorded = web.recordPhases();
    const { version } = web.document;
    const watches = fixture.proxy.requests.filter(isWatchOf(web)).length;
    fixture.proxy.cutConnections();
    await until('it watches again', () =>
      fixture.proxy.requests.filter(isWatchOf(web)).length > watches ? true : undefined,
    );
    await web.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    assert.deepEqual([...recorded.phases], ['fresh']);
    assert.equal(web.document.version, version);
    await web.saveAndLand();
  });
});
