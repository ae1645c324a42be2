import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Json, type JsonObject, jsonEqual } from '../../../../src/core/json.ts';
import { compareKeys } from '../../../../src/core/text/keyOrder.ts';
import { parseTree } from '../../../../src/core/text/parseTree.ts';
import { printFlow, renderObject } from '../../../../src/core/text/renderObject.ts';

const numRuns = process.env['KUBEMERGE_LONG'] === undefined ? 2_000 : 50_000;

/** Pieces that mean something in YAML, joined at random. */
const piece = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '\t',
    ':',
    ': ',
    '#',
    ' #',
    '-',
    '- ',
    '---',
    '?',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&',
    '*',
    '!',
  ],
  ...[
    '|',
    '>',
    '%',
    '@',
    '`',
    "'",
    '"',
    '\\',
    '0',
    '1',
    'e',
    'x',
    '_',
    '.',
    'yes',
    'no',
    'null',
    '~',
    '<<',
    '=',
  ],
  ...[
    '\u0085',
    '\u2028',
    '\u007f',
    '\ufeff',
    'é',
    '😀',
    '\r',
    '\u0000',
    'on',
    '0o',
    '0b',
    '12:30',
    '2024-01-02',
  ],
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.constantFrom<Json>(null, true, false),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(text, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

function readRoot(source: string): Json | undefined {
  return parseTree(source).tree?.documents[0]?.root.value;
}

describe('what is printed', () => {
  it('reads back as the same object', () => {
    fc.assert(
      fc.property(object, (wanted: JsonObject) => {
        const printed = renderObject(wanted);
        assert.ok(jsonEqual(readRoot(printed), wanted), printed);
      }),
      { numRuns },
    );
  });

  it('reads back as the same value inside a flow collection', () => {
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('single' as const, 'double' as const, undefined),
        (wanted, quotes) => {
          const printed = `a: [${printFlow(wanted, { quotes })}]\n`;
          assert.ok(jsonEqual(readRoot(printed), { a: [wanted] }), printed);
        },
      ),
      { numRuns },
    );
  });

  it('orders any two keys the same way round', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        assert.equal(Math.sign(compareKeys(left, right)) + Math.sign(compareKeys(right, left)), 0);
        assert.equal(compareKeys(left, right) === 0, left === right);
      }),
      { numRuns },
    );
  });
});
