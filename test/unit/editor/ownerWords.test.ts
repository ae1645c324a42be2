import assert from 'node:assert/strict';
import { describeOwners } from '../../../src/editor/ownerWords.ts';

const nowMs = Date.parse('2024-05-01T10:00:30Z');
const by = (manager: string, more: { operation?: string; subresource?: string } = {}) => ({
  manager,
  operation: 'Update',
  time: '2024-05-01T10:00:00Z',
  ...more,
});

describe('describeOwners', () => {
  it('says who set a field, when and how', () => {
    assert.deepEqual(describeOwners([by('kubectl-edit')], false, nowMs), ['Set by kubectl-edit, 30 s ago']);
    assert.deepEqual(describeOwners([by('hpa', { subresource: 'scale' })], false, nowMs), [
      'Set by hpa, 30 s ago (through scale)',
    ]);
    assert.deepEqual(describeOwners([by('argocd', { operation: 'Apply' })], true, nowMs), [
      'Last changed in here by argocd, 30 s ago (server-side apply)',
    ]);
  });

  it('names the latest first and counts what would be too many', () => {
    const lines = describeOwners(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => by(name)),
      false,
      nowMs,
    );
    assert.equal(lines[0], 'Set by a, 30 s ago');
    assert.equal(lines[1], 'also by b, 30 s ago');
    assert.equal(lines.at(-1), 'and 2 more');
    assert.equal(lines.length, 7);
  });

  it('says nothing where nobody is on record', () => {
    assert.deepEqual(describeOwners([], false, nowMs), []);
  });
});
