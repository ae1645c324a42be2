import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { OpenObject } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';
import { until } from './until.ts';

describe('the status of an object', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  /** Opens an object, and its status beside it. */
  async function openStatus(context = fixture.context): Promise<{ web: OpenObject; status: OpenObject }> {
    const target = await fixture.create(deployment());
    await fixture.other.patch(`${target.path}/status`, { status: { replicas: 1 } }, 'controller');
    const web = await fixture.open(target, context);
    await vscode.commands.executeCommand('kubemerge.editStatus', web.uri);
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri);
    assert.ok(uri.path.endsWith(`/${target.ref.name}.status.k8s.yaml`), uri.path);
    const status = new OpenObject({ api: fixture.api, uri, target, other: fixture.other });
    await status.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    return { web, status };
  }

  const statusPuts = ({ path }: OpenObject) =>
    fixture.proxy.recorded('PUT').filter((request) => request.path.startsWith(`${path}/status?`));

  it('is edited in a document of its own, and saved through its own endpoint under version and uid', async () => {
    const { web, status } = await openStatus();
    assert.doesNotMatch(status.text, /spec:|labels:/);
    assert.doesNotMatch(web.text, /status:/);
    const before = await status.live();
    await status.replace('replicas: 1', 'replicas: 3 # by hand');
    await status.saveAndLand();
    const [put, ...others] = statusPuts(status);
    assert.equal(others.length, 0);
    assert.equal(fixture.puts(status).length, 0);
    const { metadata } = JSON.parse(put?.body ?? '');
    assert.deepEqual(
      [metadata.resourceVersion, metadata.uid],
      [before.metadata.resourceVersion, before.metadata.uid],
    );
    const live = await status.live();
    assert.equal(live.status.replicas, 3);
    assert.deepEqual(live.spec, before.spec);
    await status.untilCurrent();
    assert.match(status.text, /replicas: 3 # by hand/);
    assert.equal(web.state.phase, 'fresh');
  });

  it('merges with what a controller changes of it, conflicts at the same field, and ignores the rest', async () => {
    const { status } = await openStatus();
    await status.replace('replicas: 1', 'replicas: 3');
    await status.patch({ spec: { paused: true } });
    await status.untilSeen();
    assert.equal(status.state.phase, 'fresh');
    await status.patch({ status: { observedGeneration: 2 } }, 'controller', '/status');
    await status.until('stale', ({ phase }) => phase === 'stale');
    await status.saveAndLand();
    const { spec, status: saved } = await status.live();
    assert.deepEqual([spec.paused, saved.replicas, saved.observedGeneration], [true, 3, 2]);

    await status.untilCurrent();
    await status.replace('replicas: 3', 'replicas: 4');
    await status.patch({ status: { replicas: 9 } }, 'controller', '/status');
    await status.until('conflicted', ({ phase }) => phase === 'conflicted');
    assert.equal((await status.save()).kind, 'conflict');
    assert.equal((await status.live()).status.replicas, 9);
  });

  it('takes no other field, and says where that is edited', async () => {
    const { status } = await openStatus();
    await status.replace('status:', 'spec:\n  replicas: 2\nstatus:');
    const { kind, message } = await status.save();
    assert.equal(kind, 'invalidText');
    assert.match(message, /holds the status alone/);
    assert.equal(statusPuts(status).length, 0);
  });

  it('I6: is read-only for who may not update it, and is not opened where it has no endpoint', async () => {
    const { status } = await openStatus(fixture.viewerContext);
    const { readOnlyReason } = await status.until('read-only', (state) => state.readOnlyReason !== undefined);
    assert.match(readOnlyReason ?? '', /not allowed to update the status/);
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.show();
    await vscode.commands.executeCommand('kubemerge.editStatus', settings.uri);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), settings.uri.toString());
  });

  it('goes with its object, and does not bring it back', async () => {
    const { status } = await openStatus();
    await status.replace('replicas: 1', 'replicas: 3');
    await status.deleteByOther();
    await status.until('deleted', ({ phase }) => phase === 'deleted');
    assert.equal((await status.save()).kind, 'deleted');
    await vscode.commands.executeCommand('kubemerge.recreate', status.uri);
    await vscode.commands.executeCommand('kubemerge.createCopy', status.uri);
    await until('nothing was created', async () =>
      (await fixture.other.request('GET', status.path)).status === 404 ? true : undefined,
    );
    assert.equal(
      fixture.proxy.recorded('POST').some(({ path }) => path.includes('/deployments')),
      false,
    );
  });
});
