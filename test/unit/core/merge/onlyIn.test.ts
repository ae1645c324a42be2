import assert from 'node:assert/strict';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { findOnlyIn } from '../../../../src/core/merge/onlyIn.ts';
import type { Json } from '../../../../src/core/json.ts';

function only(form: Json, other: Json): string[] {
  return findOnlyIn(form, other).map(({ path }) => printFieldPath(path));
}

describe('what one form of an object has alone', () => {
  it('is named by its topmost field, in lists of one length by place', () => {
    const form = { spec: { metrics: [{ a: 1 }], ports: [{ port: 80, name: 'web' }], min: 1 } };
    const other = { spec: { ports: [{ port: 80 }], min: 2 } };
    assert.deepEqual(only(form, other), ['spec.metrics', 'spec.ports[0].name']);
  });

  it('is nothing where only the other has more, or a list is another', () => {
    assert.deepEqual(only({ a: [1, 2] }, { a: [1], b: 2 }), []);
  });
});
