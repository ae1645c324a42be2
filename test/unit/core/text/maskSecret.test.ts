import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { maskSecretTexts } from '../../../../src/core/text/maskSecret.ts';

const base = `apiVersion: v1
kind: Secret
metadata:
  name: db
  annotations:
    team: shop
    kubectl.kubernetes.io/last-applied-configuration: |
      {"data":{"password":"aHVudGVyMg=="}}
data: # rotated on hunter2 day
  # old: b2xk
  password: aHVudGVyMg== # hunter2
  token: aHVudGVyMg==
type: Opaque
`;
const mine = base.replace('token: aHVudGVyMg==', 'token: bG9uZ2VyIHZhbHVlIHRoYW4gYmVmb3Jl');
const secrets = ['aHVudGVyMg==', 'hunter2', 'b2xk', 'bG9uZ2VyIHZhbHVlIHRoYW4gYmVmb3Jl'];

function mask(...texts: readonly string[]): NonNullable<ReturnType<typeof maskSecretTexts>> {
  const masked = maskSecretTexts(texts);
  assert.ok(masked, 'the texts can be masked');
  return masked;
}

function lineOf(text: string | undefined, start: string): string {
  return text?.split('\n').find((line) => line.trim().startsWith(start)) ?? '';
}

describe('maskSecretTexts', () => {
  it('H4: shows no value, comment or last-applied configuration of a Secret', () => {
    for (const text of mask(base, mine).texts) {
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is shown in\n${text}`);
      assert.match(text, /name: db/);
      assert.match(text, /team: shop/);
    }
  });

  it('H4: tells changed values from unchanged ones', () => {
    const [left, right] = mask(base, mine).texts;
    assert.equal(lineOf(left, 'password:'), lineOf(right, 'password:'));
    assert.notEqual(lineOf(left, 'token:'), lineOf(right, 'token:'));
  });

  it('H4: does not reveal that two keys hold the same value', () => {
    const [left] = mask(base).texts;
    assert.notEqual(lineOf(left, 'password:').split(': ')[1], lineOf(left, 'token:').split(': ')[1]);
  });

  it('H4: has masks that do not reveal length', () => {
    const [short] = mask('data:\n  a: YQ==\n').texts;
    const [long] = mask(`data:\n  a: ${'YWFh'.repeat(50)}\n`).texts;
    assert.equal(short, long);
  });

  for (const [style, text] of [
    ['stringData', 'stringData:\n  a: s3cret\n'],
    ['literal blocks', 'stringData:\n  a: |\n    s3cret\n    lines # no comment\n\n  b: x\ntype: Opaque\n'],
    ['folded blocks', 'data:\n  a: >-\n    s3cret\n    s3cret\n'],
    ['quoted scalars', 'stringData:\n  "a #b": "s3cret\n    # more"\n  c: \'s3cret\'\n'],
    ['flow mappings', 'data: {a: s3cret, b: s3cret}\n'],
    ['values that are no strings', 'data:\n  a:\n    s3cret: s3cret\n  b: [s3cret]\n'],
    ['a section that is no mapping', 'data: s3cret\n'],
    ['values with anchors and tags', 'data:\n  a: &x s3cret\n  b: *x\n  c: !!str s3cret\n'],
    ['values on a line of their own', 'data:\n  a: # s3cret\n    s3cret\n'],
    ['both of two equal keys', 'data:\n  a: s3cret\n  a: other s3cret\n'],
    ['every document', 'kind: Secret\n---\ndata:\n  a: s3cret\n'],
    ['CRLF lines', 'data:\r\n  a: |\r\n    s3cret\r\n  b: s3cret # s3cret\r\n'],
  ] as const) {
    it(`masks ${style} and puts them back`, () => {
      const masked = mask(text);
      const shown = masked.texts[0] ?? '';
      assert.ok(!shown.includes('s3cret'), shown);
      const restored = masked.unmask(shown);
      assert.ok(restored.kind === 'ok');
      const read = (source: string): unknown => parse(source.replaceAll('---\n', ''), { uniqueKeys: false });
      assert.deepEqual(read(restored.text), read(text));
    });
  }

  it('puts each value back in the very spelling it had on a line', () => {
    const masked = mask(base, mine);
    const shown = masked.texts[1] ?? '';
    const restored = masked.unmask(shown.replace('type: Opaque', 'type: example.com/db'));
    const expected = mine.replace('type: Opaque', 'type: example.com/db');
    assert.ok(restored.kind === 'ok');
    assert.equal(restored.text.split('data:')[2], expected.split('data:')[2]);
  });

  it('leaves values that were typed instead of a mask', () => {
    const masked = mask('data:\n  a: czNjcmV0\n');
    const typed = (masked.texts[0] ?? '').replace(/a: .*/, 'a: bmV3');
    assert.deepEqual(masked.unmask(typed), { kind: 'ok', text: 'data:\n  a: bmV3\n' });
  });

  it('refuses a mask that was edited, moved to where it means something else, or made up', () => {
    const masked = mask('data:\n  a: czNjcmV0\nstringData:\n  b: c\n');
    const shown = masked.texts[0] ?? '';
    const label = lineOf(shown, 'a:').split(': ')[1] ?? '';
    for (const edited of [
      shown.replace(label, `${label}x`),
      `metadata:\n  name: ${label}\n${shown}`,
      shown.replace(/b: .*/, `b: ${label}`),
      shown.replace(label, label.replace(/\d/, '9')),
    ]) {
      assert.equal(masked.unmask(edited).kind, 'misplaced', edited);
    }
  });

  it('gives the line of a misplaced mask', () => {
    const masked = mask('data:\n  a: czNjcmV0\n');
    const edited = (masked.texts[0] ?? '').replace('(value 1)', '');
    assert.deepEqual(masked.unmask(edited), { kind: 'misplaced', line: 2 });
  });

  it('masks nothing in a text that it cannot read, and says so', () => {
    assert.equal(maskSecretTexts(['data:\n  a: [s3cret\n']), undefined);
    assert.deepEqual(mask('a: b\n').unmask('a: [b\n'), { kind: 'unreadable' });
  });
});
