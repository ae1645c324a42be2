import assert from 'node:assert/strict';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { foldStringData } from '../../../../src/core/resource/editableObject.ts';
import { locateField } from '../../../../src/core/text/locate.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { editSpelled } from '../../../../src/core/text/secretText.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Secret' });

const encoded = `apiVersion: v1
kind: Secret
metadata:
  name: keys
data:
  # who signs in
  user: YWRtaW4=   # since May
  word: aHVudGVyMg==
type: Opaque
`;
const decoded = `apiVersion: v1
kind: Secret
metadata:
  name: keys
stringData:
  # who signs in
  user: admin   # since May
  word: hunter2
type: Opaque
`;

function respell(text: string, spelling: 'encoded' | 'decoded'): string {
  const read = readDocument(text, schema);
  assert.ok(read.kind === 'ok');
  return editSpelled(text, foldStringData(read.value), { schema, spelling });
}

describe('editSpelled', () => {
  it('H1: decodes the values in their places and encodes them again, comments kept', () => {
    assert.equal(respell(encoded, 'decoded'), decoded);
    assert.equal(respell(decoded, 'encoded'), encoded);
  });

  it('H1: brings a text of several lines back as one line of base64', () => {
    const text = encoded.replace('aHVudGVyMg==', 'YQpiCg==');
    assert.equal(respell(respell(text, 'decoded'), 'encoded'), text);
  });

  it('H1: leaves what is binary under data, and writes texts of several lines as blocks', () => {
    const text = encoded.replace('aHVudGVyMg==', 'AAEC').replace('YWRtaW4=   # since May', 'YQpiCg==');
    assert.equal(
      respell(text, 'decoded'),
      `apiVersion: v1
kind: Secret
metadata:
  name: keys
data:
  word: AAEC
stringData:
  # who signs in
  user: |
    a
    b
type: Opaque
`,
    );
  });

  it('H1: writes a key that the text had in both spellings once, as the server reads it', () => {
    const both = decoded.replace('stringData:', 'data:\n  word: b2xk\nstringData:');
    assert.equal(respell(both, 'decoded'), decoded);
  });

  it('leaves other kinds as they are', () => {
    const other = encoded.replace('kind: Secret', 'kind: ConfigMap');
    assert.equal(respell(other, 'decoded'), other);
  });
});

describe('locateField', () => {
  it('H1: finds a value of data where the text writes it under stringData', () => {
    const path = ['data', 'word'].map((key) => ({ kind: 'member', key }) as const);
    const found = locateField(decoded, path);
    assert.equal(found && decoded.slice(found.value.start, found.value.end), 'hunter2');
    const other = decoded.replace('kind: Secret', 'kind: Other');
    assert.equal(locateField(other, path)?.isExact, false);
  });
});
