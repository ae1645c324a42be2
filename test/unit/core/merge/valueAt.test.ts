import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { valueAt } from '../../../../src/core/merge/valueAt.ts';

const service = {
  metadata: { finalizers: ['a', 'b'], labels: { tier: 'web' } },
  spec: {
    ports: [
      { port: 53, nodePort: 1 },
      { port: 53, protocol: 'UDP', nodePort: 2 },
    ],
    args: ['x', 'y'],
  },
};

const spec: FieldPath = [{ kind: 'member', key: 'spec' }];
const ports: FieldPath = [...spec, { kind: 'member', key: 'ports' }];

describe('valueAt', () => {
  it('follows members', () => {
    assert.deepEqual(valueAt(service, []), service);
    assert.deepEqual(valueAt(service, spec), service.spec);
    assert.equal(valueAt(service, [...spec, { kind: 'member', key: 'toString' }]), undefined);
  });

  it('finds elements by their keys, a missing key standing for its default', () => {
    const element = (protocol: string): FieldPath => [
      ...ports,
      { kind: 'element', keys: { port: 53, protocol } },
      { kind: 'member', key: 'nodePort' },
    ];
    assert.equal(valueAt(service, element('UDP')), 2);
    assert.equal(valueAt(service, element('TCP')), 1);
    assert.equal(valueAt(service, [...ports, { kind: 'element', keys: { port: 80 } }]), undefined);
  });

  it('finds values of sets and elements by index', () => {
    const finalizers: FieldPath = [
      { kind: 'member', key: 'metadata' },
      { kind: 'member', key: 'finalizers' },
    ];
    assert.equal(valueAt(service, [...finalizers, { kind: 'value', value: 'b' }]), 'b');
    assert.equal(valueAt(service, [...finalizers, { kind: 'value', value: 'c' }]), undefined);
    assert.equal(
      valueAt(service, [...spec, { kind: 'member', key: 'args' }, { kind: 'index', index: 1 }]),
      'y',
    );
  });
});
