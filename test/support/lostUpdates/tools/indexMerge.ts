import {
  defineMembers,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  printJson,
  withMember,
} from '../../../../src/core/json.ts';
import { memberAt } from '../../../../src/core/json.ts';
import { contentOf } from '../verdict.ts';
import type { Tool } from '../tool.ts';
import { toToolResult } from './conditionalPut.ts';

/** A three-way merge that takes elements of lists by their index, sent on the version that it merged. */
export const indexMerge: Tool = {
  name: 'three-way merge by index',
  save: async (scene, otherWrites) => {
    await otherWrites();
    const live = await scene.find();
    if (live === undefined) return { kind: 'refused', message: 'not found' };
    const conflicts: string[] = [];
    const mine = scene.mineOf(scene.opened);
    const merged = merge(contentOf(scene.opened), contentOf(mine), contentOf(live), '', conflicts);
    if (conflicts.length > 0) return { kind: 'refused', message: `conflict at ${conflicts.join(', ')}` };
    const version = memberAt(live, 'metadata', 'resourceVersion');
    const metadata = withMember(memberAt(merged, 'metadata') as JsonObject, 'resourceVersion', version);
    const body = printJson(withMember(merged as JsonObject, 'metadata', metadata));
    return toToolResult(await scene.request('PUT', scene.path, { body }));
  },
};

type Value = Json | undefined;

function merge(base: Value, mine: Value, live: Value, path: string, conflicts: string[]): Value {
  if (jsonEqual(mine, live) || jsonEqual(base, live)) return mine;
  if (jsonEqual(base, mine)) return live;
  if (isJsonArray(mine) && isJsonArray(live)) {
    const before = isJsonArray(base) ? base : [];
    const length = Math.max(before.length, mine.length, live.length);
    const items = Array.from({ length }, (_item, index) =>
      merge(before[index], mine[index], live[index], `${path}/${String(index)}`, conflicts),
    );
    return items.filter((item) => item !== undefined);
  }
  if (isJsonObject(mine) && isJsonObject(live)) {
    const before = isJsonObject(base) ? base : {};
    const keys = new Set([...Object.keys(mine), ...Object.keys(live)]);
    const members = [...keys].flatMap((key): [string, Json][] => {
      const value = merge(before[key], mine[key], live[key], `${path}/${key}`, conflicts);
      return value === undefined ? [] : [[key, value]];
    });
    return defineMembers(members);
  }
  conflicts.push(path);
  return base;
}
