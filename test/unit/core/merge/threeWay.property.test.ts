import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  memberAt,
  printJson,
} from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { diffObjects } from '../../../../src/core/merge/diff.ts';
import { isEqual } from '../../../../src/core/merge/equality.ts';
import { type FieldPath, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import type { Conflict, MergeResult } from '../../../../src/core/merge/mergeResult.ts';
import type { MergeSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { schemaFromOpenApi } from '../../../../src/core/merge/openApiSchema.ts';
import { rebase } from '../../../../src/core/merge/rebase.ts';
import { decideConflicts, takeSide } from '../../../../src/core/merge/takeSide.ts';
import { mergeThreeWay } from '../../../../src/core/merge/threeWay.ts';
import { gvkOf } from '../../../../src/core/resource/kubeObject.ts';
import { readMergeObjects, readMergeOpenApi } from '../../../support/mergeCases.ts';
import { flatten, show } from './flatten.ts';
import { ObjectEditor } from './objectEditor.ts';
import { schemaOf, structShape, ValueMaker } from './shapes.ts';

/** Runs of each law; `KUBEMERGE_LONG=1` asks for a million. */
const numRuns = process.env['KUBEMERGE_LONG'] === '1' ? 1_000_000 : 10_000;

interface Case {
  readonly schema: MergeSchema;
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
}

/** Checks a law for generated objects of generated types, and for objects of real types. */
function checkLaw(law: (example: Case) => void): void {
  const generated = fc.record({ shape: structShape, seed: fc.noShrink(fc.nat()) });
  const check = fc.property(generated, ({ shape, seed }) => {
    const maker = new ValueMaker(seed);
    const base = asObject(maker.fresh(shape));
    const edited = (): JsonObject => asObject(maker.edited(shape, base) ?? base);
    law({ schema: schemaOf(shape), base, mine: edited(), live: edited() });
  });
  fc.assert(check, { numRuns });
  const real = fc.record({ example: fc.constantFrom(...realObjects), seed: fc.noShrink(fc.nat()) });
  const checkReal = fc.property(real, ({ example: { base, schema }, seed }) => {
    const editor = new ObjectEditor(seed);
    const edited = (): JsonObject => asObject(editor.edit(base, schema) ?? base);
    law({ schema, base, mine: edited(), live: edited() });
  });
  fc.assert(checkReal, { numRuns: numRuns / 10 });
}

/** Objects of built-in kinds, and of custom ones with their OpenAPI. */
const realObjects = readMergeObjects().map(([name, base]) => {
  const gvk = gvkOf(base) ?? { group: '', version: '', kind: '' };
  const custom = name === 'storefront' ? schemaFromOpenApi(readMergeOpenApi(name), gvk) : undefined;
  return { base, schema: custom ?? builtinSchema(gvk) };
});

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function assertSame(actual: Json, expected: Json): void {
  assert.ok(
    printJson(actual) === printJson(expected) || jsonEqual(actual, expected),
    `${printJson(actual)} is not ${printJson(expected)}`,
  );
}

describe('the merge laws', function () {
  this.timeout(numRuns * 20);

  it('merge(b, m, b) is m', () => {
    checkLaw(({ schema, base, mine }) => {
      const { value, applied, conflicts } = mergeThreeWay(base, mine, structuredClone(base), schema);
      assertSame(value, mine);
      assert.deepEqual([applied, conflicts], [[], []]);
    });
  });

  it('merge(b, b, l) is l, but for spelling', () => {
    checkLaw(({ schema, base, live }) => {
      const { value, conflicts } = mergeThreeWay(base, structuredClone(base), live, schema);
      assert.ok(isEqual(value, live, schema), `${printJson(value)} is not ${printJson(live)}`);
      assert.deepEqual(conflicts, []);
    });
  });

  it('merge(b, m, m) is m', () => {
    checkLaw(({ schema, base, mine }) => {
      const { value, applied, conflicts } = mergeThreeWay(base, mine, structuredClone(mine), schema);
      assertSame(value, mine);
      assert.deepEqual([applied, conflicts], [[], []]);
    });
  });

  it('no change of either side is lost without being listed as a conflict', () => {
    checkLaw(({ schema, base, mine, live }) => {
      const { value, conflicts } = mergeThreeWay(base, mine, live, schema);
      const tableOf = (object: Json): Table => flatten(object, schema);
      const [ofBase, ofMine, ofLive, ofValue] = [tableOf(base), tableOf(mine), tableOf(live), tableOf(value)];
      const listed = conflicts.flatMap(pathsOf);
      for (const path of new Set([...ofBase.keys(), ...ofMine.keys(), ...ofLive.keys(), ...ofValue.keys()])) {
        if (listed.some((conflict) => path.startsWith(conflict))) continue;
        const [b, m, l, v] = [ofBase.get(path), ofMine.get(path), ofLive.get(path), ofValue.get(path)];
        const isSame = (one: Json | undefined, other: Json | undefined): boolean => isLeafEqual(one, other);
        const isLineMerged = [b, m, l].every((side) => typeof side === 'string' && !isSame(m, l));
        if (isLineMerged && !isSame(b, m) && !isSame(b, l)) continue;
        if (b === undefined && isEditOfRenamed(ofBase, path, m, l, v)) continue;
        const expected = isSame(b, m) ? l : isSame(b, l) || isSame(m, l) ? m : 'a conflict';
        assert.ok(
          isSame(v, expected) || hasConflictInside(listed, path),
          `${path}: ${[b, m, l].map(show).join(' / ')} became ${show(v)}`,
        );
      }
    });
  });

  it('swapping mine and live swaps the sides of conflicts only, up to order and spelling', () => {
    checkLaw(({ schema, base, mine, live }) => {
      const there = mergeThreeWay(base, mine, live, schema);
      const back = mergeThreeWay(base, live, mine, schema);
      const listOf = (result: typeof there, isSwapped: boolean): readonly string[] =>
        result.conflicts
          .map(({ path, base: before, mine: ours, live: theirs }) =>
            [
              printFieldPath(path),
              show(before),
              ...(isSwapped ? [show(theirs), show(ours)] : [show(ours), show(theirs)]),
            ].join(' '),
          )
          .sort();
      assert.deepEqual(listOf(back, true).map(toPath), listOf(there, false).map(toPath));
      const [one, other] = [flatten(there.value, schema), flatten(back.value, schema)];
      assert.deepEqual([...one.keys()].sort(), [...other.keys()].sort());
      for (const [path, leaf] of one) assert.ok(isLeafEqual(leaf, other.get(path)), path);
    });
  });

  it('each conflict can be decided for either side, and then none is left', () => {
    checkLaw(({ schema, base, mine, live }) => {
      for (const side of ['mine', 'live'] as const) {
        assert.deepEqual(takeSide(base, mine, live, schema, side).conflicts, []);
      }
      const { conflicts } = mergeThreeWay(base, mine, live, schema);
      const [first] = conflicts;
      if (first === undefined) return;
      const left = takeSide(
        base,
        mine,
        live,
        schema,
        new Map([[printFieldPath(first.path), 'live' as const]]),
      );
      assert.ok(left.conflicts.length < conflicts.length);
    });
  });

  for (const side of ['mine', 'live'] as const) {
    it(`some conflicts decided for ${side} leave the others, or are said to depend on them`, () => {
      let refused = 0;
      checkLaw(({ schema, base, mine, live }) => {
        const { conflicts } = mergeThreeWay(base, mine, live, schema);
        const paths = conflicts.map(({ path }) => printFieldPath(path));
        const decided = new Set(paths.filter((_path, index) => index % 2 === 0));
        const decision = decideConflicts(base, mine, live, schema, decided, side);
        if (decision === undefined) {
          refused++;
          return;
        }
        if (decided.size === 0) assert.deepEqual(decision, { base, mine });
        assertSame(side === 'mine' ? decision.mine : decision.base, side === 'mine' ? mine : base);
        const again = mergeThreeWay(decision.base, decision.mine, live, schema);
        const wanted = takeSide(base, mine, live, schema, new Map([...decided].map((path) => [path, side])));
        assert.deepEqual(printConflicts(again), printConflicts(wanted));
        assertSameLeaves(again.value, wanted.value, schema);
      });
      assert.ok(refused < numRuns / 50, `${String(refused)} could not be decided`);
    });
  }

  it('rebasing onto base is mine, and without own changes it is what it was put on', () => {
    checkLaw(({ schema, base, mine, live }) => {
      assertSame(rebase(base, mine, base, schema), mine);
      assert.ok(isEqual(rebase(base, base, live, schema), live, schema));
    });
  });

  it('a diff is empty just where objects are equal', () => {
    checkLaw(({ schema, base, live }) => {
      assert.equal(diffObjects(base, live, schema).length === 0, isEqual(base, live, schema));
    });
  });
});

/** What keys stand for that an element leaves out; see shapes.ts. */
const keyDefaults: Readonly<Record<string, Json>> = { protocol: 'TCP' };

/** Where a conflict stands, and for an edited key also where its sides stand. */
function pathsOf({ path, mine, live }: Conflict): readonly string[] {
  const last = path.at(-1);
  if (last?.kind !== 'element') return [printFieldPath(path)];
  const keysOf = (side: Json | undefined): FieldPath => {
    const keys = Object.entries(last.keys).map(
      ([key, value]) => [key, memberAt(side, key) ?? (side && keyDefaults[key]) ?? value] as const,
    );
    return [...path.slice(0, -1), { kind: 'element', keys: Object.fromEntries(keys) }];
  };
  return [path, keysOf(mine), keysOf(live)].map(printFieldPath);
}

/** True where both gave an element of base the same new key, and one of them edited it: base has it elsewhere. */
function isEditOfRenamed(base: Table, path: string, ...[mine, live, value]: (Json | undefined)[]): boolean {
  const wherever = (keyed: string): string => keyed.replaceAll(/\[[^\]]*=[^\]]*\]/g, '[*]');
  const kept = isLeafEqual(value, mine) ? live : isLeafEqual(value, live) ? mine : undefined;
  if (kept === undefined || wherever(path) === path) return false;
  return [...base].some(([other, leaf]) => wherever(other) === wherever(path) && isLeafEqual(leaf, kept));
}

function printConflicts({ conflicts }: MergeResult): readonly string[] {
  return conflicts.map(({ path }) => printFieldPath(path)).sort();
}

function assertSameLeaves(actual: Json, expected: Json, schema: MergeSchema): void {
  const [one, other] = [flatten(actual, schema), flatten(expected, schema)];
  assert.deepEqual([...one.keys()].sort(), [...other.keys()].sort());
  for (const [path, leaf] of one) assert.ok(isLeafEqual(leaf, other.get(path)), path);
}

type Table = ReadonlyMap<string, Json>;

function toPath(line: string): string {
  return line.slice(0, line.indexOf(' '));
}

function hasConflictInside(listed: readonly string[], path: string): boolean {
  return listed.some((conflict) => conflict.startsWith(path));
}

const quantity: MergeSchema = {
  ...schemaOf({ kind: 'quantity' }),
  member: () => quantity,
  items: () => quantity,
};

/** Values that are equal as quantities, inside too, may stand for each other. */
function isLeafEqual(left: Json | undefined, right: Json | undefined): boolean {
  return isEqual(left, right, quantity);
}
