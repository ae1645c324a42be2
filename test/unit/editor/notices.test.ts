import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldPath } from '../../../src/core/merge/fieldPath.ts';
import type { SaveResult } from '../../../src/core/session/saveResult.ts';
import { toSnapshot, toUid, type Uid } from '../../../src/core/resource/snapshot.ts';
import { describeOverturned, describeSaveResult, type NoticeContext } from '../../../src/editor/notices.ts';
import { fitNotice, printNotice } from '../../../src/editor/notice.ts';

const nowMs = Date.parse('2030-01-02T03:04:17Z');
const by = { manager: 'kubectl-edit', operation: 'Update', time: '2030-01-02T03:04:05Z' };
const replicas = path('spec', 'replicas');
const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7' },
};
const context: NoticeContext = {
  ref: {
    context: 'prod',
    namespace: 'shop',
    gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
    name: 'web',
  },
  uri: 'k8s:/prod/c/shop/apps/v1/deployments/web.k8s.yaml',
  nowMs,
  liveObject: object,
};
const secretContext: NoticeContext = {
  ...context,
  ref: { ...context.ref, gvr: { group: '', version: 'v1', resource: 'secrets' }, name: 'db' },
  liveObject: { ...object, kind: 'Secret' },
};

function path(...keys: readonly string[]): FieldPath {
  return keys.map((key) => ({ kind: 'member', key }));
}

function uid(text: string): Uid {
  const made = toUid(text);
  assert.ok(made);
  return made;
}

function committed(more: Partial<Extract<SaveResult, { kind: 'committed' }>> = {}): SaveResult {
  const response = toSnapshot(object);
  assert.ok(response);
  return { kind: 'committed', before: response, response, applied: [], altered: [], warnings: [], ...more };
}

function titles(result: SaveResult, where = context): string[] {
  return describeSaveResult(result, where).actions.map(({ title }) => title);
}

function words(result: SaveResult, where = context): string {
  return describeSaveResult(result, where).message;
}

describe('a save that was overturned', () => {
  it('says that it was a controller or a tool, or another window like this one', () => {
    const field = { path: replicas, before: 3, after: 4, isReverted: false };
    const words = (manager: string): string =>
      describeOverturned([{ ...field, by: { ...by, manager } }], context).message;
    assert.match(
      words('hpa'),
      /changed again by hpa, .* You saved 3, it now holds 4\. A controller or a tool/,
    );
    assert.match(words('kubemerge'), /saved with KubeMerge in another window/);
  });
});

