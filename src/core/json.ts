/** A JSON value; integers that a double cannot hold exactly are bigints. */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

interface ReviverContext {
  readonly source?: string;
}

const longDigits = /\d{16}/;

/**
 * Parses JSON text without losing integers beyond 2^53 (issue case C3).
 *
 * @throws SyntaxError for text that is not JSON
 * Source: JSON.parse source text access, Node 22 and later.
 */
export function parseJson(text: string): Json {
  if (!longDigits.test(text)) return JSON.parse(text) as Json;
  const revive = (_key: string, value: unknown, context?: ReviverContext): unknown =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    context?.source !== undefined &&
    /^-?\d+$/.test(context.source)
      ? BigInt(context.source)
      : value;
  return JSON.parse(text, revive) as Json;
}

/** Prints compact JSON; bigints are printed as plain integers. */
export function printJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(printJson).join(',')}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`);
  return `{${members.join(',')}}`;
}

export function isJsonArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality; member order does not count, and a bigint equals the same number. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => jsonEqual(item, right[index]))
    );
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return false;
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
    );
  }
  if (typeof left === 'bigint' && typeof right === 'number') return isSameInteger(left, right);
  return typeof left === 'number' && typeof right === 'bigint' && isSameInteger(right, left);
}

function isSameInteger(integer: bigint, number: number): boolean {
  return Number.isInteger(number) && BigInt(number) === integer;
}

/** The value at a chain of member names, or undefined where one is missing. */
export function memberAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let current = value;
  for (const key of keys) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** A copy of `object` with the member set, or removed where `value` is undefined. Order is kept. */
export function withMember(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return defineMembers([...Object.entries(object), [key, value]]);
  return defineMembers(Object.entries(object).filter(([name]) => name !== key));
}

/** An object of these members, later ones winning; `__proto__` is a member like any other. */
export function defineMembers(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}
