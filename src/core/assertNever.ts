/**
 * Ends an exhaustive switch: the compiler rejects the call while a case is missing.
 *
 * @throws Error always, since a value got here that the types exclude
 */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
