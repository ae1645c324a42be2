import { defineMembers, isJsonObject, type Json, type JsonObject, memberAt, withMember } from '../json.ts';
import { foldStringData } from '../resource/editableObject.ts';

/**
 * Gives a merged Secret mine's spelling back: what mine wrote in `stringData`, and the merge left as it
 * is, stays there. Other objects are handed back as they are.
 *
 * @param merged a result of merging folded objects, see `foldStringData`
 * @param mine mine as it was before folding
 */
export function unfoldStringData(merged: JsonObject, mine: JsonObject): JsonObject {
  const strings = memberAt(mine, 'stringData');
  const folded = memberAt(foldStringData(mine), 'data');
  const data = memberAt(merged, 'data') ?? {};
  if (!isJsonObject(strings) || !isJsonObject(folded) || !isJsonObject(data)) return merged;
  const isKept = (key: string): boolean =>
    Object.hasOwn(strings, key) && memberAt(data, key) === memberAt(folded, key);
  const kept = Object.entries(strings).filter(([key]) => isKept(key));
  const members = Object.entries(data).flatMap(([key, value]): [string, Json][] => {
    if (!isKept(key)) return [[key, value]];
    const shadowed = memberAt(mine, 'data', key);
    return shadowed === undefined ? [] : [[key, shadowed]];
  });
  const hasData = members.length > 0 || memberAt(mine, 'data') !== undefined;
  const hasStrings = kept.length > 0 || Object.keys(strings).length === 0;
  const withData = withMember(merged, 'data', hasData ? defineMembers(members) : undefined);
  return withMember(withData, 'stringData', hasStrings ? defineMembers(kept) : undefined);
}
