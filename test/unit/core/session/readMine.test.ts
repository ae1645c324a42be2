import assert from 'node:assert/strict';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import type { ResourceVersion, Uid } from '../../../../src/core/resource/snapshot.ts';
import { type MineContext, readMine } from '../../../../src/core/session/readMine.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';

const gvk = { group: 'apps', version: 'v1', kind: 'Deployment' };
const context: MineContext = {
  gvk,
  name: 'web',
  namespace: 'shop',
  uid: 'u1' as Uid,
  named: '7' as ResourceVersion,
  traits: { hasStatusSubresource: true },
  schema: builtinSchema(gvk),
};

const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  resourceVersion: "7"
  uid: u1
spec:
  replicas: 1
`;

/** The problems of a text as `CODE: [the marked text]`. */
function problemsOf(edited: string, more: Partial<MineContext> = {}): string[] {
  const reading = readMine(edited, { ...context, ...more });
  return reading.kind === 'read'
    ? []
    : reading.problems.map(({ code, range }) => `${code}: [${edited.slice(range.start, range.end)}]`);
}

/** The text after the only fix of its only problem. */
function fixed(edited: string): string {
  const reading = readMine(edited, context);
  assert.ok(reading.kind === 'invalid');
  const [fix] = reading.problems.flatMap(({ fixes }) => fixes);
  assert.ok(fix);
  return applyEdits(edited, fix.edits);
}

describe('reading mine', () => {
  it('gives the object without version and uid', () => {
    const reading = readMine(text, context);
    assert.ok(reading.kind === 'read');
    assert.deepEqual(reading.object['metadata'], { name: 'web', namespace: 'shop' });
  });

  it('A9: takes a text without its version and uid lines', () => {
    assert.deepEqual(problemsOf(text.replace(/ {2}(resourceVersion|uid).*\n/g, '')), []);
  });

  it('A10: refuses a version that was typed, at its line, with a fix', () => {
    const typed = text.replace('"7"', '"9"');
    assert.deepEqual(problemsOf(typed), ['resourceVersionTyped: [resourceVersion]']);
    assert.equal(fixed(typed), text);
  });

  for (const [what, from, to, code] of [
    ['name', 'name: web', 'name: api', 'nameChanged: [name]'],
    ['namespace', 'namespace: shop', 'namespace: prod', 'namespaceChanged: [namespace]'],
    ['kind', 'kind: Deployment', 'kind: StatefulSet', 'kindChanged: [kind]'],
    ['API group', 'apiVersion: apps/v1', 'apiVersion: batch/v1', 'kindChanged: [apiVersion]'],
    ['version', 'apiVersion: apps/v1', 'apiVersion: apps/v1beta1', 'versionChanged: [apiVersion]'],
    ['uid', 'uid: u1', 'uid: u2', 'uidChanged: [uid]'],
  ] as const) {
    it(`A13: refuses another ${what} at its line`, () => {
      assert.deepEqual(problemsOf(text.replace(from, to)), [code]);
    });
  }

  it('A13: refuses a text without its name', () => {
    assert.deepEqual(problemsOf(text.replace('  name: web\n', '')).length, 1);
  });

  it('refuses hidden fields that were typed in, at their lines', () => {
    assert.deepEqual(problemsOf(`${text}status:\n  replicas: 1\n`), ['hiddenField: [status]']);
    const generation = text.replace('  name: web\n', '  generation: 2\n  name: web\n');
    assert.deepEqual(problemsOf(generation), ['hiddenField: [generation]']);
  });

  it('G6: refuses broken YAML', () => {
    assert.equal(problemsOf(`${text}\tx: 1\n`).length > 0, true);
  });

  it('refuses a second document', () => {
    assert.equal(problemsOf(`${text}---\n${text}`).length > 0, true);
  });

  it('H1: refuses plain text under data of a Secret, at its place', () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\n  namespace: shop\ndata:\n  a: b2s=\n  b: plain!\n';
    assert.deepEqual(problemsOf(secret, { gvk: { group: '', version: 'v1', kind: 'Secret' } }), [
      'secretNotBase64: [plain!]',
    ]);
  });
});
