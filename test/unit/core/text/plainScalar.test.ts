import assert from 'node:assert/strict';
import {
  notFinite,
  type PlainReading,
  readPlain,
  readPlainKey,
  readsAsString,
} from '../../../../src/core/text/plainScalar.ts';

/** What kubectl 1.37.1 reads; checked with go.yaml.in/yaml/v2 2.4.2 over some 50,000 random scalars too. */
const readings: readonly (readonly [source: string, reading: PlainReading, key?: string | undefined])[] = [
  ['yes', true, 'true'],
  ['Yes', true, 'true'],
  ['YES', true, 'true'],
  ['yEs', 'yEs', 'yEs'],
  ['on', true, 'true'],
  ['y', true, 'true'],
  ['no', false, 'false'],
  ['Off', false, 'false'],
  ['n', false, 'false'],
  ['N', false, 'false'],
  ['True', true, 'true'],
  ['', null],
  ['~', null],
  ['null', null],
  ['NULL', null],
  ['0644', 420, '420'],
  ['0o644', 420, '420'],
  ['0O17', 15, '15'],
  ['0b101', 5, '5'],
  ['0899', 899, '899'],
  ['0x1F', 31, '31'],
  ['+0x1', 1, '1'],
  ['-0b11', -3, '-3'],
  ['0b-0', 0, '0'],
  ['0b+1', 1, '1'],
  ['1_000', 1000, '1000'],
  ['1_', 1, '1'],
  ['_1', '_1', '_1'],
  ['12:30', '12:30', '12:30'],
  ['1:2:3', '1:2:3', '1:2:3'],
  ['2024-01-02', '2024-01-02', '2024-01-02'],
  ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z'],
  ['1e3', 1000, '1000'],
  ['1.0', 1, '1'],
  ['1.10', 1.1, '1.1'],
  ['.5', 0.5, '0.5'],
  ['.1_0', 0.1, '0.1'],
  ['1e6', 1_000_000, '1e+06'],
  ['1000000', 1_000_000, '1000000'],
  ['1.123456789', 1.123456789, '1.1234568'],
  ['.', '.', '.'],
  ['e-07', 'e-07', 'e-07'],
  ['1e400', '1e400', '1e400'],
  ['1e-400', 0, '0'],
  ['9007199254740993', 9007199254740993n, '9007199254740993'],
  ['-9223372036854775808', -(2n ** 63n), '-9223372036854775808'],
  ['18446744073709551615', 18446744073709551615n, undefined],
  ['.inf', notFinite, '.inf'],
  ['-.Inf', notFinite, '-.inf'],
  ['.nan', notFinite, '.nan'],
  ['=', '=', '='],
  ['<<', '<<', '<<'],
  ['100m', '100m', '100m'],
  ['0x', '0x', '0x'],
  ['0b', '0b', '0b'],
  ['08_1', 81, '81'],
];

describe('a scalar without quotes', () => {
  for (const [source, reading, key] of readings) {
    it(`reads ${JSON.stringify(source)} as ${typeof reading === 'symbol' ? 'not finite' : `${typeof reading} ${String(reading)}`}`, () => {
      assert.equal(readPlain(source), reading);
      assert.equal(readPlainKey(source), key);
    });
  }

  it('has to be quoted where any reader would not take it for a string', () => {
    for (const text of [
      'yes',
      '0644',
      '1e3',
      'null',
      '12:30',
      '2024-01-02',
      '0o14',
      '1_0',
      '0b1',
      '=',
      '<<',
      '.',
      '',
    ]) {
      assert.equal(readsAsString(text), false, text);
    }
    for (const text of ['web', '100m', '1.2.3.4x', 'a1', '10.0.0.1/24', 'v1', '--x', '5s', 'http://x']) {
      assert.equal(readsAsString(text), true, text);
    }
  });
});
