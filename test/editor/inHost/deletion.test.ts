import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RecordedRequest } from '../../support/faultProxy.ts';
import { closeAll, isPutOf, isWatchOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import type { OpenObject, Target } from './openObject.ts';
import { configMap, deployment } from './testObjects.ts';

describe('a deleted object', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  async function openDirty(): Promise<OpenObject> {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    await settings.replace('mode: a', 'mode: mine # kept');
    return settings;
  }

  /** Someone else makes another object of the same name. @returns its uid */
  async function createAgain({ path, ref }: Target, mode: string): Promise<string> {
    const object = { ...configMap({ mode }), metadata: { name: ref.name } };
    const made = await fixture.other.create(path.slice(0, path.lastIndexOf('/')), object);
    return made.metadata.uid as string;
  }

  async function isThere({ path }: Target): Promise<boolean> {
    return (await fixture.other.request('GET', path)).status === 200;
  }

  const writesOf = ({ path }: Target): number =>
    fixture.proxy.requests.filter(
      (request) => request.method !== 'GET' && request.path.startsWith(path.slice(0, path.lastIndexOf('/'))),
    ).length;

  it('A12: is said to be deleted, and a save does not create it', async () => {
    const settings = await openDirty();
    const { text } = settings;
    const before = writesOf(settings);
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    const { kind, message } = await settings.save();
    assert.equal(kind, 'deleted');
    assert.match(message, /no longer exists in .*Your text is kept/);
    assert.equal(writesOf(settings), before);
    assert.equal(await isThere(settings), false);
    assert.equal(settings.text, text);
    assert.equal(settings.document.isDirty, true);
  });

  it('A12: is recreated on demand, by a POST without what the old one was given', async () => {
    const settings = await openDirty();
    const { uid } = settings.state;
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    await vscode.commands.executeCommand('kubemerge.recreate', settings.uri);
    const live = await settings.live();
    assert.deepEqual(live.data, { mode: 'mine' });
    assert.notEqual(live.metadata.uid, uid);
    const [post, ...more] = fixture.proxy
      .recorded('POST', '/configmaps')
      .filter(({ body }) => body.includes(settings.ref.name));
    assert.equal(more.length, 0);
    const sent = JSON.parse(post?.body ?? '');
    assert.deepEqual(Object.keys(sent.metadata).sort(), ['name', 'namespace']);
    assert.equal(sent.status, undefined);

    await settings.untilCurrent();
    await settings.until('fresh', (state) => state.phase === 'fresh' && state.uid === live.metadata.uid);
    assert.match(settings.text, /mode: mine # kept/);
    await settings.replace('mode: mine', 'mode: next');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'next' });
  });

  it('A12: keeps what is typed while it is being recreated, as an edit of the new object', async () => {
    const settings = await openDirty();
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    const gate = makeGate();
    const isPost = ({ method, path }: RecordedRequest): boolean =>
      method === 'POST' && path.includes('/configmaps');
    using held = fixture.proxy.inject(isPost, { kind: 'holdAnswer', until: gate.opened }, 1);
    const recreating = vscode.commands.executeCommand('kubemerge.recreate', settings.uri);
    await held.first;
    await settings.replace('mode: mine', 'mode: typed');
    gate.open();
    await recreating;
    assert.deepEqual((await settings.live()).data, { mode: 'mine' });
    assert.match(settings.text, /mode: typed # kept/);
    assert.equal(settings.document.isDirty, true);
    await settings.until('it is about the new object', ({ phase }) => phase === 'fresh');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'typed' });
  });

  it('A12: is not recreated where the name is taken by then', async () => {
    const settings = await openDirty();
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    const gate = makeGate();
    using held = fixture.proxy.inject(
      ({ method }) => method === 'POST',
      { kind: 'hold', until: gate.opened },
      1,
    );
    const recreating = vscode.commands.executeCommand('kubemerge.recreate', settings.uri);
    await held.first;
    await createAgain(settings, 'theirs');
    gate.open();
    await recreating;
    assert.deepEqual((await settings.live()).data, { mode: 'theirs' });
    assert.match(settings.text, /mode: mine/);
    assert.equal(settings.document.isDirty, true);
  });

  it('A11: and created anew is not written: the message says so, with both uids', async () => {
    const settings = await openDirty();
    const { text } = settings;
    const { uid } = settings.state;
    await settings.deleteByOther();
    const newUid = await createAgain(settings, 'theirs');
    await settings.until('recreated', ({ phase }) => phase === 'recreated');
    const { kind, message } = await settings.save();
    assert.equal(kind, 'recreated');
    assert.match(message, /was deleted and created anew/);
    assert.ok(message.includes(uid) && message.includes(newUid));
    assert.equal(fixture.puts(settings).length, 0);
    assert.deepEqual((await settings.live()).data, { mode: 'theirs' });
    assert.equal(settings.text, text);
    assert.equal(settings.document.isDirty, true);
  });

  it('A11: and created anew unseen is met by the save, whose PUT names the old uid', async () => {
    const target = await fixture.create(configMap({ mode: 'a' }));
    const gate = makeGate();
    using _watch = fixture.proxy.inject(isWatchOf(target), { kind: 'hold', until: gate.opened });
    const settings = await fixture.openUnwatched(target);
    const { uid } = settings.state;
    await settings.replace('mode: a', 'mode: mine');
    await settings.deleteByOther();
    await createAgain(settings, 'a');
    assert.equal((await settings.save()).kind, 'recreated');
    const [put, ...more] = fixture.puts(settings);
    assert.equal(more.length, 0);
    assert.equal(put?.status, 409);
    assert.equal(JSON.parse(put.body).metadata.uid, uid);
    assert.deepEqual((await settings.live()).data, { mode: 'a' });
    assert.equal(settings.document.isDirty, true);
    gate.open();
    await settings.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    assert.equal(settings.state.phase, 'recreated');
  });

  it('A12: that the watch has not told of yet is not created by the save', async () => {
    const settings = await openDirty();
    const gate = makeGate();
    using held = fixture.proxy.inject(isPutOf(settings), { kind: 'hold', until: gate.opened }, 1);
    const saving = settings.save();
    await held.first;
    await settings.deleteByOther();
    gate.open();
    assert.equal((await saving).kind, 'deleted');
    assert.equal(held.met[0]?.status, 404);
    assert.equal(await isThere(settings), false);
    assert.equal(settings.document.isDirty, true);
    assert.equal(settings.state.phase, 'deleted');
  });

  it('A11: is taken in its new form where the user reloads', async () => {
    const settings = await openDirty();
    await settings.deleteByOther();
    const newUid = await createAgain(settings, 'theirs');
    await settings.until('recreated', ({ phase }) => phase === 'recreated');
    await vscode.commands.executeCommand('kubemerge.reload', settings.uri);
    await settings.untilCurrent();
    assert.match(settings.text, /mode: theirs/);
    assert.equal(settings.state.uid, newUid);
    assert.equal(settings.state.phase, 'fresh');
    await settings.replace('mode: theirs', 'mode: ours');
    await settings.saveAndLand();
    assert.deepEqual((await settings.live()).data, { mode: 'ours' });
  });

  it('keeps its text where that is clean, and goes on where it comes back', async () => {
    const settings = await fixture.createAndOpen(configMap({ mode: 'a' }));
    const { text } = settings;
    await settings.deleteByOther();
    await settings.until('deleted', ({ phase }) => phase === 'deleted');
    assert.equal(settings.text, text);
    await createAgain(settings, 'theirs');
    await settings.until('recreated', ({ phase }) => phase === 'recreated');
    assert.equal(settings.text, text);
  });

  it('is gone once a save takes its last finalizer: no error, and nobody else is said to have deleted it', async () => {
    const object = configMap({ mode: 'a' });
    const held = { ...object.metadata, finalizers: ['test.kubemerge.example/hold'] };
    const settings = await fixture.createAndOpen({ ...object, metadata: held });
    await settings.deleteByOther();
    await settings.until('terminating', ({ phase }) => phase === 'terminating');
    await settings.replace(/ {2}finalizers:\n {2}- \S+\n/, '');
    const { kind, message } = await settings.save();
    assert.equal(kind, 'gone', message);
    assert.match(message, /^Saved: ConfigMap .* is gone now that its last finalizer is removed\.$/);
    assert.equal(await isThere(settings), false);
    assert.equal(settings.document.isDirty, false);
    assert.equal(settings.isTabDirty, false);
    assert.equal(settings.state.phase, 'deleted');
    assert.equal(fixture.puts(settings).length, 1);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(settings.uri)), /EntryNotFound/);
  });

  it('is gone, too, where the answer to that save is lost', async () => {
    const object = configMap({ mode: 'a' });
    const held = { ...object.metadata, finalizers: ['test.kubemerge.example/hold'] };
    const settings = await fixture.createAndOpen({ ...object, metadata: held });
    await settings.deleteByOther();
    await settings.until('terminating', ({ phase }) => phase === 'terminating');
    await settings.replace(/ {2}finalizers:\n {2}- \S+\n/, '');
    using _lost = fixture.proxy.inject(isPutOf(settings), { kind: 'cutAfter' }, 1);
    assert.equal((await settings.save()).kind, 'gone');
    assert.equal(await isThere(settings), false);
    assert.equal(settings.document.isDirty, false);
  });

  it('is terminating while a finalizer holds it, and can still be saved', async () => {
    const object = deployment();
    const web = await fixture.createAndOpen({
      ...object,
      metadata: { ...object.metadata, finalizers: ['test.kubemerge.example/hold'] },
    });
    await web.replace('replicas: 1', 'replicas: 2');
    await web.deleteByOther();
    const { foreign } = await web.until('terminating', ({ phase }) => phase === 'terminating');
    assert.deepEqual(foreign, []);
    await web.saveAndLand();
    assert.equal((await web.live()).spec.replicas, 2);
    await web.patch({ metadata: { finalizers: null } });
    await web.until('deleted', ({ phase }) => phase === 'deleted');
  });
});
