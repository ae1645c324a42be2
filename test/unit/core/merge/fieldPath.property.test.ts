import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual, parseJson } from '../../../../src/core/json.ts';
import { type FieldPath, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { parseFieldPath } from '../../../../src/core/merge/parseFieldPath.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\w=,."[\]{}/\\ -]{0,6}$/),
  fc.constantFrom('', '0', '12', 'null', 'true', '1e3', 'a=b', '[', 'example.com/x', '__proto__'),
);
const scalar = fc.oneof(text, fc.integer(), fc.bigInt(2n ** 60n, 2n ** 70n), fc.boolean(), fc.constant(null));
// Doubles beyond 2^53 that print as integers never come from JSON text: they are read as bigints.
const json = fc
  .json()
  .filter((printed) => !/\d{16}|\de/.test(printed))
  .map(parseJson);
const value = fc.oneof(scalar, json);
const segment: fc.Arbitrary<FieldPath[number]> = fc.oneof(
  fc.record({ kind: fc.constant('member' as const), key: text }),
  fc.record({
    kind: fc.constant('element' as const),
    keys: fc.dictionary(text, scalar).map((keys) => ({ ...keys })),
  }),
  fc.record({ kind: fc.constant('value' as const), value }),
  fc.record({ kind: fc.constant('index' as const), index: fc.nat() }),
);

describe('field paths', () => {
  it('are read back as they were printed, whatever keys and values they hold', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (path) => {
        const read = parseFieldPath(printFieldPath(path));
        assert.ok(jsonEqual(read, path), printFieldPath(path));
      }),
      { numRuns: 5_000 },
    );
  });
});
