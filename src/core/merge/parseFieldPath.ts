import { type Json, parseJson } from '../json.ts';
import type { FieldPath, PathSegment } from './fieldPath.ts';

/**
 * Reads a path that `printFieldPath` printed.
 *
 * @returns undefined for text of another form
 */
export function parseFieldPath(text: string): FieldPath | undefined {
  const scanner = new PathScanner(text);
  const path: PathSegment[] = [];
  while (!scanner.isAtEnd) {
    const segment = scanner.take('[') ? readBracket(scanner) : readPlainMember(scanner, path.length === 0);
    if (segment === undefined) return undefined;
    path.push(segment);
  }
  return path;
}

function readPlainMember(scanner: PathScanner, isFirst: boolean): PathSegment | undefined {
  if (!isFirst && !scanner.take('.')) return undefined;
  const key = scanner.match(/[A-Za-z_][\w-]*/y);
  return key === undefined ? undefined : { kind: 'member', key };
}

function readBracket(scanner: PathScanner): PathSegment | undefined {
  if (scanner.take('=')) {
    const value = readValue(scanner);
    return value === undefined || !scanner.take(']') ? undefined : { kind: 'value', value };
  }
  if (scanner.take(']')) return { kind: 'element', keys: {} };
  const index = scanner.match(/\d+(?=\])/y);
  if (index !== undefined) return scanner.take(']') ? { kind: 'index', index: Number(index) } : undefined;
  const key = readKey(scanner);
  if (key === undefined) return undefined;
  if (scanner.take(']')) return { kind: 'member', key };
  return readElement(scanner, key);
}

function readElement(scanner: PathScanner, firstKey: string): PathSegment | undefined {
  const keys: [string, Json][] = [];
  for (let key: string | undefined = firstKey; key !== undefined; key = readKey(scanner)) {
    const value = scanner.take('=') ? readValue(scanner) : undefined;
    if (value === undefined) return undefined;
    keys.push([key, value]);
    if (scanner.take(']')) return { kind: 'element', keys: Object.fromEntries(keys) };
    if (!scanner.take(',')) return undefined;
  }
  return undefined;
}

function readKey(scanner: PathScanner): string | undefined {
  const quoted = scanner.match(quotedText);
  if (quoted === undefined) return scanner.match(/[^\s"[\]{},=]+/y);
  const key = tryParse(quoted);
  return typeof key === 'string' ? key : undefined;
}

function readValue(scanner: PathScanner): Json | undefined {
  const bare = scanner.match(/[^\s"[\]{},]+/y);
  if (bare !== undefined) return tryParse(bare) ?? (bare === 'null' ? null : bare);
  const text = scanner.matchJson();
  return text === undefined ? undefined : tryParse(text);
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const quotedText = /"(?:[^"\\]|\\.)*"/y;

class PathScanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#text.length;
  }

  take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  /** @param pattern sticky */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#position += found.length;
    return found;
  }

  /** Takes a JSON string, mapping or list. */
  matchJson(): string | undefined {
    const start = this.#position;
    let depth = 0;
    do {
      if (this.take('{') || this.take('[')) depth++;
      else if (this.take('}') || this.take(']')) depth--;
      else if (this.match(quotedText) === undefined && this.match(/[^"[\]{}]+/y) === undefined)
        return undefined;
    } while (depth > 0 && !this.isAtEnd);
    return this.#text.slice(start, this.#position);
  }
}
