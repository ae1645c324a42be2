import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { dropVersion } from '../../../../src/core/text/dropVersion.ts';

describe('a text without its version', () => {
  it('lacks the lines of its own metadata only', () => {
    const text =
      'data:\n  resourceVersion: "1" # mine\nmetadata:\n  name: a\n  resourceVersion: "7"\n  uid: u\n';
    assert.equal(dropVersion(text), 'data:\n  resourceVersion: "1" # mine\nmetadata:\n  name: a\n');
  });

  it('stays as it is where it cannot be read', () => {
    for (const text of ['a: [', 'metadata: 1\n', '']) assert.equal(dropVersion(text), text);
  });
});
