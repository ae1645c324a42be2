import assert from 'node:assert/strict';
import { type FieldPath, printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { parseFieldPath } from '../../../../src/core/merge/parseFieldPath.ts';

const member = (key: string): FieldPath[number] => ({ kind: 'member', key });

describe('printFieldPath and parseFieldPath', () => {
  const cases: readonly (readonly [string, FieldPath])[] = [
    ['', []],
    [
      'spec.template.spec.containers[name=app].image',
      [
        ...['spec', 'template', 'spec', 'containers'].map(member),
        { kind: 'element', keys: { name: 'app' } },
        member('image'),
      ],
    ],
    [
      'metadata.annotations[example.com/owner]',
      [member('metadata'), member('annotations'), member('example.com/owner')],
    ],
    ['metadata.finalizers[=x]', [member('metadata'), member('finalizers'), { kind: 'value', value: 'x' }]],
    ['spec.args[0]', [member('spec'), member('args'), { kind: 'index', index: 0 }]],
    [
      'spec.ports[port=53,protocol=UDP]',
      [member('spec'), member('ports'), { kind: 'element', keys: { port: 53, protocol: 'UDP' } }],
    ],
    ['data["0"]', [member('data'), member('0')]],
    ['data[app.properties]', [member('data'), member('app.properties')]],
    ['data["a=b"]', [member('data'), member('a=b')]],
    ['x[name="80"]', [member('x'), { kind: 'element', keys: { name: '80' } }]],
    ['x[name=80]', [member('x'), { kind: 'element', keys: { name: 80 } }]],
    ['x[name="a,b"]', [member('x'), { kind: 'element', keys: { name: 'a,b' } }]],
    ['x[=true]', [member('x'), { kind: 'value', value: true }]],
    ['x[="true"]', [member('x'), { kind: 'value', value: 'true' }]],
    ['x[=null]', [member('x'), { kind: 'value', value: null }]],
    ['x[=a=b]', [member('x'), { kind: 'value', value: 'a=b' }]],
    ['x[={"a":["]"]}].y', [member('x'), { kind: 'value', value: { a: [']'] } }, member('y')]],
    ['x[=9007199254740993]', [member('x'), { kind: 'value', value: 9007199254740993n }]],
    ['[a/b].c', [member('a/b'), member('c')]],
  ];

  for (const [text, path] of cases) {
    it(`prints and reads ${JSON.stringify(text)}`, () => {
      assert.equal(printFieldPath(path), text);
      assert.deepEqual(parseFieldPath(text), path);
    });
  }

  for (const text of [
    'a..b',
    '.a',
    'a.',
    'a[',
    'a[x',
    'a[x=',
    'a[x=1',
    'a[x=1,',
    'a["x]',
    'a]b',
    'a b',
    'a[{]',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseFieldPath(text), undefined);
    });
  }
});
