import assert from 'node:assert/strict';
import { impersonationHeaders } from '../../../src/cluster/credentials.ts';

describe('impersonation', () => {
  it('is said in headers, keys escaped', () => {
    const headers = impersonationHeaders({
      user: 'boss',
      uid: 'u',
      groups: ['a', 'b'],
      extra: { 'Example.com/Project (x)': ['p', 'q'] },
    });
    assert.deepEqual(headers, {
      'Impersonate-User': 'boss',
      'Impersonate-Uid': 'u',
      'Impersonate-Group': ['a', 'b'],
      'Impersonate-Extra-example.com%2Fproject%20%28x%29': ['p', 'q'],
    });
    assert.deepEqual(impersonationHeaders({ groups: [], extra: {} }), {});
  });
});
