import assert from 'node:assert/strict';
import { type FieldPath, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { parseFieldPath } from '../../../../src/core/merge/parseFieldPath.ts';
import { fieldAt, locateField } from '../../../../src/core/text/locate.ts';

const text = `apiVersion: v1
metadata:
  labels: {a: x, "b.c/d": y}
  annotations:
    example.com/owner: me # who
spec:
  containers:
  - name: app
    image: web:1
    args: [-a, -b]
    ports:
    - containerPort: 80
    - containerPort: 80
      protocol: UDP
  empty:
  script: |
    one
    two
`;

/** The text with key and value of the field in brackets. */
function locate(source: string, printed: string): string {
  const path = parseFieldPath(printed);
  assert.ok(path, printed);
  return show(source, path);
}

function show(source: string, path: FieldPath): string {
  const found = locateField(source, path);
  if (found === undefined) return 'nothing';
  const { key, value, isExact } = found;
  const keyText = key === undefined ? '' : `${source.slice(key.start, key.end)}: `;
  return `${isExact ? '' : 'near '}${keyText}⟦${source.slice(value.start, value.end)}⟧`;
}

describe('locateField', () => {
  const places: readonly (readonly [string, string])[] = [
    ['apiVersion', 'apiVersion: ⟦v1⟧'],
    ['metadata.labels.a', 'a: ⟦x⟧'],
    ['metadata.labels[b.c/d]', '"b.c/d": ⟦y⟧'],
    ['metadata.annotations[example.com/owner]', 'example.com/owner: ⟦me⟧'],
    ['spec.containers[name=app].image', 'image: ⟦web:1⟧'],
    ['spec.containers[0].args[=-b]', '⟦-b⟧'],
    ['spec.containers[name=app].args[1]', '⟦-b⟧'],
    ['spec.containers[0].ports[containerPort=80,protocol=UDP]', '⟦containerPort: 80\n      protocol: UDP⟧'],
    ['spec.containers[0].ports[containerPort=80,protocol=TCP]', '⟦containerPort: 80⟧'],
    ['spec.empty', 'empty: ⟦⟧'],
    ['spec.script', 'script: ⟦|\n    one\n    two⟧'],
    ['spec.replicas', 'near spec: '],
    ['spec.containers[name=app].image.x', 'near image: ⟦web:1⟧'],
    ['spec.containers[name=gone].image', 'near containers: '],
    ['nothing.here', 'near ⟦apiVersion'],
  ];
  for (const [path, expected] of places) {
    it(`finds ${path}`, () => {
      const found = locate(text, path);
      assert.ok(found.startsWith(expected), found);
    });
  }

  it('finds a member that a merge key brings in at the merge key, and does not call that exact', () => {
    const merged = 'base: &b {x: 1}\nuse:\n  <<: *b\n';
    assert.equal(show(merged, [member('use'), member('x')]), 'near <<: ⟦*b⟧');
  });

  it('finds the last of a key that stands twice: that is what is read', () => {
    assert.equal(show('a: 1\na: 2\n', [member('a')]), 'a: ⟦2⟧');
  });

  it('finds nothing in a text that is broken or empty', () => {
    assert.equal(show('a: [\n', [member('a')]), 'nothing');
    assert.equal(show('# x\n', [member('a')]), 'nothing');
  });

  function member(key: string): FieldPath[number] {
    return { kind: 'member', key };
  }
});

describe('fieldAt', () => {
  const at = (needle: string, offset = 0): string | undefined => {
    const path = fieldAt(text, text.indexOf(needle) + offset);
    return path && printFieldPath(path);
  };

  it('names the innermost field under a place of the text', () => {
    assert.equal(at('image'), 'spec.containers[0].image');
    assert.equal(at('web:1', 3), 'spec.containers[0].image');
    assert.equal(at('-b'), 'spec.containers[0].args[1]');
    assert.equal(at('UDP'), 'spec.containers[0].ports[1].protocol');
    assert.equal(at('"b.c/d"'), 'metadata.labels[b.c/d]');
    assert.equal(at('two'), 'spec.script');
    assert.equal(at('- name'), 'spec.containers[0]');
    assert.equal(at('apiVersion'), 'apiVersion');
  });

  it('leads back to every field that locateField found', () => {
    for (const printed of ['spec.containers[0].ports[1].containerPort', 'metadata.labels.a', 'spec.script']) {
      const place = locateField(text, parseFieldPath(printed) ?? []);
      const path = fieldAt(text, place?.value.start ?? 0);
      assert.equal(path && printFieldPath(path), printed);
    }
  });

  it('is nothing for a broken text, and no field outside of all of them', () => {
    assert.equal(fieldAt('a: [\n', 0), undefined);
    assert.deepEqual(fieldAt('# x\na: 1\n', 1), []);
  });
});
