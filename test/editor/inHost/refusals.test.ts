import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';

describe('a text that cannot be saved', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** Saves; nothing may be sent, the text must stay, dirty, and the line be marked. @returns the message */
  async function refuse(web: OpenObject, markedLine: string | RegExp, code: string): Promise<string> {
    const { text } = web;
    const before = fixture.proxy.requests.filter(({ method }) => method !== 'GET').length;
    const { kind, message } = await web.save();
    assert.equal(kind, 'invalidText', message);
    assert.match(message, /^Not saved: .*Your text is kept\.$/);
    const marks = web.diagnostics.filter((mark) => mark.code === code).map(({ line }) => line);
    assert.ok(
      marks.some((line) => (typeof markedLine === 'string' ? line === markedLine : markedLine.test(line))),
      JSON.stringify(web.diagnostics),
    );
    assert.equal(fixture.proxy.requests.filter(({ method }) => method !== 'GET').length, before);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
    return message;
  }

  async function fixAndSave(web: OpenObject, search: string, replacement: string): Promise<void> {
    await web.replace(search, replacement);
    assert.deepEqual(web.diagnostics, []);
    await web.saveAndLand();
  }

  it('G6: because its YAML is broken', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('tier: front', 'tier: "front');
    const { text } = web;
    const { kind } = await web.save();
    assert.equal(kind, 'invalidText');
    assert.ok(web.diagnostics.length > 0);
    assert.equal(fixture.puts(web).length, 0);
    assert.equal(web.text, text);
    assert.equal(web.document.isDirty, true);
    await fixAndSave(web, 'tier: "front', 'tier: back');
  });

  it('G6: and is replaced by live’s where the user reloads', async () => {
    const web = await fixture.createAndOpen(deployment());
    const { text } = web;
    await web.replace('tier: front', 'tier: "front');
    await web.run('kubemerge.reload');
    await web.untilCurrent();
    assert.equal(web.text, text);
    assert.deepEqual(web.diagnostics, []);
  });

  it('G6: because it is indented with a tab', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('    tier: front', '\ttier: front');
    const { kind, message } = await web.save();
    assert.equal(kind, 'invalidText');
    assert.match(message, /[Tt]ab/);
    assert.ok(web.diagnostics.some(({ line }) => line === 'tier: front'));
    assert.equal(fixture.puts(web).length, 0);
    assert.equal(web.document.isDirty, true);
  });

  it('C10: because a key stands twice: both lines are marked', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('- image: web:0', '- image: web:1\n        image: web:0');
    await refuse(web, '- image: web:1', 'duplicateKey');
    assert.deepEqual(
      web.diagnostics.map(({ line, code }) => [line, code]),
      [
        ['- image: web:1', 'duplicateKey'],
        ['image: web:0', 'duplicateKey'],
      ],
    );
    await fixAndSave(web, '        image: web:0\n', '');
    assert.equal((await web.live()).spec.template.spec.containers[1].image, 'web:1');
  });

  it('C8: because a label is no string; a quick fix quotes it', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('tier: front', 'tier: true');
    await refuse(web, 'tier: true', 'mustBeString');
    const [diagnostic] = vscode.languages.getDiagnostics(web.uri);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      web.uri,
      diagnostic?.range,
    );
    const edit = fixes.find(({ title }) => title === 'Quote this value')?.edit;
    assert.ok(edit);
    await vscode.workspace.applyEdit(edit);
    await web.saveAndLand();
    assert.equal((await web.live()).metadata.labels.tier, 'true');
  });

  for (const [what, search, replacement, marked, code] of [
    ['its name', /name: web-\S+/, 'name: other', 'name: other', 'nameChanged'],
    ['its namespace', /namespace: \S+/, 'namespace: other', 'namespace: other', 'namespaceChanged'],
    ['its kind', 'kind: Deployment', 'kind: StatefulSet', 'kind: StatefulSet', 'kindChanged'],
    ['its API group', 'apps/v1', 'batch/v1', 'apiVersion: batch/v1', 'kindChanged'],
    ['its API version', 'apps/v1', 'apps/v1beta1', 'apiVersion: apps/v1beta1', 'versionChanged'],
    ['its uid', /uid: \S+/, 'uid: other', 'uid: other', 'uidChanged'],
  ] as const) {
    it(`A13: because ${what} was changed`, async () => {
      const web = await fixture.createAndOpen(deployment());
      await web.replace(search, replacement);
      await refuse(web, marked, code);
      const offered = await offeredAfterSave(web);
      if (code === 'versionChanged') assert.match(offered, /command:kubemerge\.openAsVersion/);
      else if (code !== 'uidChanged') assert.match(offered, /command:kubemerge\.createCopy/);
    });
  }

  it('because it holds what the document leaves out', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('spec:\n', 'status:\n  replicas: 3\nspec:\n');
    await refuse(web, 'status:', 'hiddenField');
  });

  it('because a second object follows', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const last = `uid: ${settings.state.uid}\n`;
    await settings.replace(last, `${last}---\nkind: ConfigMap\n`);
    await refuse(settings, /^---|^kind: ConfigMap$/, 'secondDocument');
  });

  it('C6: because an octal number would change its meaning, or it is read as kubectl reads it', async () => {
    const object = deployment();
    const spec = object as unknown as { spec: { template: { spec: Record<string, unknown> } } };
    spec.spec.template.spec.volumes = [{ name: 'v', secret: { secretName: 's', defaultMode: 256 } }];
    const web = await fixture.createAndOpen(object);
    await web.replace('defaultMode: 256', 'defaultMode: 0644');
    await web.saveAndLand();
    assert.equal((await web.live()).spec.template.spec.volumes[0].secret.defaultMode, 420);
    await web.untilCurrent();
    await web.replace('defaultMode: 0644', 'defaultMode: 0o600');
    await web.saveAndLand();
    assert.equal((await web.live()).spec.template.spec.volumes[0].secret.defaultMode, 384);
  });

  /** What the error of a refused write offers; it is what VS Code shows to a person. */
  async function offeredAfterSave(web: OpenObject): Promise<string> {
    const bytes = new TextEncoder().encode(web.text);
    const failure = await Promise.resolve(vscode.workspace.fs.writeFile(web.uri, bytes)).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error, 'the write is refused');
    return failure.message;
  }
});
