import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type LiveFixture, openLiveFixture } from './liveFixture.ts';

describe('saving a live document', () => {
  let fixture: LiveFixture;
  let path: string;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    path = `/apis/apps/v1/namespaces/${fixture.namespace}/deployments`;
    await fixture.other.create(path, deployment('web'));
    fixture.proxy.requests.length = 0;
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fixture.other.delete(`${path}/web`);
  });

  it('A3: sends the version and uid that it opened on, and the next save goes on from the response', async () => {
    const web = await fixture.open(fixture.ref('deployments', 'web'));
    const { baseVersion, uid } = web.state;
    await web.replace('replicas: 1', 'replicas: 2');
    const first = await web.save();
    assert.equal(first.kind, 'committed', first.message);
    const [put] = fixture.puts();
    assert.ok(put);
    const sent = JSON.parse(put.body) as { metadata: { resourceVersion: string; uid: string } };
    assert.equal(sent.metadata.resourceVersion, baseVersion);
    assert.equal(sent.metadata.uid, uid);
    const live = await fixture.other.get(`${path}/web`);
    assert.equal(live.spec.replicas, 2);

    await web.untilText('the text names the response', (text) =>
      text.includes(live.metadata.resourceVersion),
    );
    assert.equal(web.document.isDirty, false);
    await web.replace('replicas: 2', 'replicas: 3');
    const second = await web.save();
    assert.equal(second.kind, 'committed', second.message);
    assert.equal((await fixture.other.get(`${path}/web`)).spec.replicas, 3);
    assert.equal(fixture.puts().length, 2);
  });
});

function deployment(name: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'app', image: 'web:0' }] },
      },
    },
  };
}
