import {
  defineMembers,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
  jsonEqual,
  memberAt,
} from '../../../../src/core/json.ts';
import type { ApiType } from '../apiTypes.ts';
import { OpenApiNode } from './openApiNode.ts';

/** A strategic merge patch from one object to another, by the merge keys that the type's schema declares. */
export function strategicPatch(from: JsonObject, to: JsonObject, type: ApiType): JsonObject {
  return mapPatch(from, to, OpenApiNode.ofType(type));
}

function mapPatch(from: JsonObject, to: JsonObject, node: OpenApiNode): JsonObject {
  const members: [string, Json][] = [];
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) members.push([key, null]);
  for (const [key, next] of Object.entries(to)) {
    const before = from[key];
    const member = node.member(key);
    if (jsonEqual(before, next)) continue;
    if (isJsonObject(before) && isJsonObject(next)) {
      const patch = mapPatch(before, next, member);
      const isRetained = member.strategies.includes('retainKeys');
      members.push([key, isRetained ? { ...patch, $retainKeys: Object.keys(next) } : patch]);
    } else if (isJsonArray(before) && isJsonArray(next) && member.strategies.includes('merge')) {
      members.push(...listPatch(key, before, next, member));
    } else {
      members.push([key, next]);
    }
  }
  return defineMembers(members);
}

function listPatch(key: string, from: JsonArray, to: JsonArray, node: OpenApiNode): [string, Json][] {
  const { mergeKey } = node;
  if (mergeKey === undefined) {
    const gone = from.filter((item) => !to.some((other) => jsonEqual(item, other)));
    const added = to.filter((item) => !from.some((other) => jsonEqual(item, other)));
    return [
      ...(gone.length > 0 ? [[`$deleteFromPrimitiveList/${key}`, gone] as [string, Json]] : []),
      ...(added.length > 0 ? [[key, added] as [string, Json]] : []),
    ];
  }
  const idOf = (item: Json): Json => memberAt(item, mergeKey) ?? null;
  const find = (list: JsonArray, item: Json): Json | undefined =>
    list.find((other) => jsonEqual(idOf(other), idOf(item)));
  const changed = to.flatMap((item): Json[] => {
    const before = find(from, item);
    if (!isJsonObject(item) || !isJsonObject(before)) return [item];
    if (jsonEqual(before, item)) return [];
    return [{ ...mapPatch(before, item, node.items()), [mergeKey]: idOf(item) }];
  });
  const gone = from.filter((item) => find(to, item) === undefined);
  return [[key, [...changed, ...gone.map((item) => ({ $patch: 'delete', [mergeKey]: idOf(item) }))]]];
}
