import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { secretProblems } from '../../../../src/core/session/secretProblems.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';
import type { TextProblem } from '../../../../src/core/text/textProblem.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Secret' });
const encode = (text: string): string => Buffer.from(text).toString('base64');
const secret = (members: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\n${members}type: Opaque\n`;
const base: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  data: { word: encode('hunter2'), blob: 'AAEC' },
};

function problemsOf(text: string, from?: JsonObject): TextProblem[] {
  const read = readDocument(text, schema);
  assert.ok(read.kind === 'ok');
  return secretProblems(text, read.value, { schema, ...(from === undefined ? {} : { base: from }) });
}

/** Each problem as `CODE: [the marked text]`. */
function shown(text: string, from?: JsonObject): string[] {
  return problemsOf(text, from).map(({ code, range }) => `${code}: [${text.slice(range.start, range.end)}]`);
}

/** The text after each fix of its only problem, by its title. */
function fixed(text: string, from?: JsonObject): Record<string, string> {
  const [problem, ...others] = problemsOf(text, from);
  assert.ok(problem !== undefined && others.length === 0);
  return Object.fromEntries(problem.fixes.map(({ title, edits }) => [title, applyEdits(text, edits)]));
}

describe('problems of a Secret’s values', () => {
  it('H1: are errors where data holds plain text, which one fix encodes once', () => {
    const text = secret(`data:\n  word: hunter 2 # typed\n`);
    assert.deepEqual(shown(text), ['secretNotBase64: [hunter 2]']);
    assert.deepEqual(
      problemsOf(text).map(({ severity }) => severity),
      ['error'],
    );
    const encoded = text.replace('hunter 2', encode('hunter 2'));
    assert.deepEqual(fixed(text), { 'Encode this value as base64': encoded });
    assert.deepEqual(shown(encoded), []);
  });

  it('H1: are errors where data holds text of several lines', () => {
    const text = secret('data:\n  word: |\n    a\n    b!\n');
    assert.deepEqual(shown(text, base), ['secretNotBase64: [word]']);
    assert.deepEqual(Object.values(fixed(text, base)), [
      secret(`data:\n  word: |-\n    ${encode('a\nb!\n')}\n`),
    ]);
  });

  it('H1: warn of a word that is base64 by chance, where there was text before', () => {
    const text = secret(`data:\n  word: password\n  blob: AAEC\n`);
    assert.deepEqual(shown(text, base), ['secretMaybePlain: [password]']);
    assert.equal(
      fixed(text, base)['Encode this value as base64'],
      text.replace('password', encode('password')),
    );
    assert.deepEqual(shown(text), []);
    assert.deepEqual(shown(text.replace('password', encode('other')), base), []);
  });

  it('H1: warn of what would be encoded twice, and decode it or move it', () => {
    const twice = encode('a text that is long enough');
    const text = secret(`stringData:\n  word: ${twice}\n`);
    assert.deepEqual(shown(text), [`secretEncodedTwice: [${twice}]`]);
    assert.deepEqual(fixed(text), {
      'Decode this value': text.replace(twice, 'a text that is long enough'),
      'Move it to data as it is': secret(`data:\n  word: ${twice}\n`),
    });
    assert.deepEqual(shown(secret(`stringData:\n  word: ${encode('hunter2')}\n`), base).length, 1);
  });

  it('H1: say nothing of plain words, of values as they were, and of other kinds', () => {
    assert.deepEqual(shown(secret('stringData:\n  word: password\n  other: ""\n  third: a b\n'), base), []);
    const inner = encode('encoded twice since long');
    const twice = { ...base, data: { word: encode(inner) } };
    assert.deepEqual(shown(secret(`stringData:\n  word: ${inner}\n`), twice), []);
    assert.deepEqual(shown('apiVersion: v1\nkind: ConfigMap\ndata:\n  a: plain text\n'), []);
    assert.deepEqual(shown(secret('data:\n  word: null\n'), base), []);
  });

  it('H1: hold no value in their words', () => {
    for (const text of [
      secret('data:\n  word: hunter 2\n'),
      secret('data:\n  word: password\n'),
      secret(`stringData:\n  word: ${encode('a text that is long enough')}\n`),
    ]) {
      for (const { message, fixes } of problemsOf(text, base)) {
        const words = [message, ...fixes.map(({ title }) => title)].join(' ');
        assert.doesNotMatch(words, /hunter|password|long enough|YSB0/);
      }
    }
  });
});
