import assert from 'node:assert/strict';
import { parseWarnings } from '../../../src/cluster/warningHeader.ts';

describe('warning headers', () => {
  it('are texts, with their escapes and characters undone', () => {
    const header =
      '299 - "unknown field \\"spec.x\\"", 299 - "Gr\u00c3\u00bc\u00c3\u009fe" "Wed, 21 Oct 2015 07:28:00 GMT"';
    assert.deepEqual(parseWarnings(header), ['unknown field "spec.x"', 'Grüße']);
  });

  it("of other codes are not the API server's", () => {
    assert.deepEqual(parseWarnings('110 cache "stale", 299 - "kept"'), ['kept']);
    assert.deepEqual(parseWarnings(undefined), []);
  });
});
