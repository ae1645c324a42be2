import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { acceptQuestion, leaveQuestion, whileAnswering } from './answering.ts';
import {
  closeAll,
  configure,
  isPutOf,
  isWatchOf,
  type LiveFixture,
  makeGate,
  openLiveFixture,
} from './liveFixture.ts';

import { deployment, lease } from './testObjects.ts';
import { until } from './until.ts';

/** What the product promises between another's change and the mark, in ms. Source: issue case B12. */
const promisedMs = 2000;

describe('a change by someone else', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('B12, A2: marks a dirty text stale within 2 s, and one save lands both changes', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2');
    const { text } = web;
    await web.patch({ spec: { replicas: 5 } }, 'hpa-controller');
    const changedAt = Date.now();
    const { foreign } = await web.until('stale', ({ phase }) => phase === 'stale');
    assert.ok(Date.now() - changedAt < promisedMs);
    assert.deepEqual(
      foreign.map(({ path, manager }) => ({ path, manager })),
      [{ path: 'spec.replicas', manager: 'hpa-controller' }],
    );
    assert.equal(web.text, text);

    const { message } = await web.saveAndLand();
    assert.match(message, /Merged in 1 field from hpa-controller, .*: spec\.replicas\./);
    const live = await web.live();
    assert.equal(live.spec.replicas, 5);
    assert.equal(live.spec.template.spec.containers[1].image, 'web:2');
    const puts = fixture.puts(web);
    assert.deepEqual(
      puts.map(({ status }) => status),
      [200],
    );
    await web.untilCurrent();
    assert.match(web.text, /replicas: 5/);
    assert.equal(web.state.phase, 'fresh');
  });

  it('that the watch has not brought yet is met by the save: read, merged, and written once', async () => {
    const target = await fixture.create(deployment());
    const gate = makeGate();
    using _watch = fixture.proxy.inject(isWatchOf(target), { kind: 'hold', until: gate.opened });
    const web = await fixture.openUnwatched(target);
    await web.patch({ spec: { replicas: 5 } }, 'hpa-controller');
    await web.replace('image: web:0', 'image: web:2');
    const { message } = await web.saveAndLand();
    assert.match(message, /Merged in 1 field from hpa-controller/);
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [409, 200],
    );
    const live = await web.live();
    assert.equal(live.spec.replicas, 5);
    assert.equal(live.spec.template.spec.containers[1].image, 'web:2');
    gate.open();
    await web.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    await web.untilCurrent();
    assert.equal(web.state.phase, 'fresh');
  });

  it('while the write is on its way costs another try, and nothing is lost', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2');
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(web), { kind: 'hold', until: gate.opened }, 1);
    const saving = web.save();
    await held.first;
    await web.patch({ metadata: { labels: { tier: 'back' } } }, 'kubectl-edit');
    gate.open();
    const { kind, message } = await saving;
    assert.equal(kind, 'committed', message);
    assert.match(message, /from kubectl-edit.*: metadata\.labels\.tier/);
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [409, 200],
    );
    const live = await web.live();
    assert.equal(live.metadata.labels.tier, 'back');
    assert.equal(live.spec.template.spec.containers[1].image, 'web:2');
  });

  it('I1: of the same length is seen, in the text and at the save', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.patch({ metadata: { labels: { tier: 'fromt' } } });
    await web.untilText('the clean text follows', (text) => text.includes('tier: fromt'));
    await web.replace('tier: fromt', 'tier: other');
    await web.patch({ metadata: { labels: { tier: 'front' } } });
    const { conflicts } = await web.until('conflicted', ({ phase }) => phase === 'conflicted');
    assert.deepEqual(conflicts, [
      { path: 'metadata.labels.tier', base: 'fromt', mine: 'other', live: 'front' },
    ]);
    assert.equal((await web.save()).kind, 'conflict');
    assert.equal(fixture.puts(web).length, 0);
  });

  it('A5: is taken by a clean text, which stays clean', async () => {
    const leader = await fixture.createAndOpen(lease('2024-01-01T00:00:00.000001Z'));
    await leader.patch({ spec: { renewTime: '2024-01-01T00:00:02.000002Z' } }, 'leader');
    await leader.untilText('the text follows', (text) => text.includes('00:00:02.000002Z'));
    await leader.untilCurrent();
    assert.equal(leader.state.phase, 'fresh');
    assert.equal(fixture.puts(leader).length, 0);
  });

  it('A10: is not silenced by typing the newest version into the text', async () => {
    const web = await fixture.createAndOpen(deployment());
    const { baseVersion } = web.state;
    await web.replace('replicas: 1', 'replicas: 2');
    await web.patch({ spec: { paused: true } });
    const { liveVersion } = await web.until('stale', ({ phase }) => phase === 'stale');
    await web.replace(`resourceVersion: "${baseVersion}"`, `resourceVersion: "${liveVersion}"`);
    assert.equal(web.state.phase, 'stale');
    assert.equal(web.state.baseVersion, baseVersion);

    const { kind, message } = await web.save();
    assert.equal(kind, 'invalidText');
    assert.match(message, new RegExp(`grew from version ${baseVersion}`));
    assert.equal(fixture.puts(web).length, 0);
    assert.deepEqual(
      web.diagnostics.map(({ line, code }) => [line, code]),
      [[`resourceVersion: "${liveVersion}"`, 'resourceVersionTyped']],
    );

    const [diagnostic] = vscode.languages.getDiagnostics(web.uri);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      web.uri,
      diagnostic?.range,
    );
    const fix = fixes.find(({ title }) => title === `Restore metadata.resourceVersion: ${baseVersion}`);
    assert.ok(fix?.edit, fixes.map(({ title }) => title).join());
    await vscode.workspace.applyEdit(fix.edit);
    await web.saveAndLand();
    const live = await web.live();
    assert.equal(live.spec.replicas, 2);
    assert.equal(live.spec.paused, true);
  });

  it('A14: that removes or reorders list items leaves mine at the item it named', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2');
    const app = { name: 'app', image: 'web:0' };
    await web.patch({ spec: { template: { spec: { containers: [app] } } } });
    await web.until('stale', ({ phase }) => phase === 'stale');
    await web.saveAndLand();
    const images = (live: Awaited<ReturnType<typeof web.live>>): unknown =>
      live.spec.template.spec.containers.map(({ name, image }: typeof app) => `${name} ${image}`);
    assert.deepEqual(images(await web.live()), ['app web:2']);
    await web.untilCurrent();

    await web.replace('image: web:2', 'image: web:3');
    const containers = [
      { name: 'first', image: 'first:0' },
      { name: 'app', image: 'web:2' },
    ];
    await web.patch({ spec: { template: { spec: { containers } } } });
    await web.until('stale', ({ phase }) => phase === 'stale');
    await web.saveAndLand();
    assert.deepEqual(images(await web.live()), ['first first:0', 'app web:3']);
    await web.untilCurrent();

    await web.replace('image: web:3', 'image: web:4');
    const reversed = [{ name: 'app', image: 'web:3' }, containers[0]];
    await web.patch({ spec: { template: { spec: { containers: reversed } } } });
    await web.until('stale', ({ phase }) => phase === 'stale');
    await web.saveAndLand();
    assert.deepEqual(images(await web.live()), ['app web:4', 'first first:0']);
  });

  it('is shown before it is sent along, where the user wants to review it', async () => {
    await configure('save.foreignChanges', 'review');
    try {
      const web = await fixture.createAndOpen(deployment());
      await web.replace('image: web:0', 'image: web:2');
      await web.patch({ spec: { replicas: 5 } });
      await web.until('stale', ({ phase }) => phase === 'stale');
      const { text } = web;
      const refused = await whileAnswering(web.save(), leaveQuestion);
      assert.equal(refused.kind, 'cancelled');
      assert.equal(fixture.puts(web).length, 0);
      assert.equal(web.document.isDirty, true);
      assert.equal(web.text, text);

      const agreed = await whileAnswering(web.save(), acceptQuestion);
      assert.equal(agreed.kind, 'committed', agreed.message);
      assert.equal((await web.live()).spec.replicas, 5);
      assert.equal(fixture.puts(web).length, 1);
      await web.untilCurrent();

      const gate = makeGate();
      using held = fixture.proxy.inject(isPutOf(web), { kind: 'hold', until: gate.opened }, 1);
      await web.replace('image: web:2', 'image: web:3');
      const saving = web.save();
      await held.first;
      await web.replace('image: web:3', 'image: web:typed');
      await web.patch({ spec: { replicas: 6 } });
      gate.open();
      const shown = await until('what it would send is shown', () =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.path.startsWith('/review-mine/')),
      );
      const sides = shown.getText();
      await whileAnswering(saving, leaveQuestion);
      assert.match(sides, /image: web:3/);
      assert.doesNotMatch(sides, /web:typed/);
      assert.match(web.text, /web:typed/);
    } finally {
      await configure('save.foreignChanges', undefined);
    }
  });
});

describe('a change by someone else, where the schema cannot be read', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('A14: still leaves mine at the container that it named: the built-in schema serves', async () => {
    using forbidden = fixture.proxy.inject(({ path }) => path.startsWith('/openapi'), {
      kind: 'answer',
      status: 403,
    });
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2');
    const containers = [
      { name: 'first', image: 'first:0' },
      { name: 'app', image: 'web:0' },
    ];
    await web.patch({ spec: { template: { spec: { containers } } } });
    await web.until('stale', ({ phase }) => phase === 'stale');
    await web.saveAndLand();
    const live = await web.live();
    assert.deepEqual(
      live.spec.template.spec.containers.map(({ name, image }: { name: string; image: string }) => [
        name,
        image,
      ]),
      [
        ['first', 'first:0'],
        ['app', 'web:2'],
      ],
    );
    assert.ok(forbidden.met.length > 0, 'the schema was asked for');
  });
});
