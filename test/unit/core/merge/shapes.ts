import fc from 'fast-check';
import { isJsonObject, type Json } from '../../../../src/core/json.ts';
import { type MergeSchema, noSchema } from '../../../../src/core/merge/mergeSchema.ts';

/** A type for generated objects, and the schema that says how it merges. */
export type Shape =
  | { readonly kind: 'scalar' | 'quantity' | 'text' }
  | { readonly kind: 'struct'; readonly members: Readonly<Record<string, Shape>> }
  | { readonly kind: 'union'; readonly members: readonly string[] }
  | { readonly kind: 'openMap'; readonly values: Shape }
  | { readonly kind: 'atomicMap' }
  | {
      readonly kind: 'mapList';
      readonly keys: readonly string[];
      readonly rest: Readonly<Record<string, Shape>>;
    }
  | { readonly kind: 'set' | 'atomicList' | 'unknownList' };

const leafShape: fc.Arbitrary<Shape> = fc.constantFrom<Shape>(
  { kind: 'scalar' },
  { kind: 'scalar' },
  { kind: 'quantity' },
  { kind: 'text' },
  { kind: 'union', members: ['exec', 'http'] },
  { kind: 'atomicMap' },
  { kind: 'set' },
  { kind: 'atomicList' },
  { kind: 'unknownList' },
);

const { shape } = fc.letrec<{ shape: Shape; members: Record<string, Shape> }>((tie) => ({
  members: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('shape'), { minKeys: 1, maxKeys: 2 }),
  shape: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'shape' },
    leafShape,
    fc.record({ kind: fc.constant('struct' as const), members: tie('members') }),
    fc.record({ kind: fc.constant('openMap' as const), values: tie('shape') }),
    fc.record({
      kind: fc.constant('mapList' as const),
      keys: fc.constantFrom(['name'], ['port', 'protocol']),
      rest: tie('members'),
    }),
  ),
}));

/** Shapes of whole objects. */
export const structShape: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constant('struct' as const),
  members: fc.dictionary(fc.constantFrom('p', 'q', 'r'), shape, { minKeys: 1, maxKeys: 3 }),
});

export function schemaOf(shape: Shape): MergeSchema {
  switch (shape.kind) {
    case 'scalar':
    case 'text':
      return noSchema;
    case 'quantity':
      return { ...noSchema, scalar: 'quantity' };
    case 'struct':
      return { ...noSchema, type: 'object', member: memberSchema(shape.members) };
    case 'union':
      return { ...noSchema, map: { kind: 'union', members: shape.members, discriminator: 'type' } };
    case 'openMap': {
      const values = schemaOf(shape.values);
      return { ...noSchema, isOpen: true, member: () => values };
    }
    case 'atomicMap':
      return { ...noSchema, map: { kind: 'atomic' } };
    case 'mapList': {
      const defaults = shape.keys.includes('protocol') ? { protocol: 'TCP' } : {};
      const items = { ...noSchema, member: memberSchema(shape.rest) };
      return { ...noSchema, list: { kind: 'map', keys: shape.keys, defaults }, items: () => items };
    }
    case 'set':
      return { ...noSchema, list: { kind: 'set' } };
    case 'atomicList':
      return { ...noSchema, list: { kind: 'atomic' } };
    case 'unknownList':
      return noSchema;
  }
}

function memberSchema(members: Readonly<Record<string, Shape>>): (key: string) => MergeSchema {
  const schemas = new Map(Object.entries(members).map(([key, shape]) => [key, schemaOf(shape)]));
  return (key) => schemas.get(key) ?? noSchema;
}

