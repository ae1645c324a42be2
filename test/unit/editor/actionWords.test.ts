import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeActionOutcome, describeNotOffered } from '../../../src/editor/actionWords.ts';
import { describeCreateOutcome } from '../../../src/editor/createWords.ts';
import { describeDryRun, describeSaveResult } from '../../../src/editor/notices.ts';

const ref = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};
const object = { kind: 'Deployment' };

describe('the words for a write that was denied', () => {
  const denied = {
    kind: 'rejected',
    code: 500,
    message: 'failed calling webhook',
    causes: [],
    denial: { kind: 'webhookFailed', name: 'guard.example.com' },
  } as const;

  it('say who denied it and what to do next, also where something is created, scaled or deleted', () => {
    const next = /the admission webhook guard\.example\.com failed.*whoever runs the webhook has to mend it/;
    assert.match(describeActionOutcome('scale', denied, ref, object).message, next);
    const { severity, message } = describeCreateOutcome(denied, ref, object);
    assert.equal(severity, 'error');
    assert.match(message, /^Not created: /);
    assert.match(message, next);
    const quota = { ...denied, denial: { kind: 'quota', name: 'small' } } as const;
    assert.match(describeCreateOutcome(quota, ref, object).message, /would exceed the quota small/);
  });

  it('H4: show no value that the server quotes of a Secret, but the names that it quotes otherwise', () => {
    const secretRef = { ...ref, gvr: { group: '', version: 'v1', resource: 'secrets' }, name: 'keys' };
    const quoting = {
      kind: 'rejected',
      code: 422,
      message: 'Invalid value: "swordfish"',
      causes: [],
    } as const;
    const warned = { kind: 'done', warnings: [quoting.message] } as const;
    const lost = { kind: 'unknown', message: quoting.message } as const;
    const context = { ref: secretRef, uri: 'k8s:/keys', nowMs: 0 };
    for (const { message } of [
      describeCreateOutcome(quoting, secretRef, {}),
      describeCreateOutcome(lost, secretRef, {}),
      describeActionOutcome('removeFinalizers', quoting, secretRef, {}),
      describeActionOutcome('removeFinalizers', warned, secretRef, {}),
      describeActionOutcome('removeFinalizers', lost, secretRef, {}),
      describeSaveResult(quoting, context),
      describeSaveResult(lost, context),
      describeDryRun(quoting, context),
    ]) {
      assert.match(message, /value: \(hidden\)/);
      assert.doesNotMatch(message, /swordfish/);
    }
    const missing = { kind: 'forbidden', message: 'User "viewer" cannot create resource "secrets"' } as const;
    assert.match(describeCreateOutcome(missing, secretRef, {}).message, /"viewer"/);
  });
});

describe('the words for an action on one object', () => {
  it('tell what is gone from what is being deleted', () => {
    const gone = describeActionOutcome('delete', { kind: 'done', warnings: [] }, ref, object);
    assert.deepEqual([gone.severity, gone.message], ['info', 'Deleted Deployment web in shop · prod.']);
    const held = { kind: 'done', warnings: [], isTerminating: true } as const;
    assert.equal(
      describeActionOutcome('delete', held, ref, object).message,
      'Deployment web in shop · prod is being deleted: it goes when what has to clean up after it is done.',
    );
    assert.match(
      describeActionOutcome('removeFinalizers', held, ref, object).message,
      /^Removed finalizers of/,
    );
  });

  it('tell who may undo it, where nobody was asked', () => {
    const keepers = [{ kind: 'autoscaler', name: 'scaler' }] as const;
    const { severity, message } = describeActionOutcome(
      'scale',
      { kind: 'done', warnings: [] },
      ref,
      object,
      keepers,
    );
    assert.equal(severity, 'warning');
    assert.match(
      message,
      /^Scaled Deployment web in shop · prod\. The horizontal pod autoscaler scaler sets/,
    );
  });

  it('say that nothing was done, and why', () => {
    const changed = describeActionOutcome('delete', { kind: 'changed' }, ref, object);
    assert.equal(
      changed.message,
      'Not deleted: Deployment web changed on the server meanwhile. Look at it, then try again.',
    );
    const { message } = describeNotOffered('scale', 'Deployment web', ref, 'You are not allowed to.');
    assert.equal(message, 'Not scaled: Deployment web in shop · prod. You are not allowed to.');
  });
});
