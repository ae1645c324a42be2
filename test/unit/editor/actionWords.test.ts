import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeActionOutcome, describeNotOffered } from '../../../src/editor/actionWords.ts';

const ref = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};
const object = { kind: 'Deployment' };

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
