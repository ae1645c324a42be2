import { type Json, printJson } from '../json.ts';

/** One step into an object. */
export type PathSegment =
  | { readonly kind: 'member'; readonly key: string }
  /** An element of a map list, by its list-map-keys. */
  | { readonly kind: 'element'; readonly keys: Readonly<Record<string, Json>> }
  /** An element of a set list, by its value. */
  | { readonly kind: 'value'; readonly value: Json }
  /** An element of an atomic list, where there is nothing better to name it by. */
  | { readonly kind: 'index'; readonly index: number };

/** From the object's root to a field. */
export type FieldPath = readonly PathSegment[];

const plainKey = /^[A-Za-z_][\w-]*$/;
const bareKey = /^[^\s"[\]{},=]+$/;
const bareValue = /^[^\s"[\]{},]+$/;

/**
 * Prints a path as kubectl does: `spec.template.spec.containers[name=app].image`,
 * `metadata.annotations[example.com/owner]`, `metadata.finalizers[=x]`, `spec.args[0]`.
 * A key or text that could be read as something else is quoted as in JSON: `data["0"]`, `[name="80"]`.
 */
export function printFieldPath(path: FieldPath): string {
  let text = '';
  for (const segment of path) {
    if (segment.kind === 'member' && plainKey.test(segment.key)) {
      text += text === '' ? segment.key : `.${segment.key}`;
    } else {
      text += `[${printSegment(segment)}]`;
    }
  }
  return text;
}

function printSegment(segment: PathSegment): string {
  switch (segment.kind) {
    case 'member':
      return printKey(segment.key);
    case 'element':
      return Object.entries(segment.keys)
        .map(([key, value]) => `${printKey(key)}=${printValue(value)}`)
        .join(',');
    case 'value':
      return `=${printValue(segment.value)}`;
    case 'index':
      return String(segment.index);
  }
}

function printKey(key: string): string {
  return bareKey.test(key) && !/^\d+$/.test(key) ? key : JSON.stringify(key);
}

function printValue(value: Json): string {
  if (typeof value !== 'string') return printJson(value);
  return bareValue.test(value) && !isJsonText(value) ? value : JSON.stringify(value);
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
