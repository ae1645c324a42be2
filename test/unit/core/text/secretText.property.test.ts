import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { decodeData, foldStringData } from '../../../../src/core/resource/editableObject.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { renderObject } from '../../../../src/core/text/renderObject.ts';
import { editSpelled, renderSpelled } from '../../../../src/core/text/secretText.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Secret' });

const key = fc.stringMatching(/^[a-z][a-zA-Z0-9._-]{0,8}$/);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.string(), { maxLength: 4 }).map((lines) => lines.join('\n')),
  fc.constantFrom('true', '0644', '', ' lead', 'end ', '- a', '\n', 'a\r\nb\r\n', '{{ x }}', '\ttab', '…'),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 24 }).map((value) => Buffer.from(value)),
  text.map((value) => Buffer.from(value)),
);
const secret = fc.dictionary(key, bytes, { maxKeys: 5 }).map((data): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys' },
  data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.toString('base64')])),
  type: 'Opaque',
}));

function read(written: string): JsonObject {
  const result = readDocument(written, schema);
  assert.ok(result.kind === 'ok', `not readable:\n${written}`);
  return result.value;
}

describe('a Secret’s text, decoded', () => {
  it('H1: reads as the same bytes, and shows no byte of what is binary', () => {
    fc.assert(
      fc.property(secret, (object) => {
        const written = read(renderSpelled(object, 'decoded'));
        assert.deepEqual(written, decodeData(object));
        const { data: expected } = object;
        const folded = foldStringData(written)['data'] ?? {};
        assert.deepEqual(sorted(folded), sorted(expected));
      }),
      { numRuns: 400 },
    );
  });

  it('H1: follows another version of the object, and goes back to base64, whatever it held before', () => {
    fc.assert(
      fc.property(secret, secret, (first, second) => {
        const decoded = editSpelled(renderObject(first), first, { schema, spelling: 'decoded' });
        assert.deepEqual(read(decoded), decodeData(first));
        const followed = editSpelled(decoded, second, { schema, spelling: 'decoded' });
        assert.deepEqual(read(followed), decodeData(second));
        assert.deepEqual(read(editSpelled(followed, second, { schema, spelling: 'encoded' })), second);
      }),
      { numRuns: 400 },
    );
  });
});

function sorted(data: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(data as JsonObject).sort(([left], [right]) => (left < right ? -1 : 1));
}
