import { isJsonObject, type Json } from '../json.ts';

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

/**
 * Prints a path as kubectl does: `spec.template.spec.containers[name=app].image`,
 * `metadata.annotations[example.com/owner]`, `metadata.finalizers[=x]`, `spec.args[0]`.
 */
export function printFieldPath(path: FieldPath): string {
  let text = '';
  for (const segment of path) {
    switch (segment.kind) {
      case 'member':
        if (plainKey.test(segment.key)) text += text === '' ? segment.key : `.${segment.key}`;
        else text += `[${segment.key}]`;
        break;
      case 'element':
        text += `[${Object.entries(segment.keys)
          .map(([key, value]) => `${key}=${printScalar(value)}`)
          .join(',')}]`;
        break;
      case 'value':
        text += `[=${printScalar(segment.value)}]`;
        break;
      case 'index':
        text += `[${segment.index}]`;
        break;
    }
  }
  return text;
}

function printScalar(value: Json): string {
  if (typeof value === 'object' && value !== null) {
    return isJsonObject(value) ? '{…}' : '[…]';
  }
  return String(value);
}
