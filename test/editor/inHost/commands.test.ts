import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { OpenObject } from './openObject.ts';
import { autoscaler, configMap, deployment } from './testObjects.ts';
import { until } from './until.ts';

describe('the commands and the API of live documents', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('the API opens an object and tells its state and base', async () => {
    const { api } = fixture;
    assert.equal(api.apiVersion, 1);
    const web = await fixture.createAndOpen(deployment());
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), web.uri.toString());
    const live = await web.live();
    assert.deepEqual(web.state, {
      phase: 'fresh',
      isDirty: false,
      isSaving: false,
      isMerging: false,
      liveness: { kind: 'live' },
      baseVersion: live.metadata.resourceVersion,
      liveVersion: live.metadata.resourceVersion,
      uid: live.metadata.uid,
      conflicts: [],
      foreign: [],
    });
    assert.deepEqual(web.mergeBase, { resourceVersion: live.metadata.resourceVersion, text: web.text });
    assert.equal(api.state(vscode.Uri.parse('k8s:/nothing')), undefined);
  });

  it('the API refuses in words what is not there', async () => {
    const { path, ref } = await fixture.create(deployment());
    const opened = await fixture.open({ path, ref });
    const missing = { ...ref, name: 'missing' };
    await assert.rejects(fixture.api.open(missing), /Cannot open missing: it is not there/);
    await assert.rejects(
      fixture.api.open({ ...ref, resource: 'nothings' }),
      /serves no nothings in apps\/v1/,
    );
    await assert.rejects(fixture.api.open({ ...ref, context: 'nowhere' }), /no context nowhere/);
    assert.equal(opened.state.phase, 'fresh');
  });

  it('a link to an object names it, and nothing else', async () => {
    const web = await fixture.createAndOpen(deployment());
    const link = await vscode.commands.executeCommand<string>('kubemerge.copyLink', web.uri);
    assert.equal(await vscode.env.clipboard.readText(), link);
    const { scheme, path, query } = vscode.Uri.parse(link, true);
    assert.deepEqual([scheme, path], [vscode.env.uriScheme, '/open']);
    const { name, namespace, resource } = web.ref;
    const named = Object.fromEntries(new URLSearchParams(query));
    assert.match(named['cluster'] ?? '', /./);
    delete named['cluster'];
    assert.deepEqual(named, {
      context: fixture.context,
      namespace,
      group: 'apps',
      version: 'v1',
      resource,
      name,
    });
  });

  it('names with special characters open, save, and keep one URI', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const name = `system:test:${fixture.namespace}`;
    await fixture.other.create(path, { metadata: { name, labels: { team: 'red' } }, rules: [] });
    const ref = {
      context: fixture.context,
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      resource: 'clusterroles',
      name,
    };
    const role = await fixture.open({ path: `${path}/${encodeURIComponent(name)}`, ref });
    assert.equal(vscode.Uri.parse(role.uri.toString()).path, role.uri.path);
    await role.replace('team: red', 'team: blue');
    await role.saveAndLand();
    assert.equal((await role.live()).metadata.labels.team, 'blue');
    await fixture.other.delete(role.path);
  });

  it('commands take a URI as text or in parts, as links and other extensions hand it over', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const { scheme, path } = settings.uri;
    for (const [target, value] of [
      [settings.uri.toString(), 'b'],
      [{ scheme, path }, 'c'],
    ] as const) {
      await settings.replace(/mode: \w/, `mode: ${value}`);
      const report = await vscode.commands.executeCommand<{ kind: string }>('kubemerge.save', target);
      assert.equal(report.kind, 'committed');
      await settings.untilCurrent();
    }
    assert.deepEqual((await settings.live()).data, { mode: 'c' });
  });

  it('merge brings in what merges by itself, as one edit, without a merge editor', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.replace('image: web:0', 'image: web:2 # mine');
    const mine = web.text;
    await web.patch({ spec: { replicas: 5 } }, 'hpa-controller');
    await web.until('stale', ({ phase }) => phase === 'stale');
    await vscode.commands.executeCommand('kubemerge.merge', web.uri);
    assert.match(web.text, /replicas: 5/);
    assert.match(web.text, /image: web:2 # mine/);
    assert.equal(web.state.phase, 'fresh');
    assert.equal(web.state.isDirty, true);
    const merged = web.text;
    await web.undo();
    assert.equal(web.text, mine);
    assert.equal(web.state.phase, 'stale');
    await web.run('redo');
    assert.equal(web.text, merged);
    const { message } = await web.saveAndLand();
    assert.doesNotMatch(message, /Merged in/);
    assert.deepEqual(
      fixture.puts(web).map(({ status }) => status),
      [200],
    );
  });

  it('showFullObject shows what the document leaves out, read-only', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.patch({ status: { observedGeneration: 7 } }, 'controller', '/status');
    await web.untilSeen();
    await vscode.commands.executeCommand('kubemerge.showFullObject', web.uri);
    const shown = await until('it is shown', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === 'k8s-view' ? document : undefined;
    });
    assert.match(shown.getText(), /managedFields:/);
    assert.match(shown.getText(), /observedGeneration: 7/);
  });

  it('says over a field which manager set it', async () => {
    const web = await fixture.createAndOpen(deployment());
    await web.patch({ spec: { replicas: 7 } }, 'updater');
    await until('it is followed', () => web.text.includes('replicas: 7'));
    const hoverAt = async (search: string): Promise<string> => {
      const position = web.document.positionAt(web.text.indexOf(search) + 1);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        web.uri,
        position,
      );
      return hovers
        .flatMap(({ contents }) =>
          contents.map((part) => (part as vscode.MarkdownString).value.replaceAll('&nbsp;', ' ')),
        )
        .join();
    };
    assert.match(await hoverAt('log:0'), /Set by creator, /);
    assert.match(await hoverAt('replicas: 7'), /Set by updater, /);
  });

  it('A13: createCopy makes another object of the text and opens it', async () => {
    const web = await fixture.createAndOpen(deployment());
    const { text } = web;
    await web.replace('replicas: 1', 'replicas: 3');
    const copying = vscode.commands.executeCommand('kubemerge.createCopy', web.uri);
    let isDone = false;
    const done = Promise.resolve(copying).then(() => (isDone = true));
    await until('the copy is made', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isDone ? true : undefined;
    });
    await done;
    const copy = { path: `${web.path}-copy`, ref: { ...web.ref, name: `${web.ref.name}-copy` } };
    const live = await fixture.other.get(copy.path);
    assert.equal(live.spec.replicas, 3);
    assert.notEqual(live.metadata.uid, web.state.uid);
    const opened = await fixture.open(copy);
    assert.match(opened.text, /replicas: 3/);
    assert.match(web.text, /replicas: 3/);
    assert.equal(web.document.isDirty, true);
    assert.notEqual(web.text, text);
    assert.equal((await web.live()).spec.replicas, 1);
  });

  it('A13: a changed apiVersion is refused at its line, where “Open as” that version is offered', async () => {
    const scaler = await fixture.createAndOpen(autoscaler());
    await scaler.replace('autoscaling/v2', 'autoscaling/v1');
    assert.equal((await scaler.save()).kind, 'invalidText');
    const [diagnostic] = vscode.languages.getDiagnostics(scaler.uri);
    assert.equal(diagnostic?.range.start.line, 0);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      scaler.uri,
      diagnostic.range,
    );
    const fix = fixes.find(({ title }) => title === 'Open as autoscaling/v1');
    assert.ok(fix?.command, fixes.map(({ title }) => title).join());
    await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
    await until('the other version is shown', () => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      return shown?.path.includes('/autoscaling/v1/') === true ? true : undefined;
    });
    assert.equal(fixture.puts(scaler).length, 0);
    assert.equal(scaler.document.isDirty, true);
  });

  it('A13: openAsVersion opens the object in the version that the text names', async () => {
    const scaler = await fixture.createAndOpen(autoscaler());
    await scaler.replace('autoscaling/v2', 'autoscaling/v1');
    assert.equal((await scaler.save()).kind, 'invalidText');
    await vscode.commands.executeCommand('kubemerge.openAsVersion', scaler.uri);
    const uri = await until('the other version is shown', () => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      return shown?.path.includes('/autoscaling/v1/') === true ? shown : undefined;
    });
    const target = {
      path: scaler.path.replace('autoscaling/v2', 'autoscaling/v1'),
      ref: { ...scaler.ref, version: 'v1' },
    };
    const older = new OpenObject({ api: fixture.api, uri, target, other: fixture.other });
    await older.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    assert.match(older.text, /apiVersion: autoscaling\/v1\n/);
    await older.replace('maxReplicas: 5', 'maxReplicas: 6');
    await older.saveAndLand();
    assert.equal((await scaler.live()).spec.maxReplicas, 6);
  });
});
