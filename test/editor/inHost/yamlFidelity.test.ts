import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment, lease, type TestObject, widget } from './testObjects.ts';
import { serveWidgets } from './widgets.ts';

describe('the YAML of a live document', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
    await serveWidgets(fixture.other);
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** The one body that was sent for an object. */
  function sentFor(object: OpenObject): string {
    const [put, ...more] = fixture.puts(object);
    assert.ok(put);
    assert.equal(more.length, 0);
    return put.body;
  }

  /** Saves one edit of a label; all else that is sent must be what the server held. */
  async function editLabelOnly(object: OpenObject): Promise<void> {
    const before = await object.live();
    await object.replace('team: red', 'team: blue');
    await object.saveAndLand();
    before.metadata.labels.team = 'blue';
    assert.deepEqual(JSON.parse(sentFor(object)), before);
  }

  function labelled(object: TestObject): TestObject {
    return { ...object, metadata: { ...object.metadata, labels: { team: 'red' } } };
  }

  it('C1: shows trailing spaces in a literal block, and sends them back byte for byte', async () => {
    const value = 'alpha \nbeta\n';
    const settings = await fixture.createAndOpen(configMap({ kept: value, mode: 'a' }));
    assert.match(settings.text, / {2}kept: \|\n {4}alpha \n {4}beta\n/);
    await settings.replace('mode: a', 'mode: b');
    await settings.saveAndLand();
    assert.deepEqual(JSON.parse(sentFor(settings)).data, { kept: value, mode: 'b' });
    assert.deepEqual((await settings.live()).data, { kept: value, mode: 'b' });
    await settings.untilCurrent();
    assert.match(settings.text, / {2}kept: \|\n {4}alpha \n {4}beta\n/);
  });

  it('C2: folds no line', async () => {
    const long = 'word '.repeat(100).trim();
    const snippet = `# nginx\nlocation / {\n  add_header X "${long}";\n}\n`;
    const settings = await fixture.createAndOpen({
      ...configMap({ 'nginx.conf': snippet }),
      metadata: { name: 'settings', annotations: { note: long } },
    });
    assert.ok(settings.text.includes(`    note: ${long}\n`), settings.text);
    assert.match(settings.text, / {2}nginx\.conf: \|\n {4}# nginx\n {4}location \/ \{\n/);
    assert.ok(settings.text.includes(`add_header X "${long}";\n`));
  });

  it('C3: sends an integer beyond 2^53 as it is', async () => {
    const body = JSON.stringify(widget({ size: 0 })).replace('"size":0', '"size":9007199254740993');
    const target = await fixture.create(widget({ size: 1 }));
    const name = JSON.stringify(target.ref.name);
    const { metadata } = await fixture.other.get(target.path);
    await fixture.other.request('PUT', target.path, {
      body: body.replace(
        '"name":"widget"',
        `"name":${name},"resourceVersion":"${String(metadata.resourceVersion)}"`,
      ),
    });
    const big = await fixture.open(target);
    assert.match(big.text, /size: 9007199254740993\n/);
    await big.replace('team: red', 'team: blue');
    await big.saveAndLand();
    assert.match(sentFor(big), /"size": ?9007199254740993\b/);
    const { text } = await fixture.other.request('GET', target.path);
    assert.match(text, /"size":9007199254740993\b/);
    assert.match(text, /"team":"blue"/);
  });

  it('C4: sends a time with microseconds as it was read', async () => {
    const leader = await fixture.createAndOpen(lease('2024-01-02T03:04:05.123456Z'));
    const object = leader;
    const before = await object.live();
    await object.replace('team: red', 'team: blue');
    await object.saveAndLand();
    assert.match(sentFor(object), /"renewTime": ?"2024-01-02T03:04:05\.123456Z"/);
    before.metadata.labels.team = 'blue';
    assert.deepEqual(JSON.parse(sentFor(object)), before);
    assert.equal((await object.live()).spec.renewTime, '2024-01-02T03:04:05.123456Z');
  });

  it('C5: sends all of a built-in object as it was read but for the edit', async () => {
    const object = deployment();
    await editLabelOnly(
      await fixture.createAndOpen({
        ...object,
        metadata: { ...object.metadata, labels: { team: 'red' } },
      }),
    );
  });

  it('C5: sends all of a custom object as it was read but for the edit', async () => {
    await editLabelOnly(
      await fixture.createAndOpen(
        widget({ port: '80', newer: { from: [{ any: 1 }], $ref: '#', default: null, empty: {} }, size: 3 }),
      ),
    );
    await editLabelOnly(await fixture.createAndOpen(widget({ port: 80, list: [1, 'two', [3]] })));
  });

  it('C7: shows strings quoted that would read as something else, and sends them as strings', async () => {
    const odd = { a: 'yes', b: 'on', c: '0644', d: '1e3', e: 'null' };
    const object = configMap({ time: '12:30', ...odd });
    const settings = await fixture.createAndOpen({
      ...object,
      metadata: { ...object.metadata, labels: { team: 'red', ...odd } },
    });
    for (const [key, value] of [...Object.entries(odd), ['time', '12:30']] as const) {
      assert.match(settings.text, new RegExp(`^ +${key}: (["'])${value}\\1$`, 'm'));
    }
    await editLabelOnly(settings);
    const live = await settings.live();
    assert.deepEqual(live.metadata.labels, { team: 'blue', ...odd });
    assert.deepEqual(live.data, { time: '12:30', ...odd });
  });

  it('C11: removes what was commented out, keeps comments, and reformats nothing', async () => {
    const settings = await fixture.createAndOpen(labelled(configMap({ a: '1', b: '2', c: '3' })));
    await settings.replace('  b: "2"', '  # b: "2"  (not needed)');
    await settings.replace('  c: "3"', "  c:   'three'   # spelt out");
    const { text, state } = settings;
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { a: '1', c: 'three' });
    await settings.untilCurrent();
    const { metadata } = await settings.live();
    assert.equal(settings.text, text.replace(state.baseVersion, String(metadata.resourceVersion)));
  });

  it('may have other line endings, which are no edit of the object and stay', async () => {
    const settings = await fixture.createAndOpen(configMap({ kept: 'alpha \nbeta\n', mode: 'a' }));
    const editor = await settings.show();
    await editor.edit((edit) => {
      edit.setEndOfLine(vscode.EndOfLine.CRLF);
    });
    assert.match(settings.text, /mode: a\r\n/);
    assert.equal((await settings.save()).kind, 'unchanged');
    await settings.replace('mode: a', 'mode: b');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { kept: 'alpha \nbeta\n', mode: 'b' });
    await settings.untilCurrent();
    assert.doesNotMatch(settings.text, /[^\r]\n/);
  });

  it('keeps comments and order where someone else’s change comes in', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('spec:\n', '# how it runs\nspec:   # see the runbook\n');
    await web.replace('replicas: 1', 'replicas: 1   # enough');
    await web.replace('tier: front', 'tier: back');
    await web.saveAndLand();
    await web.untilCurrent();
    const { text } = web;
    const before = await web.live();
    await web.patch({ spec: { replicas: 5, template: { metadata: { labels: { extra: 'x' } } } } });
    await web.untilText('the text follows', (now) => now.includes('replicas: 5   # enough'));
    const after = await web.live();
    assert.equal(
      web.text,
      text
        .replace('replicas: 1', 'replicas: 5')
        .replace(String(before.metadata.resourceVersion), String(after.metadata.resourceVersion))
        .replace('      labels:\n        app: web\n', '      labels:\n        app: web\n        extra: x\n'),
    );
  });
});
