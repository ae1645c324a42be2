import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'src');

/** The files of src/ that hold this, as paths below it. */
function filesWith(pattern: RegExp): readonly string[] {
  return globSync('**/*.ts', { cwd: source })
    .filter((file) => pattern.test(readFileSync(join(source, file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

describe('the way of a write', () => {
  it('H5: leads through the connection, which knows read-only and protected contexts', () => {
    assert.deepEqual(filesWith(/\bsendWrite\b/), [
      'cluster/clusterConnection.ts',
      'cluster/resourceWrites.ts',
    ]);
  });

  it('H5: is the only one: no other file names a method that changes something', () => {
    // A review of access stores nothing; a sign-in goes to its provider, not to a cluster.
    assert.deepEqual(filesWith(/method: '(?:PUT|PATCH|DELETE|POST)'/), [
      'cluster/accessReview.ts',
      'cluster/oidcProvider.ts',
      'cluster/resourceWrites.ts',
    ]);
  });

  it('H5: leaves by the one transport', () => {
    assert.deepEqual(filesWith(/new ClientRequest\(|https?\.request\(|\bawait fetch\(/), [
      'cluster/transport.ts',
    ]);
  });
});
