import { isJsonArray, isJsonObject, type Json, jsonEqual } from '../json.ts';
import type { FieldPath, PathSegment } from './fieldPath.ts';

/** The value of a field in an object; undefined where it is absent. */
export function valueAt(value: Json | undefined, path: FieldPath): Json | undefined {
  return path.reduce(step, value);
}

function step(value: Json | undefined, segment: PathSegment): Json | undefined {
  switch (segment.kind) {
    case 'member':
      return isJsonObject(value) && Object.hasOwn(value, segment.key) ? value[segment.key] : undefined;
    case 'element':
      return findElement(value, segment.keys);
    case 'value':
      return isJsonArray(value) ? value.find((item) => jsonEqual(item, segment.value)) : undefined;
    case 'index':
      return isJsonArray(value) ? value[segment.index] : undefined;
  }
}

/** A key that an element leaves out stands for its default, which is what the path names. */
function findElement(list: Json | undefined, keys: Readonly<Record<string, Json>>): Json | undefined {
  if (!isJsonArray(list)) return undefined;
  const matches = (item: Json, mayOmit: boolean): boolean =>
    isJsonObject(item) &&
    Object.entries(keys).every(([key, value]) =>
      Object.hasOwn(item, key) ? jsonEqual(item[key], value) : mayOmit,
    );
  return list.find((item) => matches(item, false)) ?? list.find((item) => matches(item, true));
}