/** Draws values of shapes; few different ones, so that equal and near-equal values are common. */
export class ValueMaker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A linear congruential generator's next number, from 0 to `max`. */
  #number(max: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * (max + 1));
  }

  #chance(percent: number): boolean {
    return this.#number(99) < percent;
  }

  #oneOf<T>(...choices: readonly T[]): T {
    return choices[this.#number(choices.length - 1)] as T;
  }

  fresh(shape: Shape): Json {
    switch (shape.kind) {
      case 'scalar':
        return this.#oneOf<Json>(1, 2, 3, 'x', 'y', true, null, 2n ** 60n);
      case 'quantity':
        return this.#oneOf<Json>('1', '1000m', 1, '500m', '0.5', '1Gi', '1024Mi');
      case 'text':
        return this.#lines()
          .map((line) => `${line}\n`)
          .join('')
          .concat(this.#oneOf('', 'end'));
      case 'struct':
        return this.#members(shape.members);
      case 'union':
        return this.#oneOf<Json>(
          { type: 'A', exec: 1 },
          { type: 'A', exec: 2, z: 1 },
          { type: 'B', http: 1 },
          { http: 2 },
          { z: 2 },
          {},
        );
      case 'openMap':
        return Object.fromEntries(
          ['k1', 'k2', 'k/3'].filter(() => this.#chance(50)).map((key) => [key, this.fresh(shape.values)]),
        );
      case 'atomicMap':
        return this.#oneOf<Json>({}, { x: 1 }, { x: 1, y: 2 }, { y: 2, x: 1 });
      case 'mapList':
        return this.#elements().map((name) => this.#element(shape.keys, name, shape.rest));
      default:
        return this.#elements();
    }
  }

  /** A value that mostly equals another of the same shape, as an edit leaves it. Undefined removes it. */
  edited(shape: Shape, value: Json): Json | undefined {
    const isContainer = ['struct', 'openMap', 'mapList'].includes(shape.kind);
    if (this.#chance(isContainer ? 10 : 45)) return value;
    if (this.#chance(5)) return undefined;
    if (this.#chance(3)) return this.#oneOf<Json>(null, {}, [], 'other');
    switch (shape.kind) {
      case 'struct':
        return this.#editMembers(shape.members, value);
      case 'openMap':
        if (typeof value !== 'object' || value === null) return this.fresh(shape);
        return this.#editMembers({ k1: shape.values, k2: shape.values, 'k/3': shape.values }, value);
      case 'mapList':
        return this.#editList(
          value,
          (item) => {
            if (this.#chance(15) && isJsonObject(item)) {
              return { ...item, [shape.keys[0] ?? '']: this.#oneOf('n1', 'n2', 'n9') };
            }
            return this.#editMembers(shape.rest, item);
          },
          () => this.#element(shape.keys, this.#oneOf('n1', 'n2', 'n3', 'n4'), shape.rest),
        );
      case 'set':
      case 'atomicList':
      case 'unknownList':
        return this.#editList(
          value,
          (item) => item,
          () => this.#oneOf('n1', 'n2', 'n3', 'n4'),
        );
      case 'text':
        return this.#editText(value);
      default:
        return this.fresh(shape);
    }
  }

  #lines(): readonly string[] {
    return ['l1', 'l2', 'l3', 'l4', 'l1', 'l5'].filter(() => this.#chance(60));
  }

  #elements(): readonly string[] {
    return ['n1', 'n2', 'n3', 'n2', 'n4'].filter((_name, index) => this.#chance(index === 3 ? 8 : 50));
  }

  #element(keys: readonly string[], name: string, rest: Readonly<Record<string, Shape>>): Json {
    const [first = ''] = keys;
    const protocol = keys.includes('protocol')
      ? this.#oneOf<Json>({}, { protocol: 'TCP' }, { protocol: 'UDP' })
      : {};
    return { ...this.#members(rest), [first]: name, ...(protocol as Record<string, Json>) };
  }

  #members(members: Readonly<Record<string, Shape>>): Record<string, Json> {
    return Object.fromEntries(
      Object.entries(members)
        .filter(() => this.#chance(80))
        .map(([key, member]) => [key, this.fresh(member)]),
    );
  }

  #editMembers(members: Readonly<Record<string, Shape>>, value: Json): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const result = new Map<string, Json>(Object.entries(value));
    for (const [key, member] of Object.entries(members)) {
      const before = result.get(key);
      const after =
        before === undefined
          ? this.#chance(20)
            ? this.fresh(member)
            : undefined
          : this.edited(member, before);
      if (after === undefined) result.delete(key);
      else result.set(key, after);
    }
    return Object.fromEntries(result);
  }

  #editList(value: Json, editItem: (item: Json) => Json, newItem: () => Json): Json {
    if (!Array.isArray(value)) return value;
    const items = (value as readonly Json[]).flatMap((item) =>
      this.#chance(12) ? [] : [this.#chance(70) ? editItem(item) : item],
    );
    if (this.#chance(30)) items.splice(this.#number(items.length), 0, newItem());
    if (this.#chance(15)) items.reverse();
    return items;
  }

  #editText(value: Json): Json {
    if (typeof value !== 'string') return value;
    const lines = value
      .split('\n')
      .flatMap((line) => (this.#chance(85) ? [line] : this.#oneOf([], [`${line}!`], [line, 'new'])));
    return lines.join('\n');
  }
}
