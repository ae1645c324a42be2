import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual, memberAt, parseJson, printJson, withMember } from '../../../src/core/json.ts';

describe('JSON', () => {
  it('C3: keeps integers beyond 2^53, as they were written', () => {
    const text = '{"n":9007199254740993,"m":-9223372036854775808,"s":"9007199254740993","f":0.1}';
    assert.equal(printJson(parseJson(text)), text);
    assert.equal(memberAt(parseJson(text), 'n'), 9007199254740993n);
  });

  it('prints what it parsed, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.equal(printJson(parseJson(text)), text);
      }),
    );
  });

  it('keeps every integer of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        assert.equal(printJson(parseJson(`[${integer}]`)), `[${integer}]`);
      }),
    );
  });

  it('takes __proto__ for a member like any other', () => {
    const value = parseJson('{"__proto__":{"a":1},"b":2}');
    assert.equal(printJson(value), '{"__proto__":{"a":1},"b":2}');
    assert.ok(jsonEqual(value, parseJson('{"b":2,"__proto__":{"a":1}}')));
    assert.ok(!jsonEqual(value, parseJson('{"b":2}')));
  });

  it('compares a bigint with the number of the same value', () => {
    assert.ok(jsonEqual(5n, 5));
    assert.ok(!jsonEqual(5n, 5.5));
    assert.ok(!jsonEqual(9007199254740993n, 9007199254740992));
    assert.ok(!jsonEqual('5', 5));
    assert.ok(!jsonEqual(0n, false));
  });

  it('ignores the order of members, not that of items', () => {
    assert.ok(jsonEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }));
    assert.ok(!jsonEqual([1, 2], [2, 1]));
  });

  it('replaces a member in its place, and removes it', () => {
    assert.equal(printJson(withMember({ a: 1, b: 2 }, 'a', 3)), '{"a":3,"b":2}');
    assert.equal(printJson(withMember({ a: 1, b: 2 }, 'a', undefined)), '{"b":2}');
  });
});
