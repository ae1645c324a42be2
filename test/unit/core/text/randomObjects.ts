import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../../src/core/json.ts';
import type { Dice } from './dice.ts';

const strings: readonly [string, ...string[]] = [
  'x',
  'web:1.4',
  '',
  'yes',
  '0644',
  '1e3',
  '12:30',
  'null',
  'a: b',
  'a #b',
  '# x',
  "it's",
  '"q"',
  'a,b]',
  '{x}',
  '- x',
  '<<',
  ' lead',
  'trail ',
  'two\nlines',
  'two\nlines\n',
  'kept\n\n\n',
  '  indented\nfirst\n',
  '\n\nlate\n',
  'blank \n \nlines\t\n',
  '\tx\ny\n',
  'é😀\u2028',
  'long words '.repeat(20),
  '---',
  '=',
];
const numbers: readonly [number | bigint, ...(number | bigint)[]] = [
  0,
  1,
  420,
  8080,
  -3,
  1.5,
  9007199254740993n,
  1e21,
];
const keys: readonly [string, ...string[]] = [
  'a',
  'b',
  'name',
  'image',
  'spec',
  'zeta',
  'on',
  '0644',
  'example.com/x',
  'two words',
  '__proto__',
  '',
];

/** An object as users write them: mappings, lists of named elements, lists of scalars, texts. */
export function randomObject(dice: Dice): JsonObject {
  return randomMembers(dice, 0, 1);
}

function randomMembers(dice: Dice, depth: number, least: number): JsonObject {
  const count = least + dice.below(4);
  return Object.fromEntries(
    Array.from({ length: count }, () => [dice.pick(keys), randomValue(dice, depth + 1)] as const),
  );
}

function randomValue(dice: Dice, depth: number): Json {
  switch (dice.below(depth > 4 ? 4 : 8)) {
    case 0:
    case 1:
      return dice.pick(strings);
    case 2:
      return dice.pick(numbers);
    case 3:
      return dice.pick([true, false, null]);
    case 4:
      return Array.from({ length: dice.below(4) }, () => randomValue(dice, depth + 1));
    case 5:
      return Array.from({ length: 1 + dice.below(4) }, (_item, index) => ({
        name: `n${index}`,
        ...randomMembers(dice, depth + 1, 0),
        ...(dice.oneIn(9) ? {} : { name: `n${index}` }),
      }));
    default:
      return randomMembers(dice, depth, 0);
  }
}

/** The object with one to four changes: values, members and elements set, added, removed, moved. */
export function changeObject(object: JsonObject, dice: Dice): JsonObject {
  let changed: Json = object;
  for (let count = 1 + dice.below(4); count > 0; count -= 1) changed = change(changed, dice, 0);
  return isJsonObject(changed) ? changed : object;
}

function change(value: Json, dice: Dice, depth: number): Json {
  if (isJsonArray(value)) return changeList([...value], dice, depth);
  if (isJsonObject(value)) return changeMembers(Object.entries(value), dice, depth);
  if (typeof value === 'string' && dice.oneIn(3)) return changeText(value, dice);
  return randomValue(dice, depth);
}

function changeText(value: string, dice: Dice): string {
  const lines = value.split('\n');
  const at = dice.below(lines.length);
  lines[at] = `${lines[at] ?? ''}!`;
  return dice.oneIn(3) ? lines.concat(dice.pick(['', 'more', ' more\n'])).join('\n') : lines.join('\n');
}

function changeList(list: Json[], dice: Dice, depth: number): Json {
  const at = dice.below(Math.max(1, list.length));
  switch (dice.below(5)) {
    case 0:
      list.splice(at, 1);
      return list;
    case 1: {
      const copy = list[at];
      list.splice(
        dice.below(list.length + 1),
        0,
        copy !== undefined && dice.oneIn(2) ? copy : randomValue(dice, depth + 1),
      );
      return list;
    }
    case 2: {
      const [moved] = list.splice(at, 1);
      if (moved !== undefined) list.splice(dice.below(list.length + 1), 0, moved);
      return list;
    }
    default: {
      const item = list[at];
      if (item !== undefined) list[at] = change(item, dice, depth + 1);
      return list;
    }
  }
}

function changeMembers(members: [string, Json][], dice: Dice, depth: number): Json {
  const at = dice.below(Math.max(1, members.length));
  const member = members[at];
  switch (dice.below(5)) {
    case 0:
      members.splice(at, 1);
      break;
    case 1:
      members.splice(dice.below(members.length + 1), 0, [dice.pick(keys), randomValue(dice, depth + 1)]);
      break;
    default:
      if (member !== undefined) members[at] = [member[0], change(member[1], dice, depth + 1)];
  }
  return Object.fromEntries(members);
}
