import type { Json } from '../json.ts';

interface Decimal {
  /** value = digits × 10^exponent × 2^twos */
  readonly digits: bigint;
  readonly exponent: number;
  readonly twos: number;
}

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const quantityText =
  /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:(?<suffix>[KMGTPE]i|[numkMGTPE]|)|[eE](?<exponent>[+-]?\d{1,3}))$/;

/** Longest quantity compared by value; longer ones compare as text. */
const maxQuantityLength = 64;

/**
 * True where both are Kubernetes quantities of one value, such as `500m`, `0.5` and the number 0.5.
 *
 * Source: apimachinery `resource.Quantity`.
 */
export function isSameQuantity(left: Json, right: Json): boolean {
  const [one, other] = [parseQuantity(left), parseQuantity(right)];
  if (one === undefined || other === undefined) return false;
  const exponent = Math.min(one.exponent, other.exponent);
  const twos = Math.min(one.twos, other.twos);
  return scaled(one, exponent, twos) === scaled(other, exponent, twos);
}

function scaled(value: Decimal, exponent: number, twos: number): bigint {
  return value.digits * 10n ** BigInt(value.exponent - exponent) * 2n ** BigInt(value.twos - twos);
}

function parseQuantity(value: Json): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  if (text.length > maxQuantityLength) return undefined;
  const groups = quantityText.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { sign = '', whole = '', fraction = '', suffix = '', exponent = '0' } = groups;
  if (whole + fraction === '') return undefined;
  const magnitude = BigInt(whole + fraction);
  return {
    digits: sign === '-' ? -magnitude : magnitude,
    exponent: Number(exponent) + (decimalSuffixes[suffix] ?? 0) - fraction.length,
    twos: binarySuffixes[suffix] ?? 0,
  };
}
