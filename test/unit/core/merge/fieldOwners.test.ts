import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json.ts';
import type { FieldPath, PathSegment } from '../../../../src/core/merge/fieldPath.ts';
import { findFieldOwners } from '../../../../src/core/merge/fieldOwners.ts';

const member = (key: string): PathSegment => ({ kind: 'member', key });
const index = (at: number): PathSegment => ({ kind: 'index', index: at });

const early = '2024-05-01T10:00:00Z';
const late = '2024-05-01T10:00:07Z';

function owns(manager: string, fieldsV1: Json, time = early): Json {
  return { manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', time, fieldsV1 };
}

function owners(entries: readonly Json[], value: Json, path: FieldPath): string[] {
  return findFieldOwners(entries, value, path).map(({ manager }) => manager);
}

describe('findFieldOwners', () => {
  it('names all managers of a field, the latest first', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    const entries = [owns('a', fields), owns('b', fields, late), owns('c', { 'f:spec': { 'f:paused': {} } })];
    assert.deepEqual(owners(entries, { spec: { replicas: 1 } }, [member('spec'), member('replicas')]), [
      'b',
      'a',
    ]);
  });

  it('finds the owner of an element that a text names by its place, wherever the server has it', () => {
    const of = (name: string): Json => ({
      'f:containers': { [`k:{"name":"${name}"}`]: { '.': {}, 'f:image': {} } },
    });
    const value = {
      containers: [
        { name: 'log', image: 'l' },
        { image: 'w', name: 'web' },
      ],
    };
    const entries = [owns('a', of('web')), owns('b', of('log'))];
    const image = (at: number): FieldPath => [member('containers'), index(at), member('image')];
    assert.deepEqual(owners(entries, value, image(0)), ['b']);
    assert.deepEqual(owners(entries, value, image(1)), ['a']);
    assert.deepEqual(owners(entries, { containers: [{ image: 'x' }] }, image(0)), []);
  });

  it('takes a key that the text leaves out for its default, unless another element spells it out', () => {
    const port = (protocol: string): Json => ({
      'f:ports': { [`k:{"port":53,"protocol":"${protocol}"}`]: { '.': {}, 'f:name': {} } },
    });
    const value = {
      ports: [
        { port: 53, name: 'dns' },
        { port: 53, protocol: 'UDP', name: 'dns-udp' },
      ],
    };
    const entries = [owns('udp', port('UDP')), owns('tcp', port('TCP'))];
    assert.deepEqual(owners(entries, value, [member('ports'), index(0), member('name')]), ['tcp']);
    assert.deepEqual(owners(entries, value, [member('ports'), index(1), member('name')]), ['udp']);
  });

  it('finds the owner of a set’s value and of a list that is owned as a whole', () => {
    const entries = [
      owns('a', { 'f:finalizers': { 'v:"x"': {} }, 'f:args': {} }),
      owns('b', { 'f:finalizers': { 'v:"y"': {} } }),
    ];
    const value = { finalizers: ['y', 'x'], args: ['one'] };
    assert.deepEqual(owners(entries, value, [member('finalizers'), index(0)]), ['b']);
    assert.deepEqual(owners(entries, value, [member('args'), index(0)]), ['a']);
  });

  it('finds nobody where the entries cannot be read', () => {
    assert.deepEqual(
      owners(['x', owns('a', { 'f:l': { 'k:oops': {} } })], { l: [1] }, [member('l'), index(0)]),
      [],
    );
    assert.deepEqual(findFieldOwners(undefined, {}, [member('spec')]), []);
  });
});
