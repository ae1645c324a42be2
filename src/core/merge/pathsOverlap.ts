import { jsonEqual } from '../json.ts';
import type { FieldPath } from './fieldPath.ts';

/** True where one path is the other or a part of it. */
export function pathsOverlap(left: FieldPath, right: FieldPath): boolean {
  const shorter = left.length < right.length ? left : right;
  return shorter.every((_segment, index) => jsonEqual(left[index], right[index]));
}
