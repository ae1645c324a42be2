import { isJsonArray, isJsonObject, type Json, jsonEqual } from '../../../../src/core/json.ts';

type Operation = Readonly<Record<string, Json>>;

/** A JSON Patch (RFC 6902) from one value to another; elements of lists are told by their index. */
export function jsonPatch(from: Json, to: Json, path = ''): readonly Operation[] {
  if (jsonEqual(from, to)) return [];
  if (isJsonArray(from) && isJsonArray(to)) return listOperations(from, to, path);
  if (!isJsonObject(from) || !isJsonObject(to)) return [{ op: 'replace', path, value: to }];
  const operations: Operation[] = [];
  for (const [key, value] of Object.entries(from)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const next = Object.hasOwn(to, key) ? to[key] : undefined;
    if (next === undefined) operations.push({ op: 'remove', path: at });
    else operations.push(...jsonPatch(value, next, at));
  }
  for (const [key, value] of Object.entries(to)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(from, key)) operations.push({ op: 'add', path: at, value });
  }
  return operations;
}

/** Skips what is equal at both ends, so that an inserted or removed element is one operation. */
function listOperations(from: readonly Json[], to: readonly Json[], path: string): readonly Operation[] {
  let start = 0;
  while (start < from.length && start < to.length && jsonEqual(from[start], to[start])) start++;
  let fromEnd = from.length;
  let toEnd = to.length;
  while (fromEnd > start && toEnd > start && jsonEqual(from[fromEnd - 1], to[toEnd - 1])) {
    fromEnd--;
    toEnd--;
  }
  const operations: Operation[] = [];
  const both = Math.min(fromEnd, toEnd);
  for (let index = start; index < both; index++) {
    operations.push(...jsonPatch(from[index] ?? null, to[index] ?? null, `${path}/${String(index)}`));
  }
  for (let index = fromEnd - 1; index >= both; index--) {
    operations.push({ op: 'remove', path: `${path}/${String(index)}` });
  }
  for (let index = both; index < toEnd; index++) {
    operations.push({ op: 'add', path: `${path}/${String(index)}`, value: to[index] ?? null });
  }
  return operations;
}
