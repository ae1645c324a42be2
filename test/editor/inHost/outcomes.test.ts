import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, isPutOf, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment, secret, type TestObject, widget } from './testObjects.ts';
import { serveWidgets } from './widgets.ts';

describe('the outcome of a save', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
    await serveWidgets(fixture.other);
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** Applies the quick fix of this title at a diagnostic. */
  async function fix(object: OpenObject, title: string): Promise<void> {
    const ranges = vscode.languages.getDiagnostics(object.uri).map(({ range }) => range);
    const offered = await Promise.all(
      ranges.map((range) =>
        vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          object.uri,
          range,
        ),
      ),
    );
    const found = offered.flat().find((action) => action.title === title);
    assert.ok(
      found?.edit,
      offered
        .flat()
        .map((action) => action.title)
        .join(),
    );
    await vscode.workspace.applyEdit(found.edit);
  }

  it('G4: for a field that cannot be changed explains it, and a quick fix reverts it', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('matchLabels:\n      app: web', 'matchLabels:\n      app: other # mine');
    await web.replace('replicas: 1', 'replicas: 2');
    const { kind, message } = await web.save();
    assert.equal(kind, 'rejected');
    assert.match(
      message,
      /spec\.selector of Deployment \S+ cannot be changed once it exists.*Nothing is deleted/,
    );
    await web.replace('tier: front', 'tier: back # above the mark');
    assert.deepEqual(
      web.diagnostics.filter(({ code }) => code === 'FieldImmutable').map(({ line }) => line),
      ['selector:'],
    );
    await fix(web, 'Revert spec.selector');
    assert.ok(!web.diagnostics.some(({ code }) => code === 'FieldImmutable'));
    await web.saveAndLand();
    const { spec, metadata } = await web.live();
    assert.deepEqual([spec.replicas, metadata.labels.tier], [2, 'back']);
    assert.equal(fixture.proxy.recorded('DELETE').length, 0);
  });

  it('G4: for a Pod and an immutable Secret marks what was changed, and not what may be', async () => {
    const pod = await fixture.createAndOpen({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { containers: [{ name: 'app', image: 'web:0' }] },
    } as TestObject);
    await pod.replace('image: web:0', 'image: web:1');
    await pod.replace('restartPolicy: Always', 'restartPolicy: Never');
    const refused = await pod.save();
    assert.match(refused.message, /only spec\.containers\[\*\]\.image, .* of its spec can be changed/);
    assert.doesNotMatch(refused.message, /@@/);
    assert.deepEqual(
      pod.diagnostics.map(({ line }) => line),
      ['restartPolicy: Never'],
    );
    await fix(pod, 'Revert spec.restartPolicy');
    await pod.saveAndLand();
    assert.equal((await pod.live()).spec.containers[0].image, 'web:1');

    const keys = await fixture.createAndOpen({ ...secret({ a: 'YQ==' }), immutable: true } as TestObject);
    await keys.replace('YQ==', 'c3dvcmRmaXNo');
    const { kind, message } = await keys.save();
    assert.equal(kind, 'rejected');
    assert.match(message, /is immutable, for good: its data cannot be changed/);
    await fix(keys, 'Revert data.a');
    assert.match(keys.text, /a: YQ==/);
    await vscode.commands.executeCommand('kubemerge.decodeSecretValues', keys.uri);
    await keys.untilText('the values are decoded', (text) => text.includes('  a: a\n'));
    await keys.replace('a: a', 'a: swordfish');
    assert.equal((await keys.save()).kind, 'rejected');
    assert.deepEqual(
      keys.diagnostics.map(({ line }) => line),
      ['a: swordfish'],
    );
    await fix(keys, 'Revert data.a');
    assert.match(keys.text, /stringData:\n {2}a: a\n/);
  });

  it('G1: for a misspelt field offers the name that is near', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('replicas: 1', 'replicaz: 3');
    assert.equal((await web.save()).kind, 'rejected');
    await fix(web, 'Rename to replicas');
    assert.deepEqual(web.diagnostics, []);
    await web.saveAndLand();
    assert.equal((await web.live()).spec.replicas, 3);
  });

  it('G1: with warnings of the server shows them, and is a success', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('dnsPolicy:', 'nodeSelector:\n        beta.kubernetes.io/os: linux\n      dnsPolicy:');
    const { message } = await web.saveAndLand();
    assert.match(message, /Warning from the server: .*nodeSelector\[beta\.kubernetes\.io\/os\]: deprecated/);
  });

  it('G2: that a proxy answers is told in a short text, without markup, headers or tokens', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    using _proxy = fixture.proxy.inject(isPutOf(settings), {
      kind: 'answer',
      status: 403,
      headers: { 'content-type': 'text/html', 'x-secret': 'swordfish' },
      body: '<html><head><title>Blocked by policy</title></head><body>Bearer swordfish</body></html>',
    });
    const { kind, message } = await settings.save();
    assert.equal(kind, 'forbidden');
    assert.match(message, /not the API server's but a web page: Blocked by policy/);
    assert.doesNotMatch(message, /swordfish|</);
  });

  it('G5: of a custom resource without a schema opens and saves without a complaint', async () => {
    const thing = await fixture.createAndOpen(widget({ anything: { at: ['all', 1] } }));
    assert.deepEqual(thing.diagnostics, []);
    await thing.replace('at:', 'more: true\n    at:');
    const { message } = await thing.saveAndLand();
    assert.doesNotMatch(message, /ignored|Warning/);
    const yaml = vscode.workspace.getConfiguration('yaml');
    assert.equal(yaml.inspect('schemas')?.globalValue, undefined);
  });

  it('says nothing of the defaults of an element that was added, and names what the server set beside', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace(/- image: log:0/, '- name: side\n        image: side:0\n      - image: log:0');
    assert.doesNotMatch((await web.saveAndLand()).message, /ignored or changed/);
    const service = await fixture.createAndOpen({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'front' },
      spec: { ports: [{ port: 80 }] },
    } as TestObject);
    await service.replace('type: ClusterIP', 'type: NodePort');
    const { message } = await service.saveAndLand();
    assert.match(message, /The server also set spec\.ports\[port=80,protocol=TCP\]\.nodePort/);
    assert.doesNotMatch(message, /ignored or changed/);
  });

  it('that a webhook denies at length can be read to its last word', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine');
    const reason = `${'no object may have this. '.repeat(60)}Ask the platform team.`;
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: `admission webhook "guard.example.com" denied the request: ${reason}`,
      reason: 'Forbidden',
      code: 403,
    };
    using _denial = fixture.proxy.inject(isPutOf(settings), {
      kind: 'answer',
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(status),
    });
    const bytes = new TextEncoder().encode(settings.text);
    let shown = '';
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(settings.uri, bytes)),
      ({ message }: Error) => {
        shown = message;
        return true;
      },
    );
    assert.ok(shown.length < 1200, shown);
    const [, id = ''] = /command:kubemerge\.showFullMessage\?([^)]+)\)/.exec(shown) ?? [];
    const args = JSON.parse(decodeURIComponent(id)) as unknown[];
    await vscode.commands.executeCommand('kubemerge.showFullMessage', ...args);
    const full = vscode.window.activeTextEditor?.document;
    assert.equal(full?.uri.scheme, 'k8s-message');
    const words = full.getText().replaceAll(/\s+/g, ' ');
    assert.match(
      words,
      /Not saved: the server refused ConfigMap .*Ask the platform team\. Your text is kept\./,
    );
    assert.equal(settings.document.isDirty, true);
  });

  it('of a text that is too large for the server says so, and keeps it', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', `mode: ${'x'.repeat(1_100_000)}`);
    const { kind, message } = await settings.save();
    assert.equal(kind, 'rejected');
    assert.match(message, /1048576 bytes/);
    assert.equal(settings.document.isDirty, true);
  });
});
