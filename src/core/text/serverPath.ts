import { isJsonArray, isJsonObject, type Json, printJson } from '../json.ts';
import type { FieldPath, PathSegment } from '../merge/fieldPath.ts';
import { findElement } from './locate.ts';

/** A field that a server's message names, as far as it is found in the object. */
export interface ResolvedPath {
  readonly path: FieldPath;
  readonly isExact: boolean;
}

/** Words of Go's JSON decoder for what it found. */
export type GoType = 'string' | 'number' | 'bool' | 'object' | 'array';

export interface FoundValue {
  readonly type: GoType;
  /** Of numbers: as it was sent. */
  readonly text?: string;
}

/**
 * Reads a field as servers write it: `spec.containers[0].image`, `metadata.annotations[example.com/x]`,
 * `.data.app.properties`, `spec.containers[name="app"]`, and `spec.template.spec.containers.image` of Go's
 * JSON decoder, which leaves indices out. Keys with dots are told apart by what the object holds.
 *
 * @param found what the value reads as, where the message says so: it picks the element
 * @returns the longest beginning that exists in `object`; list elements by index
 */
export function resolveServerPath(object: Json, field: string, found?: FoundValue): ResolvedPath {
  const text = field.replace(/^<nil>$/, '').replace(/^\./, '');
  return follow(object, text, found, []);
}

function follow(value: Json, rest: string, found: FoundValue | undefined, path: FieldPath): ResolvedPath {
  if (rest === '') return settle(value, found, path);
  if (isJsonArray(value)) return followList(value, rest, found, path);
  if (!isJsonObject(value)) return { path, isExact: false };
  const step = rest.startsWith('[') ? bracketKey(rest) : dottedKey(value, rest);
  if (step === undefined || !Object.hasOwn(value, step.key)) return { path, isExact: false };
  return follow(value[step.key] ?? null, step.rest, found, [...path, { kind: 'member', key: step.key }]);
}

/** Go names the map or list whose element is of the wrong type: look for that element. */
function settle(value: Json, found: FoundValue | undefined, path: FieldPath): ResolvedPath {
  if (found === undefined || isFound(value, found)) return { path, isExact: true };
  const children: [PathSegment, Json][] = isJsonArray(value)
    ? value.map((item, index) => [{ kind: 'index', index }, item])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, item]) => [{ kind: 'member', key }, item])
      : [];
  const wrong = children.find(([, item]) => isFound(item, found));
  return wrong === undefined ? { path, isExact: false } : { path: [...path, wrong[0]], isExact: true };
}

function isFound(value: Json, { type, text }: FoundValue): boolean {
  return goTypeOf(value) === type && (text === undefined || printJson(value) === text);
}

function followList(
  list: readonly Json[],
  rest: string,
  found: FoundValue | undefined,
  path: FieldPath,
): ResolvedPath {
  const bracket = rest.startsWith('[') ? bracketKey(rest) : undefined;
  if (bracket !== undefined) {
    const index = findElement(list, toSegment(bracket.key));
    if (index === undefined) return { path, isExact: false };
    return follow(list[index] ?? null, bracket.rest, found, [...path, { kind: 'index', index }]);
  }
  const tries = list.map((item, index) => follow(item, rest, found, [...path, { kind: 'index', index }]));
  const best = tries.find(({ isExact }) => isExact);
  return best ?? { path, isExact: false };
}

function bracketKey(rest: string): { key: string; rest: string } | undefined {
  const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(rest);
  const match = quoted ?? /^\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\]/.exec(rest);
  if (match === null) return undefined;
  return { key: match[1] ?? '', rest: rest.slice(match[0].length).replace(/^\./, '') };
}

/** The longest key of the object that the text begins with. */
function dottedKey(object: Json, rest: string): { key: string; rest: string } | undefined {
  if (!isJsonObject(object)) return undefined;
  let best: string | undefined;
  for (let end = nextEnd(rest, 0); end > 0; end = nextEnd(rest, end)) {
    const key = rest.slice(0, end);
    if (Object.hasOwn(object, key)) best = key;
    if (end === rest.length) break;
  }
  return best === undefined ? undefined : { key: best, rest: rest.slice(best.length).replace(/^\./, '') };
}

function nextEnd(rest: string, from: number): number {
  const end = rest.slice(from + 1).search(/[.[]/);
  return end < 0 ? rest.length : from + 1 + end;
}

function toSegment(inside: string): PathSegment {
  if (/^\d+$/.test(inside)) return { kind: 'index', index: Number(inside) };
  if (inside.startsWith('=')) return { kind: 'value', value: toScalar(inside.slice(1)) };
  const pairs = inside.match(/[^,=]+=(?:"(?:[^"\\]|\\.)*"|[^,]*)/g) ?? [];
  const keys = pairs.map((pair): [string, Json] => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), toScalar(pair.slice(equals + 1))];
  });
  return { kind: 'element', keys: Object.fromEntries(keys) };
}

function toScalar(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? text : (value as Json);
  } catch {
    return text;
  }
}

function goTypeOf(value: Json): GoType | undefined {
  if (value === null) return undefined;
  if (isJsonArray(value)) return 'array';
  switch (typeof value) {
    case 'object':
      return 'object';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'number';
  }
}
