import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { unfoldStringData } from '../../../../src/core/merge/secretData.ts';
import { mergeThreeWay } from '../../../../src/core/merge/threeWay.ts';
import { foldStringData } from '../../../../src/core/resource/editableObject.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Secret' });
const secret = (members: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', ...members });

/** Merges Secrets as the editor does. */
function merge(
  base: JsonObject,
  mine: JsonObject,
  live: JsonObject,
): { value: JsonObject; conflicts: readonly string[] } {
  const result = mergeThreeWay(foldStringData(base), foldStringData(mine), foldStringData(live), schema);
  return {
    value: unfoldStringData(result.value as JsonObject, mine),
    conflicts: result.conflicts.map(({ path }) => printFieldPath(path)),
  };
}

describe('unfoldStringData', () => {
  const base = secret({ data: { user: 'YWRtaW4=', word: 'b2xk' } });

  it('H1: keeps what mine wrote in stringData there, and other keys byte for byte', () => {
    const mine = secret({ data: { user: 'YWRtaW4=', word: 'b2xk' }, stringData: { word: 'new' } });
    assert.deepEqual(merge(base, mine, base), { value: mine, conflicts: [] });
  });

  it('keeps a key that mine moved from data to stringData out of data', () => {
    const mine = secret({ data: { user: 'YWRtaW4=' }, stringData: { word: 'new' } });
    const live = secret({ data: { user: 'cm9vdA==', word: 'b2xk' } });
    assert.deepEqual(
      merge(base, mine, live).value,
      secret({ data: { user: 'cm9vdA==' }, stringData: { word: 'new' } }),
    );
  });

  it('sees an edit in stringData and one in data as edits of one key', () => {
    const mine = secret({ data: { user: 'YWRtaW4=' }, stringData: { word: 'new' } });
    const live = secret({ data: { user: 'YWRtaW4=', word: 'bGl2ZQ==' } });
    assert.deepEqual(merge(base, mine, live), { value: base, conflicts: ['data.word'] });
  });

  it('sees the same value in stringData and in data as equal', () => {
    const mine = secret({ data: { user: 'YWRtaW4=' }, stringData: { word: 'new' } });
    const live = secret({ data: { user: 'YWRtaW4=', word: 'bmV3' } });
    assert.deepEqual(merge(base, mine, live), { value: mine, conflicts: [] });
  });

  it('keeps an empty stringData, and leaves other kinds alone', () => {
    const mine = secret({ data: { user: 'YWRtaW4=', word: 'b2xk' }, stringData: {} });
    assert.deepEqual(merge(base, mine, base).value, mine);
    const other = { apiVersion: 'v1', kind: 'Other', stringData: { a: 'b' } };
    assert.equal(unfoldStringData(other, other), other);
  });
});
