import assert from 'node:assert/strict';
import { type Json, jsonEqual, printJson } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import type { Conflict } from '../../../../src/core/merge/mergeResult.ts';
import { type MergeSchema, noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { withNamedLists } from '../../../../src/core/merge/namedLists.ts';
import { schemaFromOpenApi } from '../../../../src/core/merge/openApiSchema.ts';
import { mergeThreeWay } from '../../../../src/core/merge/threeWay.ts';
import { gvkOf } from '../../../../src/core/resource/kubeObject.ts';
import { type MergeCase, readMergeCases } from '../../../support/mergeCases.ts';

describe('mergeThreeWay', () => {
  const cases = readMergeCases();
  for (const subject of new Set(cases.map((example) => example.subject))) {
    describe(subject, () => {
      for (const example of cases.filter((one) => one.subject === subject)) {
        it(example.title, () => checkCase(example));
      }
    });
  }

  it('takes an element that gets the key it lacked for a new one, not for a renamed one', () => {
    const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
    const containers = (...items: Json[]): Json => ({ spec: { template: { spec: { containers: items } } } });
    const base = containers({ image: 'web:1' });
    const live = containers({ image: 'web:1', name: 'app' });
    const result = mergeThreeWay(base, containers(), live, schema);
    assert.deepEqual(result.conflicts, []);
    assertJson(result.value, live);
  });

  it('says of each change that came in by name alone that no schema describes the list', () => {
    const parts = (left: number, right: number): Json => ({
      spec: {
        parts: [
          { name: 'left', size: left },
          { name: 'right', size: right },
        ],
        plain: right,
      },
    });
    const { applied, conflicts } = mergeThreeWay(
      parts(1, 1),
      parts(2, 1),
      parts(1, 3),
      withNamedLists(noSchema),
    );
    assert.deepEqual(conflicts, []);
    assert.deepEqual(
      applied.map(({ path, note }) => [printFieldPath(path), note]),
      [
        ['spec.parts[name=right]', 'merged by name: no schema says how this list merges'],
        ['spec.plain', undefined],
      ],
    );
  });
});

function checkCase(example: MergeCase): void {
  const { base, mine, live, merged } = example;
  const before = printJson([base, mine, live]);
  const result = mergeThreeWay(base, mine, live, schemaFor(example));

  assert.deepEqual(
    new Map(result.conflicts.map((conflict) => [printFieldPath(conflict.path), sidesOf(conflict, example)])),
    example.conflicts,
  );
  assertJson(result.value, merged);
  if (example.applied) {
    assert.deepEqual(
      result.applied.map(({ path }) => printFieldPath(path)),
      example.applied,
    );
  }
  assert.equal(printJson([base, mine, live]), before, 'the inputs are not changed');
}

function schemaFor({ base, openApi, hasNamedLists }: MergeCase): MergeSchema {
  const gvk = gvkOf(base);
  if (gvk === undefined) return noSchema;
  const schema = (openApi && schemaFromOpenApi(openApi, gvk)) ?? builtinSchema(gvk);
  return hasNamedLists ? withNamedLists(schema) : schema;
}

/** The sides that the case names. */
function sidesOf(conflict: Conflict, { conflicts }: MergeCase): Readonly<Record<string, unknown>> {
  const named = Object.keys(conflicts.get(printFieldPath(conflict.path)) ?? {});
  return Object.fromEntries(named.map((side) => [side, conflict[side as keyof Conflict]]));
}

function assertJson(actual: Json, expected: Json): void {
  if (!jsonEqual(actual, expected)) assert.deepEqual(actual, expected);
}
