import { isJsonArray, isJsonObject, type Json, withMember } from '../json.ts';
import type { FieldPath, PathSegment } from '../merge/fieldPath.ts';
import { valueAt } from '../merge/valueAt.ts';
import { findElement } from './locate.ts';

/**
 * `target` with the field at `path` as it is in `source`: set, put back, or removed where it is absent there.
 * Whatever leads to the field and is missing comes in with it.
 */
export function withFieldOf(target: Json, source: Json, path: FieldPath): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return source;
  const original = valueAt(source, [segment]);
  const current = valueAt(target, [segment]);
  const isWhole = rest.length === 0 || current === undefined || original === undefined;
  if (isWhole && rest.length > 0 && original === undefined) return target;
  return withChild(target, source, segment, isWhole ? original : withFieldOf(current, original, rest));
}

function withChild(target: Json, source: Json, segment: PathSegment, child: Json | undefined): Json {
  if (segment.kind === 'member') {
    return isJsonObject(target) ? withMember(target, segment.key, child) : target;
  }
  if (!isJsonArray(target)) return target;
  const index = findElement(target, segment);
  if (child === undefined) return target.filter((_item, at) => at !== index);
  if (index !== undefined) return target.map((item, at) => (at === index ? child : item));
  const place = findElement(source, segment) ?? target.length;
  return [...target.slice(0, place), child, ...target.slice(place)];
}
