import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { closeAll, isPutOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import { deployment, lease, node } from './testObjects.ts';

/** How often the status writer writes, in ms. Source: issue case A1, ten changes a second. */
const statusPauseMs = 100;

describe('a writer of status alone', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('A1: at ten changes a second never shows while the user types and saves, and its newest status stays', async () => {
    const web = await fixture.createAndOpen(deployment());
    using recorded = web.recordPhases();
    const stop = new AbortController();
    let written = 0;
    const writeStatus = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await web.patch({ status: { observedGeneration: ++written } }, 'controller', '/status');
        await pause(statusPauseMs);
      }
    };
    const writing = writeStatus();
    try {
      await web.typeAfter('tier: front', 'end');
      await web.typeAfter('image: web:0', '-rc.1');
      await web.saveAndLand();
      await web.typeAfter('tier: frontend', '-canary');
      const { message } = await web.saveAndLand();
      assert.doesNotMatch(message, /Merged|status/);
    } finally {
      stop.abort();
      await writing;
    }
    assert.ok(written > 5, `it wrote ${String(written)} times`);
    const live = await web.live();
    assert.equal(live.metadata.labels.tier, 'frontend-canary');
    assert.equal(live.spec.template.spec.containers[1].image, 'web:0-rc.1');
    assert.equal(live.status.observedGeneration, written);
    assert.deepEqual([...recorded.phases], ['fresh']);
    await web.untilSeen();
    assert.equal(web.document.isDirty, false);
    assert.equal(web.state.phase, 'fresh');
  });

  it('A1: that comes between a save and the server costs another try and no word', async () => {
    const object = await fixture.createAndOpen(node());
    using recorded = object.recordPhases();
    await object.replace('pool: blue', 'pool: green');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(object), { kind: 'hold', until: gate.opened }, 1);
    const saving = object.save();
    await held.first;
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Posted', message: 'newest' }];
    await object.patch({ status: { conditions } }, 'kubelet', '/status');
    gate.open();
    const { kind, message } = await saving;
    assert.equal(kind, 'committed', message);
    assert.doesNotMatch(message, /Merged|status/);
    assert.deepEqual(
      fixture.puts(object).map(({ status }) => status),
      [409, 200],
    );
    const live = await object.live();
    assert.equal(live.status.conditions[0].message, 'newest');
    assert.equal(live.metadata.labels.pool, 'green');
    assert.deepEqual([...recorded.phases], ['fresh']);
  });

  it('A5: leaves text, cursor and undo of a dirty Node alone', async () => {
    const object = await fixture.createAndOpen(node());
    await object.typeAfter('pool: blue', '-2');
    const { text } = object;
    const { version } = object.document;
    const { selection } = await object.show();
    for (const beat of ['1', '2', '3']) {
      const conditions = [{ type: 'Ready', status: 'True', reason: 'Posted', message: beat }];
      await object.patch({ status: { conditions } }, 'kubelet', '/status');
      await object.untilSeen();
      assert.equal(object.state.phase, 'fresh');
    }
    assert.equal(object.text, text);
    assert.equal(object.document.version, version);
    assert.deepEqual(vscode.window.activeTextEditor?.selection, selection);
    await object.undo();
    assert.match(object.text, /pool: blue\n/);
    assert.equal(object.document.isDirty, false);
  });

  it('A5: a clean Node’s text lies still, too', async () => {
    const object = await fixture.createAndOpen(node());
    const { version } = object.document;
    await object.patch({ status: { nodeInfo: { kernelVersion: '6' } } }, 'kubelet', '/status');
    await object.untilSeen();
    assert.equal(object.document.version, version);
    await object.replace('pool: blue', 'pool: green');
    await object.saveAndLand();
    assert.deepEqual(
      fixture.puts(object).map(({ status }) => status),
      [200],
    );
  });

  it('A5: a renewed Lease marks a dirty text stale and leaves text, cursor and undo alone', async () => {
    const leader = await fixture.createAndOpen(lease('2024-01-01T00:00:00.000000Z'));
    await leader.typeAfter('team: red', 'dish');
    const { text } = leader;
    const { selection } = await leader.show();
    for (let second = 2; second <= 20; second += 2) {
      const renewTime = `2024-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
      await leader.patch({ spec: { renewTime } }, 'leader');
      await leader.untilSeen();
    }
    const { phase, foreign } = leader.state;
    assert.equal(phase, 'stale');
    assert.deepEqual(
      foreign.map(({ path }) => path),
      ['spec.renewTime'],
    );
    assert.equal(leader.text, text);
    assert.deepEqual(vscode.window.activeTextEditor?.selection, selection);
    await leader.undo();
    assert.match(leader.text, /team: red\n/);
    await leader.untilText('without edits it follows', (now) => now.includes('00:00:20.000000Z'));

    await leader.replace('team: red', 'team: blue');
    await leader.patch({ spec: { renewTime: '2024-01-01T00:00:22.000000Z' } }, 'leader');
    await leader.saveAndLand();
    const live = await leader.live();
    assert.equal(live.metadata.labels.team, 'blue');
    assert.equal(live.spec.renewTime, '2024-01-01T00:00:22.000000Z');
  });
});
