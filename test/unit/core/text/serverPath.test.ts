import assert from 'node:assert/strict';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { type FoundValue, resolveServerPath } from '../../../../src/core/text/serverPath.ts';

const object = {
  metadata: { labels: { app: 'x', tier: true }, annotations: { 'example.com/x': 'y', 'a.b': 'z' } },
  data: { 'app.properties': '1', app: { properties: 2 }, plain: 'x' },
  spec: {
    replicas: 'three',
    finalizers: ['a', 'b'],
    containers: [
      { name: 'app', image: 'a', ports: [{ containerPort: 80 }] },
      { name: 'log', image: 7, ports: [{ containerPort: '80' }], env: [{ name: 'A', value: 1 }] },
    ],
  },
};

function resolve(field: string, found?: FoundValue): string {
  const { path, isExact } = resolveServerPath(object, field, found);
  return `${isExact ? '' : 'near '}${printFieldPath(path)}`;
}

describe('resolveServerPath', () => {
  const fields: readonly (readonly [string, string])[] = [
    ['spec.containers[1].image', 'spec.containers[1].image'],
    ['.spec.replicas', 'spec.replicas'],
    ['metadata.annotations[example.com/x]', 'metadata.annotations[example.com/x]'],
    ['metadata.annotations.example.com/x', 'metadata.annotations[example.com/x]'],
    ['.metadata.annotations.a.b', 'metadata.annotations[a.b]'],
    ['.data.app.properties', 'data[app.properties]'],
    ['.data.plain', 'data.plain'],
    ['data[plain]', 'data.plain'],
    ['.spec.containers[name="log"].env[name="A"].value', 'spec.containers[1].env[0].value'],
    ['spec.containers[name=app].ports[0].containerPort', 'spec.containers[0].ports[0].containerPort'],
    ['spec.containers[name=app].ports[containerPort=80,protocol="TCP"]', 'spec.containers[0].ports[0]'],
    ['spec.finalizers[="b"]', 'spec.finalizers[1]'],
    ['spec.containers.env.value', 'spec.containers[1].env[0].value'],
    ['spec.containers[9].image', 'near spec.containers'],
    ['spec.containers[0].imagee', 'near spec.containers[0]'],
    ['spec.replicaz', 'near spec'],
    ['nothing', 'near '],
    ['<nil>', ''],
    ['', ''],
    ['[[[', 'near '],
  ];
  for (const [field, expected] of fields) {
    it(`finds ${field || 'the root'}`, () => {
      assert.equal(resolve(field), expected);
    });
  }

  it('goes by the type that was found where indices and keys are left out', () => {
    assert.equal(resolve('spec.containers.image', { type: 'number' }), 'spec.containers[1].image');
    assert.equal(
      resolve('spec.containers.ports.containerPort', { type: 'string' }),
      'spec.containers[1].ports[0].containerPort',
    );
    assert.equal(resolve('metadata.labels', { type: 'bool' }), 'metadata.labels.tier');
    assert.equal(resolve('spec.finalizers', { type: 'number' }), 'near spec.finalizers');
    assert.equal(
      resolve('spec.containers.env.value', { type: 'number', text: '1' }),
      'spec.containers[1].env[0].value',
    );
    assert.equal(resolve('spec.containers.image', { type: 'number', text: '8' }), 'near spec.containers');
  });

  it('ends for any field text', () => {
    for (const field of ['....', 'a[', 'a[b', 'spec..containers', 'spec.containers[]', ']']) {
      assert.match(resolve(field), /^near/);
    }
  });
});
