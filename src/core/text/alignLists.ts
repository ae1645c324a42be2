import { isJsonObject, type Json, printJson } from '../json.ts';
import type { ListRule } from '../merge/mergeSchema.ts';
import { orderedEntries } from './keyOrder.ts';

/** For each element of the new list the index of the old element that it is, or undefined. */
export type Alignment = readonly (number | undefined)[];

/**
 * Finds which elements of two lists are the same: by the schema's list-map-keys, else by a key that is
 * unique on both sides, else by equal values with what lies between them paired in order.
 */
export function alignLists(before: readonly Json[], after: readonly Json[], rule: ListRule): Alignment {
  const identify = findIdentity(before, after, rule);
  if (identify !== undefined) {
    const positions = new Map(before.map((item, index) => [identify(item), index]));
    return after.map((item) => positions.get(identify(item)));
  }
  return alignByValue(before, after);
}

/** Keys that name elements where no schema says so, likeliest first. */
const usualKeys = [
  'name',
  'mountPath',
  'containerPort',
  'port',
  'key',
  'devicePath',
  'ip',
  'type',
  'uid',
  'id',
];

type Identify = (item: Json) => string;

function findIdentity(before: readonly Json[], after: readonly Json[], rule: ListRule): Identify | undefined {
  const all = [...before, ...after];
  if (all.length === 0 || !all.every(isJsonObject)) return undefined;
  const isUnique = (identify: Identify): boolean =>
    [before, after].every((side) => new Set(side.map(identify)).size === side.length);
  if (rule.kind === 'map') {
    const identify: Identify = (item) =>
      printJson(rule.keys.map((key) => member(item, key) ?? rule.defaults[key] ?? null));
    if (isUnique(identify)) return identify;
  }
  const isScalarMember = (item: Json, key: string): boolean => {
    const value = member(item, key);
    return value !== undefined && value !== null && typeof value !== 'object';
  };
  const candidates = [...usualKeys, ...Object.keys(all[0] ?? {})];
  const key = candidates.find(
    (candidate) =>
      all.every((item) => isScalarMember(item, candidate)) &&
      isUnique((item) => printJson(member(item, candidate) ?? null)),
  );
  return key === undefined ? undefined : (item) => printJson(member(item, key) ?? null);
}

function member(item: Json, key: string): Json | undefined {
  return isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

/** The largest table of the search for the longest common sequence. */
const maxCells = 1_000_000;

function alignByValue(before: readonly Json[], after: readonly Json[]): Alignment {
  const [olds, news] = [before.map(canonical), after.map(canonical)];
  const result: (number | undefined)[] = after.map(() => undefined);
  const shorter = Math.min(olds.length, news.length);
  let head = 0;
  while (head < shorter && olds[head] === news[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && olds.at(-1 - tail) === news.at(-1 - tail)) tail += 1;
  for (let index = 0; index < head; index += 1) result[index] = index;
  for (let index = 1; index <= tail; index += 1) result[news.length - index] = olds.length - index;
  const [oldEnd, newEnd] = [olds.length - tail, news.length - tail];
  const gaps: { readonly olds: number[]; readonly news: number[] }[] = [];
  let [oldAt, newAt] = [head, head];
  const pairs = commonSequence(olds.slice(head, oldEnd), news.slice(head, newEnd));
  for (const [oldIndex, newIndex] of [...pairs, [oldEnd - head, newEnd - head] as const]) {
    gaps.push({ olds: range(oldAt, oldIndex + head), news: range(newAt, newIndex + head) });
    if (newIndex + head < newEnd) result[newIndex + head] = oldIndex + head;
    [oldAt, newAt] = [oldIndex + head + 1, newIndex + head + 1];
  }
  const moved = pairMoved(olds, news, gaps, result);
  for (const gap of gaps) pairGap(before, after, gap, moved, result);
  return result;
}

interface Gap {
  readonly olds: readonly number[];
  readonly news: readonly number[];
}

/** Equal elements that changed places. @returns the old ones */
function pairMoved(
  olds: readonly string[],
  news: readonly string[],
  gaps: readonly Gap[],
  result: (number | undefined)[],
): ReadonlySet<number> {
  const left = new Map<string, number[]>();
  for (const index of gaps.flatMap((gap) => gap.olds).reverse()) {
    const item = olds[index] ?? '';
    const queue = left.get(item);
    if (queue === undefined) left.set(item, [index]);
    else queue.push(index);
  }
  const moved = new Set<number>();
  for (const index of gaps.flatMap((gap) => gap.news)) {
    const found = left.get(news[index] ?? '')?.pop();
    if (found === undefined) continue;
    result[index] = found;
    moved.add(found);
  }
  return moved;
}

/** Between two kept elements: what is of the same sort becomes each other, in order. */
function pairGap(
  before: readonly Json[],
  after: readonly Json[],
  gap: Gap,
  moved: ReadonlySet<number>,
  result: (number | undefined)[],
): void {
  const olds = gap.olds.filter((index) => !moved.has(index));
  const news = gap.news.filter((index) => result[index] === undefined);
  news.forEach((newIndex, position) => {
    const oldIndex = olds[position];
    if (oldIndex !== undefined && sortOf(before[oldIndex]) === sortOf(after[newIndex])) {
      result[newIndex] = oldIndex;
    }
  });
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_item, index) => start + index);
}

function sortOf(value: Json | undefined): string {
  return Array.isArray(value) ? 'list' : isJsonObject(value) ? 'map' : 'scalar';
}

/** Pairs of equal elements in rising order; the longest such sequence where the lists are not too long. */
function commonSequence(
  olds: readonly string[],
  news: readonly string[],
): readonly (readonly [number, number])[] {
  if (olds.length * news.length > maxCells) return greedySequence(olds, news);
  const width = news.length + 1;
  const lengths = new Uint32Array((olds.length + 1) * width);
  for (let row = olds.length - 1; row >= 0; row -= 1) {
    for (let column = news.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        olds[row] === news[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < olds.length && column < news.length) {
    const at = row * width + column;
    if (olds[row] === news[column]) pairs.push([row++, column++]);
    else if ((lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Takes each new element's first equal old one behind the last taken: linear, good for few changes. */
function greedySequence(
  olds: readonly string[],
  news: readonly string[],
): readonly (readonly [number, number])[] {
  const queues = new Map<string, number[]>();
  for (let index = olds.length - 1; index >= 0; index -= 1) {
    const item = olds[index] ?? '';
    const queue = queues.get(item);
    if (queue === undefined) queues.set(item, [index]);
    else queue.push(index);
  }
  const pairs: [number, number][] = [];
  let last = -1;
  news.forEach((item, index) => {
    const queue = queues.get(item) ?? [];
    while ((queue.at(-1) ?? Infinity) <= last) queue.pop();
    const found = queue.pop();
    if (found === undefined) return;
    pairs.push([found, index]);
    last = found;
  });
  return pairs;
}

/** The same text for equal values, whatever the order of members. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isJsonObject(value)) {
    const members = orderedEntries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
    return `{${members.join(',')}}`;
  }
  return printJson(value);
}
