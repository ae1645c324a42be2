import assert from 'node:assert/strict';
import { type MergeSchema, noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';
import { showProblems } from './showProblems.ts';

type Shape = NonNullable<MergeSchema['type']>;

function typed(type: Shape, extra: Partial<MergeSchema> = {}): MergeSchema {
  return { ...noSchema, type, ...extra };
}

const members: Readonly<Record<string, MergeSchema>> = {
  string: typed('string'),
  integer: typed('integer'),
  number: typed('number'),
  boolean: typed('boolean'),
  list: typed('array', { items: () => typed('string') }),
  map: typed('object'),
  quantity: typed('string', { scalar: 'quantity' }),
};
const schema: MergeSchema = { ...typed('object'), member: (key) => members[key] ?? noSchema };

function check(text: string): string {
  const result = readDocument(text, schema);
  return showProblems(text, result.kind === 'ok' ? result.warnings : result.problems);
}

function fixAll(text: string): string {
  const result = readDocument(text, schema);
  const problems = result.kind === 'ok' ? [] : result.problems;
  return applyEdits(
    text,
    problems.flatMap(({ fixes }) => fixes[0]?.edits ?? []),
  );
}

describe('shape problems', () => {
  it('C8: marks a plain value that reads as no string where one must be, and quotes it as it is written', () => {
    const text = 'metadata:\n  labels: {tier: true, v: 1.10, on: no, ok: "1", none: ~}\n';
    assert.equal(
      check(text),
      'metadata:\n  labels: {tier: ⟦true⟧mustBeString, v: ⟦1.10⟧mustBeString, ⟦on⟧keyReadsAs: ⟦no⟧mustBeString, ok: "1", none: ~}\n',
    );
    assert.equal(
      fixAll(text),
      'metadata:\n  labels: {tier: "true", v: "1.10", "on": "no", ok: "1", none: ~}\n',
    );
  });

  it('C8: knows labels and annotations without a schema, in their place only', () => {
    const result = readDocument('metadata:\n  annotations:\n    a: 5\n');
    assert.equal(result.kind, 'invalid');
    assert.equal(readDocument('spec:\n  metadata:\n    labels: {a: 5}\n').kind, 'ok');
    assert.equal(readDocument('metadata:\n  name: x\n  labels:\n').kind, 'ok');
  });

  it('C8: goes by the schema elsewhere', () => {
    assert.equal(check('string: 0644\n'), 'string: ⟦0644⟧numberSpelling⟦0644⟧mustBeString\n');
    assert.equal(fixAll('string: yes # c\n'), 'string: "yes" # c\n');
    assert.equal(fixAll('string: !!int 5\n'), 'string: "5"\n');
    assert.equal(check('list: [a, 1]\n'), 'list: [a, ⟦1⟧mustBeString]\n');
    assert.equal(check('string: [a]\n'), 'string: ⟦[a]⟧mustBeString\n');
  });

  it('marks a string where a number or boolean must be, and takes the quotes off', () => {
    const text = 'integer: "5"\nnumber: x\nboolean: \'true\'\n';
    assert.equal(
      check(text),
      'integer: ⟦"5"⟧mustBeInteger\nnumber: ⟦x⟧mustBeNumber\nboolean: ⟦\'true\'⟧mustBeBoolean\n',
    );
    assert.equal(fixAll(text), 'integer: 5\nnumber: x\nboolean: true\n');
  });

  it('marks values of another shape', () => {
    assert.equal(
      check('integer: 1.5\nlist: {a: 1}\nmap: x\n'),
      'integer: ⟦1.5⟧mustBeInteger\nlist: ⟦{a: 1}⟧mustBeArray\nmap: ⟦x⟧mustBeObject\n',
    );
  });

  it('marks what the server cannot read as a quantity', () => {
    assert.equal(check('quantity: 1 Gi\n'), 'quantity: ⟦1 Gi⟧mustBeQuantity\n');
    assert.equal(check('quantity: true\n'), 'quantity: ⟦true⟧mustBeQuantity\n');
    for (const good of ['1', '0.5', '100m', '64Mi', '1e3', '"1"', '~']) {
      assert.equal(check(`quantity: ${good}\n`), `quantity: ${good}\n`);
    }
  });

  it('says nothing where nothing is certain', () => {
    const text =
      'integer: 1.0\nnumber: 1\nquantity: 2\nunknown: [1, {a: true}]\nstring: ~\nlist:\nmap: null\n';
    assert.equal(check(text), text);
  });

  it('C6: takes 0644 in a field of integers, with a warning', () => {
    assert.equal(check('integer: 0644\n'), 'integer: ⟦0644⟧numberSpelling\n');
    assert.equal(readDocument('integer: 0644\n', schema).kind, 'ok');
  });
});
