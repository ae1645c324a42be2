import type { Json } from '../json.ts';
import { maxInt64, notFinite, readPlain } from './plainScalar.ts';
import type { ScalarNode } from './yamlTree.ts';

/** What a scalar reads as, or why it cannot be read. */
export type ScalarReading =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'problem'; readonly code: string; readonly message: string };

type ScalarSource = Pick<ScalarNode, 'style' | 'source' | 'tag'>;

const tagPrefix = 'tag:yaml.org,2002:';

/**
 * Reads a scalar as kubectl does, by its style, characters and tag.
 * Source: go.yaml.in/yaml/v2 `decoder.scalar` and `resolve`.
 */
export function readScalar({ style, source, tag }: ScalarSource): ScalarReading {
  const isPlain = style === 'plain' || style === 'empty';
  if (tag === undefined) return isPlain ? checked(source) : value(source);
  // Among others the non-specific tag `!`.
  if (!tag.startsWith(tagPrefix)) return value(source);
  const name = tag.slice(tagPrefix.length);
  switch (name) {
    case 'binary':
      return decodeBase64(source);
    case 'int':
    case 'float':
    case 'bool':
    case 'null':
      return readAs(name, source);
    case 'timestamp':
      return /^\d{4}-/.test(source) ? value(source) : problem('badTag', `"${source}" is not a time.`);
    default:
      return value(source);
  }
}

/** Whether this spells a number in another way than the server prints it: octal, hexadecimal, with `_`. */
export function isOddSpelling({ style, source, tag }: ScalarSource, reading: Json): boolean {
  if (style !== 'plain' || (typeof reading !== 'number' && typeof reading !== 'bigint')) return false;
  return tag === undefined && (/^[-+]?0[\doObBxX]/.test(source) || source.includes('_'));
}

function readAs(name: 'int' | 'float' | 'bool' | 'null', source: string): ScalarReading {
  const reading = readPlain(source);
  const isFloat = typeof reading === 'number' && !/^[-+]?(?:\d[\d_]*|0[xobXOB][\da-fA-F_]+)$/.test(source);
  const isNumber = typeof reading === 'number' || typeof reading === 'bigint';
  const fits = {
    int: isNumber && !isFloat,
    float: isNumber || reading === notFinite,
    bool: typeof reading === 'boolean',
    null: reading === null,
  };
  if (fits[name]) return checked(source);
  return problem('badTag', `"${source}" cannot be read as !!${name}. Correct the value, or remove the tag.`);
}

function checked(source: string): ScalarReading {
  const reading = readPlain(source);
  if (reading === notFinite) {
    return problem(
      'notFinite',
      `${source} is not a number that can be sent. Quote it if it is meant as a text.`,
    );
  }
  if (typeof reading === 'bigint' && !survives(reading)) {
    return problem(
      'integerTooLarge',
      `${source} does not fit into 64 bits: the server would round it. Quote it if it is meant as a text.`,
    );
  }
  return value(reading);
}

/** Whether the server keeps this integer: as int64, or as a float that prints with the same digits. */
function survives(integer: bigint): boolean {
  if (integer <= maxInt64 && integer >= -maxInt64 - 1n) return true;
  if (BigInt(Number(integer)) === integer) return true;
  const [mantissa = '', exponent = ''] = Number(integer).toExponential().split('e');
  const length = Number(exponent) + (integer < 0n ? 2 : 1);
  return BigInt(mantissa.replace('.', '').padEnd(length, '0')) === integer;
}

function decodeBase64(source: string): ScalarReading {
  const compact = source.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(compact)) {
    return problem('badTag', 'This !!binary value is not base64.');
  }
  const bytes = Uint8Array.from(atob(compact), (unit) => unit.charCodeAt(0));
  return value(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

function value(read: Json): ScalarReading {
  return { kind: 'value', value: read };
}

function problem(code: string, message: string): ScalarReading {
  return { kind: 'problem', code, message };
}