describe('describeSaveResult', () => {
  it('is quiet about a save that did just what was asked', () => {
    const notice = describeSaveResult(committed(), context);
    assert.deepEqual(notice, {
      severity: 'quiet',
      message: 'Saved Deployment web in shop · prod.',
      actions: [],
    });
  });

  it('A2: tells which changes of others merged into the save, and whose and when', () => {
    const notice = describeSaveResult(
      committed({ applied: [{ path: replicas, before: 1, after: 2, by }] }),
      context,
    );
    assert.equal(notice.severity, 'info');
    assert.match(notice.message, /Merged in 1 field from kubectl-edit, 12 s ago: spec\.replicas\.$/);
  });

  it('names a field that the server changed, with both values', () => {
    const notice = describeSaveResult(
      committed({ altered: [{ path: replicas, before: 5, after: 3 }] }),
      context,
    );
    assert.equal(notice.severity, 'warning');
    assert.match(notice.message, /ignored or changed spec\.replicas: you wrote 5, it holds 3\.$/);
  });

  it('names all fields that the server changed, up to a few', () => {
    const altered = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ path: path('spec', key), before: 1 }));
    assert.match(words(committed({ altered })), /6 fields: spec\.a, spec\.b, spec\.c, spec\.d and 2 more\.$/);
  });

  it('H4: shows no value of a Secret that the server changed', () => {
    const altered = [{ path: path('data', 'password'), before: 'aHVudGVyMg==', after: 'YWRtaW4=' }];
    const message = words(committed({ altered }), secretContext);
    assert.match(message, /data\.password/);
    assert.doesNotMatch(message, /aHVudGVyMg|YWRtaW4/);
  });

  it("G1: shows the server's warnings", () => {
    const message = words(committed({ warnings: ['unknown field "spec.replicaz"'] }));
    assert.match(message, /Warning from the server: unknown field "spec\.replicaz"\.$/);
  });

  it('B13: names who changed a conflicting field and when, and offers merge, compare and reload', () => {
    const conflict = { path: replicas, base: 1, mine: 7, live: 5, by };
    const result: SaveResult = { kind: 'conflict', conflicts: [conflict] };
    assert.match(words(result), /^Not saved: .*kubectl-edit, 12 s ago.*spec\.replicas.*Your text is kept\.$/);
    assert.deepEqual(titles(result), ['Merge', 'Compare', 'Reload']);
  });

  it('B13: names who kept changing the object while it was being saved', () => {
    const result: SaveResult = { kind: 'preconditionFailed', attempts: 4 };
    const message = words(result, { ...context, foreign: [{ path: replicas, by }] });
    assert.match(message, /\(4 tries\), last by kubectl-edit, 12 s ago\./);
  });

  it('A11: shows both uids of an object that was recreated', () => {
    const result: SaveResult = { kind: 'recreated', uid: uid('old-uid'), liveUid: uid('new-uid') };
    assert.match(words(result), /created anew.*old-uid.*new-uid/);
    assert.doesNotMatch(titles(result).join(), /Save/);
  });

  it('A12: offers to recreate a deleted object, and nothing else', () => {
    assert.match(words({ kind: 'deleted' }), /Deployment web no longer exists in shop · prod\./);
    assert.deepEqual(titles({ kind: 'deleted' }), ['Recreate']);
  });

  it('G4: names the field of the first cause of a rejection, and never calls it a conflict', () => {
    const result: SaveResult = {
      kind: 'rejected',
      code: 422,
      message: 'Deployment.apps "web" is invalid',
      causes: [
        { field: 'spec.replicas', message: 'must be greater than or equal to 0' },
        { field: 'spec.template', message: 'Required value' },
      ],
    };
    assert.match(words(result), /spec\.replicas: must be greater than or equal to 0 \(and 1 more problem\)/);
    assert.doesNotMatch(words(result), /conflict/i);
  });

  it('G4: explains a field that cannot be changed, with the ways out, none of which deletes', () => {
    const rejected = (field: string, message: string): SaveResult => ({
      kind: 'rejected',
      code: 422,
      message: 'invalid',
      causes: [{ field, message }],
    });
    const selector = rejected('spec.selector', 'Invalid value: {}: field is immutable');
    assert.equal(
      words(selector),
      'Not saved: spec.selector of Deployment web cannot be changed once it exists. Revert what is marked, with ' +
        'the quick fix there, or create a copy that has the new value. Nothing is deleted for you. Your text is kept.',
    );
    assert.deepEqual(titles(selector), ['Create a Copy', 'Compare']);
    const pod = rejected(
      'spec',
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.tolerations`\n@@ -1 +1 @@',
    );
    assert.match(
      words(pod),
      /once Deployment web exists, only spec\.containers\[\*\]\.image and spec\.tolerations of its spec can be changed\./,
    );
    assert.doesNotMatch(words(pod), /@@/);
    const sealed = rejected('data', 'Forbidden: field is immutable when `immutable` is set');
    assert.match(words(sealed), /is immutable, for good: its data cannot be changed/);
  });

  it('H4: shows no value that the server quotes when it rejects a Secret', () => {
    const result: SaveResult = {
      kind: 'rejected',
      code: 422,
      message: 'Secret "db" is invalid: data[x]: Invalid value: "hunter2": no',
      causes: [],
    };
    assert.doesNotMatch(words(result, secretContext), /hunter2/);
    assert.match(words(result), /hunter2/);
  });

  it('does not say that anything was or was not saved when that is not known', () => {
    const result: SaveResult = { kind: 'unknown', message: 'The connection was reset.' };
    assert.match(
      words(result),
      /^It is not known whether Deployment web was saved: The connection was reset\. /,
    );
    assert.deepEqual(titles(result), ['Compare', 'Save Again']);
  });

  it('A7: is quiet when there was nothing to save', () => {
    const notice = describeSaveResult({ kind: 'unchanged', tookLive: false }, context);
    assert.equal(notice.severity, 'quiet');
    assert.match(notice.message, /^Nothing to save/);
  });

  it('I7: says that auto-save never writes to a cluster', () => {
    assert.match(words({ kind: 'autoSave' }), /auto-save never writes to a cluster/);
  });

  it('says of every refusal that the text is kept, in sentences on one line', () => {
    const message = 'something happened';
    const refusals: readonly SaveResult[] = [
      { kind: 'conflict', conflicts: [{ path: replicas, mine: 1, live: 2 }] },
      { kind: 'preconditionFailed', attempts: 1 },
      { kind: 'recreated', uid: uid('a'), liveUid: uid('b') },
      { kind: 'deleted' },
      { kind: 'invalidText', problems: [] },
      { kind: 'rejected', code: 400, message, causes: [] },
      { kind: 'alreadyExists', message },
      { kind: 'ownedByOther', message, fields: [{ field: '.spec.replicas', manager: 'hpa' }] },
      { kind: 'unauthenticated', message },
      { kind: 'forbidden', message },
      { kind: 'throttled', message },
      { kind: 'notSent', message },
      { kind: 'unknown', message },
      { kind: 'readOnly', message },
      { kind: 'baseUnknown', resourceVersion: '5' },
      { kind: 'cancelled' },
    ];
    for (const result of refusals) {
      const text = words(result);
      assert.match(text, /text.* is kept\.$/, text);
      assert.doesNotMatch(text, /\n|undefined|\.\.|:\s*\./, text);
    }
  });
});

describe('printNotice', () => {
  it('I3: makes one line with a working command link for each action', () => {
    const notice = describeSaveResult(
      { kind: 'conflict', conflicts: [{ path: replicas, mine: 1, live: 2 }] },
      context,
    );
    const line = printNotice(notice);
    const links = [...line.matchAll(/\[([^\]]+)\]\(command:([\w.]+)\?([^)]+)\)/g)];
    assert.deepEqual(
      links.map(([, title, command]) => [title, command]),
      [
        ['Merge', 'kubemerge.merge'],
        ['Compare', 'kubemerge.compareWithLive'],
        ['Reload', 'kubemerge.reload'],
      ],
    );
    for (const [, , , args = ''] of links)
      assert.deepEqual(JSON.parse(decodeURIComponent(args)), [context.uri]);
  });
});

describe('fitNotice', () => {
  const message = `long ${'word '.repeat(500)}`;
  const merge = { title: 'Merge', command: 'kubemerge.merge', arguments: [context.uri] } as const;

  it('cuts a long message to what VS Code shows, with its links, and keeps all of it', () => {
    const kept: string[] = [];
    const fitted = fitNotice({ severity: 'error', message, actions: [merge] }, (whole) => {
      kept.push(whole);
      return '7';
    });
    const line = printNotice(fitted);
    assert.ok(line.length < 1000, String(line.length));
    assert.match(
      line,
      /…\s\[Show Full Message\]\(command:kubemerge\.showFullMessage\?%5B%227%22%5D\) · \[Merge\]\(/,
    );
    assert.deepEqual(kept, [message]);
  });

  it('leaves what is short, and what is for the status bar, as it is', () => {
    const keep = (): string => assert.fail('nothing is kept');
    for (const notice of [
      { severity: 'error', message: 'short', actions: [merge] },
      { severity: 'quiet', message, actions: [] },
    ] as const) {
      assert.equal(fitNotice(notice, keep), notice);
    }
  });
});
