import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../../src/core/json.ts';
import type { MergeSchema } from '../../src/core/merge/mergeSchema.ts';

/**
 * What may be edited in objects of one type, by the path of the place without its elements' keys, such as
 * `spec.ports[].name`. Everything else stays as it is, so that the server accepts every edit.
 */
export interface EditPlan {
  /** Other values for a place; they are edited as one value. */
  readonly values: Readonly<Record<string, readonly [Json, ...Json[]]>>;
  /** Lists that get new elements: makes the element with this number, which no other element has. */
  readonly lists: Readonly<Record<string, (number: number) => Json>>;
  /** Mappings of any keys to text. Members that begin with `k` come, go and change. */
  readonly maps: readonly string[];
  /** Whether an element may be removed without breaking another; by default any but the first of its list. */
  readonly isRemovable?: (path: string, element: Json) => boolean;
}

/** One object after two writers' edits of different places. An absent value is undefined. */
export interface EditedApart {
  readonly mine: Json | undefined;
  readonly live: Json | undefined;
  /** What a server-side apply of live's changes sends: those and the keys of elements on the way. */
  readonly liveApplied: Json | undefined;
  /** What a server-side apply of mine sends: mine without what it no longer claims. */
  readonly mineApplied: Json | undefined;
}

/** Draws a number from 0 up to, not including, `sides`. */
export type Roll = (sides: number) => number;

/** Lets two writers edit an object, each place by at most one of them. */
export class ApartEditor {
  readonly #plan: EditPlan;
  readonly #roll: Roll;
  #number = 0;

  constructor(plan: EditPlan, roll: Roll) {
    this.#plan = plan;
    this.#roll = roll;
  }

  edit(base: Json, schema: MergeSchema): EditedApart {
    return this.#editAt(base, schema, '');
  }

  #editAt(value: Json, schema: MergeSchema, path: string): EditedApart {
    const choices = this.#plan.values[path];
    if (choices !== undefined) return this.#editValue(value, choices);
    if (this.#plan.maps.includes(path) && isJsonObject(value)) return this.#editMap(value);
    if (isJsonObject(value)) {
      const members = Object.entries(value).map(
        ([key, member]) =>
          [key, this.#editAt(member, schema.member(key), path === '' ? key : `${path}.${key}`)] as const,
      );
      return joinMembers(members);
    }
    const isKeyed = schema.list.kind === 'map' || schema.list.kind === 'set';
    return isJsonArray(value) && isKeyed ? this.#editList(value, schema, path) : unchanged(value);
  }

  #editValue(value: Json, choices: readonly [Json, ...Json[]]): EditedApart {
    const other = choices[this.#roll(choices.length)] ?? choices[0];
    switch (this.#roll(4)) {
      case 0:
        return byMine(other, value);
      case 1:
        return byLive(other, value);
      default:
        return unchanged(value);
    }
  }

  #editMap(value: JsonObject): EditedApart {
    const members = Object.entries(value).map(([key, member]) => {
      if (!key.startsWith('k')) return [key, unchanged(member)] as const;
      const isRemoved = this.#roll(4) === 0;
      return [key, isRemoved ? byMine(undefined, member) : this.#editValue(member, ['x', 'y'])] as const;
    });
    const added = [byMine('new', undefined), byLive('new', undefined)].flatMap((member) =>
      this.#roll(3) === 0 ? [[`k${this.#nextNumber()}`, member] as const] : [],
    );
    return joinMembers([...members, ...added]);
  }

  #editList(value: readonly Json[], schema: MergeSchema, path: string): EditedApart {
    const make = this.#plan.lists[path];
    const mayRemove = this.#plan.isRemovable ?? ((_path, element) => element !== value[0]);
    const { list } = schema;
    const items = value.map((item): EditedApart => {
      if (make !== undefined && this.#roll(5) === 0 && mayRemove(path, item)) return byMine(undefined, item);
      const edited = this.#editAt(item, schema.items(), `${path}[]`);
      if (list.kind !== 'map') return edited;
      const { mineApplied, liveApplied } = edited;
      return {
        ...edited,
        mineApplied: withKeys(mineApplied ?? {}, item, list.keys),
        liveApplied: liveApplied && withKeys(liveApplied, item, list.keys),
      };
    });
    for (const add of [byMine, byLive]) {
      if (make === undefined || this.#roll(3) > 0) continue;
      items.splice(this.#roll(items.length + 1), 0, add(make(this.#nextNumber()), undefined));
    }
    return {
      mine: present(items.map(({ mine }) => mine)),
      live: present(items.map(({ live }) => live)),
      mineApplied: present(items.map(({ mineApplied }) => mineApplied)),
      liveApplied: items.some(({ liveApplied }) => liveApplied !== undefined)
        ? present(items.map(({ liveApplied }) => liveApplied))
        : undefined,
    };
  }

  #nextNumber(): number {
    return 100 + this.#number++;
  }
}

function unchanged(value: Json): EditedApart {
  return { mine: value, live: value, mineApplied: value, liveApplied: undefined };
}

function byMine(value: Json | undefined, before: Json | undefined): EditedApart {
  return { mine: value, live: before, mineApplied: value, liveApplied: undefined };
}

function byLive(value: Json, before: Json | undefined): EditedApart {
  return { mine: before, live: value, mineApplied: undefined, liveApplied: value };
}

function joinMembers(members: readonly (readonly [string, EditedApart])[]): EditedApart {
  const side = (name: keyof EditedApart): JsonObject =>
    Object.fromEntries(
      members.flatMap(([key, edited]): [string, Json][] => {
        const value = edited[name];
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const liveApplied = side('liveApplied');
  return {
    mine: side('mine'),
    live: side('live'),
    mineApplied: side('mineApplied'),
    liveApplied: Object.keys(liveApplied).length === 0 ? undefined : liveApplied,
  };
}

function withKeys(value: Json, item: Json, keys: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const pairs = keys.flatMap((key): [string, Json][] => {
    const named = memberAt(item, key);
    return named === undefined ? [] : [[key, named]];
  });
  return { ...Object.fromEntries(pairs), ...value };
}

function present(items: readonly (Json | undefined)[]): Json[] {
  return items.filter((item) => item !== undefined);
}
