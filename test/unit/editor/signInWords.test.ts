import assert from 'node:assert/strict';
import { Emitter } from '../../../src/core/lifecycle.ts';
import type { Liveness } from '../../../src/core/session/sessionView.ts';
import type { LiveDocument } from '../../../src/editor/liveDocuments.ts';
import type { Notice } from '../../../src/editor/notice.ts';
import { promptForSignIn } from '../../../src/editor/signInPrompt.ts';
import { describeSignIn, describeTokenRotation } from '../../../src/editor/signInWords.ts';

const issuer = 'https://issuer.example.com';

describe('words about a sign-in', () => {
  it('say of a replaced refresh token where it is kept, and that the kubeconfig is as it was', () => {
    const kept = describeTokenRotation({ userName: 'frieda', issuer, isKept: true });
    assert.equal(kept.severity, 'info');
    assert.match(kept.message, /^https:\/\/issuer\.example\.com renewed the sign-in of frieda/);
    assert.match(
      kept.message,
      /kept in VS Code’s secret storage; the kubeconfig is unchanged, and kubectl may/,
    );
    const lost = describeTokenRotation({ userName: 'frieda', issuer, isKept: false });
    assert.equal(lost.severity, 'warning');
    assert.match(lost.message, /did not take the new one, so that it is lost when VS Code closes/);
  });

  it('offer another try where it failed, and none where it was given up', () => {
    const failed = describeSignIn('prod', { kind: 'unauthenticated', message: 'the plugin failed' });
    assert.match(failed.message, /^Not signed in to prod: /);
    assert.deepEqual(
      failed.actions.map(({ title }) => title),
      ['Try Again'],
    );
    assert.deepEqual(describeSignIn('prod', { kind: 'aborted' }).actions, []);
  });
});

describe('the question for a sign-in', () => {
  type Changed = Parameters<Parameters<typeof promptForSignIn>[0]['find']>[0];
  const uri = (name: string): Changed => ({ path: name }) as unknown as Changed;

  it('B10: comes once for a context, however many documents of it are refused, and again after it was live', () => {
    const changes = new Emitter<Changed>();
    const documents = new Map<string, { context: string; liveness: Liveness }>();
    const shown: Notice[] = [];
    const prompt = promptForSignIn(
      {
        onDidChangeState: changes.event as Parameters<typeof promptForSignIn>[0]['onDidChangeState'],
        find: ({ path }) => {
          const document = documents.get(path);
          if (document === undefined) return undefined;
          const { context, liveness } = document;
          return { ref: { context }, view: { liveness } } as unknown as LiveDocument;
        },
      },
      { show: (notice) => void shown.push(notice) },
    );
    const set = (name: string, context: string, liveness: Liveness): void => {
      documents.set(name, { context, liveness });
      changes.fire(uri(name));
    };
    const refused = { kind: 'notWatched', reason: 'the token has expired', needsSignIn: true } as const;
    set('a', 'prod', refused);
    set('b', 'prod', refused);
    set('a', 'prod', refused);
    assert.equal(shown.length, 1);
    assert.match(shown[0]?.message ?? '', /^prod accepts your sign-in no more, .*: the token has expired\. /);
    assert.deepEqual(
      shown[0]?.actions.map(({ title }) => title),
      ['Sign In'],
    );
    set('c', 'dev', refused);
    assert.equal(shown.length, 2);
    set('d', 'test', { kind: 'notWatched', reason: 'you may not watch it' });
    assert.equal(shown.length, 2);
    set('a', 'prod', { kind: 'live' });
    set('a', 'prod', refused);
    assert.equal(shown.length, 3);
    prompt.dispose();
    set('e', 'other', refused);
    assert.equal(shown.length, 3);
  });
});
