import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../../src/core/json.ts';
import type { MergeSchema } from '../../../../src/core/merge/mergeSchema.ts';

/** Edits objects of real types as people and controllers do, by what their schemas say of each place. */
export class ObjectEditor {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** @returns undefined where the edit removes the value */
  edit(value: Json, schema: MergeSchema): Json | undefined {
    if (isJsonObject(value)) return this.#editMembers(value, schema);
    if (isJsonArray(value)) return this.#editList(value, schema);
    if (!this.#chance(20)) return value;
    if (this.#chance(15)) return undefined;
    if (schema.scalar === 'quantity') return this.#oneOf<Json>('500m', '0.5', '1Gi', '1024Mi', 1);
    switch (typeof value) {
      case 'string':
        return this.#editText(value);
      case 'boolean':
        return !value;
      default:
        return this.#oneOf<Json>(1, 2, 8080, 'http');
    }
  }

  #editMembers(value: JsonObject, schema: MergeSchema): JsonObject {
    const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
      const edited = this.#chance(4) ? undefined : this.edit(member, schema.member(key));
      return edited === undefined ? [] : [[key, edited]];
    });
    if (schema.isOpen === true && this.#chance(30)) {
      members.push([this.#oneOf('k1', 'k2', 'example.com/k3'), this.#oneOf('x', 'y', 'one\ntwo\n')]);
    }
    if (this.#chance(5)) members.reverse();
    return Object.fromEntries(members);
  }

  #editList(value: readonly Json[], schema: MergeSchema): Json | undefined {
    const { list } = schema;
    const items = value.flatMap((item): Json[] => {
      if (this.#chance(8)) return [];
      const edited = this.#chance(60) ? this.edit(item, schema.items()) : item;
      return edited === undefined ? [] : [this.#chance(8) ? this.#withOtherKey(edited, list) : edited];
    });
    const model = value[0];
    if (model !== undefined && this.#chance(25)) {
      const added = this.#withOtherKey(this.edit(model, schema.items()) ?? model, list);
      items.splice(this.#number(items.length), 0, added);
    }
    if (this.#chance(10)) items.reverse();
    return items;
  }

  #withOtherKey(item: Json, list: MergeSchema['list']): Json {
    if (list.kind !== 'map') return typeof item === 'string' ? this.#oneOf('n1', 'n2', 'n3') : item;
    if (!isJsonObject(item)) return item;
    const [key = ''] = list.keys;
    const number = this.#oneOf<number>(1, 2, 3);
    return { ...item, [key]: typeof item[key] === 'number' ? number : `n${number}` };
  }

  #editText(text: string): string {
    const lines = text.split('\n');
    if (lines.length < 3) return this.#oneOf('x', 'y', `${text}-2`);
    return lines
      .flatMap((line) => (this.#chance(75) ? [line] : this.#oneOf([], [`${line}!`], [line, 'new'])))
      .join('\n');
  }

  #chance(percent: number): boolean {
    return this.#number(99) < percent;
  }

  #oneOf<T>(...choices: readonly T[]): T {
    return choices[this.#number(choices.length - 1)] as T;
  }

  /** A linear congruential generator's next number, from 0 to `max`. */
  #number(max: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * (max + 1));
  }
}
