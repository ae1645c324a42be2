/** What a scalar without quotes reads as. `notFinite` is `.inf` or `.nan`, which JSON cannot hold. */
export type PlainReading = null | boolean | number | bigint | string | typeof notFinite;

export const notFinite = Symbol('notFinite');

const words = new Map<string, null | boolean | typeof notFinite>([
  ['', null],
  ['~', null],
  ...spellings('null', null),
  ...['y', 'yes', 'on', 'true'].flatMap((word) => spellings(word, true)),
  ...['n', 'no', 'off', 'false'].flatMap((word) => spellings(word, false)),
  ...['.inf', '+.inf', '-.inf'].flatMap((word) => spellings(word, notFinite)),
  ['.nan', notFinite],
  ['.NaN', notFinite],
  ['.NAN', notFinite],
]);

const floatShape = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const dottedFloatShape = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;
const integerShape = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

/**
 * Reads a scalar written without quotes exactly as kubectl does: YAML 1.1 booleans and octals, `0o` too,
 * no base-60 numbers, times stay strings.
 * Source: go.yaml.in/yaml/v2 `resolve`, compared by fuzzing.
 */
export function readPlain(source: string): PlainReading {
  const word = words.get(source);
  if (word !== undefined) return word;
  const first = source.charAt(0);
  if (first === '.') return readFloat(source, dottedFloatShape) ?? source;
  if (!/[-+\d]/.test(first)) return source;
  const digits = source.replaceAll('_', '');
  return readInteger(digits) ?? readFloat(digits, floatShape) ?? readOddBinary(digits) ?? source;
}

/** Whether a string must be quoted to stay one, for kubectl and for readers of other YAML versions. */
export function readsAsString(text: string): boolean {
  return typeof readPlain(text) === 'string' && !otherReaders.test(text);
}

/** Base 60, times, the 1.1 value key, and the octal and merge spellings of either version. */
const otherReaders =
  /^(?:[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?|=|<<|[-+]?0[obx][\d_a-fA-F+-]*|[-+]?[.\d][\d_.]*(?:[eE][-+]?\d+)?)$/;

function readInteger(digits: string): number | bigint | undefined {
  const match = integerShape.exec(digits);
  if (match === null) return undefined;
  const [, sign = '', body = ''] = match;
  const magnitude = BigInt(/^0[0-7]/.test(body) ? `0o${body.slice(1)}` : body.toLowerCase());
  const value = sign === '-' ? -magnitude : magnitude;
  // A sign limits the range to int64; without one uint64 still reads exactly.
  if (value < minInt64 || value > (sign === '' ? maxUint64 : maxInt64)) return undefined;
  return toJsonInteger(value);
}

/** The range of an integer on the server: int64. */
export const maxInt64 = 2n ** 63n - 1n;

function toJsonInteger(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

function readFloat(digits: string, shape: RegExp): number | bigint | undefined {
  if (!shape.test(digits)) return undefined;
  // An integer too large for the server's integers keeps its digits here, so that nothing is rounded unseen.
  if (/^[-+]?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
    return BigInt(digits.replace(/^\+/, ''));
  }
  const value = Number(digits.replaceAll('_', ''));
  return Number.isFinite(value) ? value : undefined;
}

/** `0b-0`, `0b+1`, `-0b-1`: accepted by kubectl, by no one else. */
function readOddBinary(digits: string): number | bigint | undefined {
  const match = /^0b([-+])([01]+)$/.exec(digits);
  if (match === null) return undefined;
  const magnitude = BigInt(`0b${match[2] ?? ''}`);
  const value = match[1] === '-' ? -magnitude : magnitude;
  return value < minInt64 || value > maxInt64 ? undefined : toJsonInteger(value);
}

function spellings<T>(word: string, value: T): [string, T][] {
  const lower = word.toLowerCase();
  const letter = lower.search(/[a-z]/);
  const title = lower.slice(0, letter) + lower.charAt(letter).toUpperCase() + lower.slice(letter + 1);
  return [lower, title, lower.toUpperCase()].map((spelling) => [spelling, value]);
}

/**
 * The member name that a key without quotes becomes: `on` is `true`, `0644` is `420`, `1e6` is `1e+06`.
 *
 * @returns undefined where kubectl has no such key: null, and integers beyond int64
 * Source: sigs.k8s.io/yaml, `convertToJSONableObject`.
 */
export function readPlainKey(source: string): string | undefined {
  const reading = readPlain(source);
  if (reading === null) return undefined;
  if (reading === notFinite) return source.toLowerCase().replace('+', '');
  if (typeof reading === 'string' || typeof reading === 'boolean') return String(reading);
  const digits = source.replaceAll('_', '');
  const integer = readInteger(digits) ?? readOddBinary(digits);
  if (integer === undefined) return printFloat32(Number(reading));
  return integer > maxInt64 ? undefined : String(integer);
}

/** Go's shortest decimal of a 32-bit float, in its `g` form. */
function printFloat32(value: number): string {
  const single = Math.fround(value);
  if (single === 0) return Object.is(value, -0) || value < 0 ? '-0' : '0';
  if (!Number.isFinite(single)) return value > 0 ? '.inf' : '-.inf';
  const shortest = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((digits) => single.toExponential(digits))
    .find((text) => Math.fround(Number(text)) === single);
  const [mantissa = '', exponent = '0'] = (shortest ?? single.toExponential()).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(shortest));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
