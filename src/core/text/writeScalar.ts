import type { Json } from '../json.ts';
import { readsAsString } from './plainScalar.ts';

export type Scalar = null | boolean | number | bigint | string;
export type Quotes = 'single' | 'double';

/** Where a scalar is written: in flow collections more characters have a meaning. */
export interface ScalarPlace {
  readonly inFlow: boolean;
}

/** A scalar on one line, quoted as kubectl quotes it where kubectl would not read it back the same. */
export function printScalar(value: Scalar, place: ScalarPlace): string {
  if (typeof value !== 'string') return printNumberOrWord(value);
  if (!readsAsString(value)) return quoteDouble(value);
  if (isPlainSafe(value, place)) return value;
  return canQuoteSingle(value) ? quoteSingle(value) : quoteDouble(value);
}

/** A string in the quotes asked for, double ones where single ones cannot hold it. */
export function printQuoted(value: string, quotes: Quotes): string {
  return quotes === 'single' && canQuoteSingle(value) ? quoteSingle(value) : quoteDouble(value);
}

export function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== 'object';
}

/** Negative zero is printed as zero: JSON texts of the server have none. */
function printNumberOrWord(value: null | boolean | number | bigint): string {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  // Shorter digits would read as another integer; from 1e21 on there is an exponent.
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(BigInt(value)) : String(value);
}

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** Indicators, spaces at the ends, `: `, ` #` and document markers need quotes. */
const unsafePlain = /^[-?:](?:[\s]|$)|^[,[\]{}#&*!|>'"%@`\s]|^(?:---|\.\.\.)|[:\s]$|:\s|\s#/;
const unsafeInFlow = /[,[\]{}?]|^[-:]/;

function isPlainSafe(value: string, { inFlow }: ScalarPlace): boolean {
  if (value === '' || unprintable.test(value) || unsafePlain.test(value)) return false;
  return !inFlow || !unsafeInFlow.test(value);
}

function canQuoteSingle(value: string): boolean {
  return !unprintable.test(value);
}

function quoteSingle(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
};

/** Escapes are those that JSON has too, so that a JSON text stays one. */
function quoteDouble(value: string): string {
  const escaped = value.replace(
    /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/gu,
    (unit) => escapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** A block scalar: its header, and its lines without indentation. */
export interface LiteralBlock {
  readonly header: string;
  readonly lines: readonly string[];
}

/**
 * A string of several lines as a literal block.
 *
 * @param indentStep spaces by which the lines are indented below the parent, for the header's digit
 * @returns undefined where a literal block would not read back the same
 */
export function toLiteral(value: string, indentStep: number): LiteralBlock | undefined {
  if (!canBeLiteral(value)) return undefined;
  const breaks = /\n*$/.exec(value)?.[0].length ?? 0;
  const chomping = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const lines = value.split('\n');
  if (breaks > 0) lines.pop();
  const firstFilled = lines.find((line) => line !== '') ?? '';
  const digit = firstFilled.startsWith(' ') ? String(indentStep) : '';
  if (digit !== '' && (indentStep < 1 || indentStep > 9)) return undefined;
  return { header: `|${digit}${chomping}`, lines };
}

/** Line breaks other than `\n`, and tabs or blanks where the indentation is found, do not survive. */
function canBeLiteral(value: string): boolean {
  if (/[^\n\t\P{Cc}]|[\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u.test(value)) return false;
  const firstFilled = value.split('\n').find((line) => line !== '') ?? '';
  return /\S/.test(firstFilled) && !firstFilled.startsWith('\t');
}
