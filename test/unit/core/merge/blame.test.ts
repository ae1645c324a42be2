import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json.ts';
import { findBlame } from '../../../../src/core/merge/blame.ts';
import { parseFieldPath } from '../../../../src/core/merge/parseFieldPath.ts';

interface Entry {
  readonly manager: string;
  readonly time?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1: Json;
}

function entry({ operation = 'Update', ...rest }: Entry): Json {
  return { apiVersion: 'v1', fieldsType: 'FieldsV1', operation, ...rest };
}

/** The manager that is blamed for a path. */
function blame(live: readonly Entry[], path: string, base?: readonly Entry[]): string | undefined {
  const at = parseFieldPath(path);
  assert.ok(at);
  return findBlame(live.map(entry), base?.map(entry), at)?.manager;
}

const [early, late] = ['2024-05-01T10:00:00Z', '2024-05-01T10:00:07Z'];
const owns = (manager: string, fieldsV1: Json, time = early): Entry => ({ manager, fieldsV1, time });

describe('findBlame', () => {
  it('finds the owner of a field', () => {
    const entries = [
      owns('a', { 'f:spec': { 'f:replicas': {} } }),
      owns('b', { 'f:spec': { 'f:paused': {} } }),
    ];
    assert.equal(blame(entries, 'spec.replicas'), 'a');
    assert.equal(blame(entries, 'spec.paused'), 'b');
    assert.equal(blame(entries, 'spec.strategy'), undefined);
  });

  it('finds the owner of an element’s field, however its keys are spelled', () => {
    const fields = (key: string): Json => ({ 'f:spec': { 'f:ports': { [key]: { '.': {}, 'f:name': {} } } } });
    for (const key of [
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"protocol":"TCP","port":80}',
      'k:{ "protocol": "T\\u0043P", "port": 80 }',
    ]) {
      assert.equal(blame([owns('a', fields(key))], 'spec.ports[port=80,protocol=TCP].name'), 'a');
      assert.equal(blame([owns('a', fields(key))], 'spec.ports[port=80,protocol=TCP]'), 'a');
    }
    assert.equal(
      blame([owns('a', fields('k:{"port":80,"protocol":"UDP"}'))], 'spec.ports[port=80,protocol=TCP].name'),
      undefined,
    );
    assert.equal(
      blame([owns('a', fields('k:not json'))], 'spec.ports[port=80,protocol=TCP].name'),
      undefined,
    );
  });

  it('finds the owner of a set’s value and of an element by index', () => {
    assert.equal(
      blame(
        [owns('a', { 'f:metadata': { 'f:finalizers': { 'v:"x/y"': {} } } })],
        'metadata.finalizers[=x/y]',
      ),
      'a',
    );
    assert.equal(blame([owns('a', { 'f:spec': { 'f:list': { 'i:2': {} } } })], 'spec.list[2]'), 'a');
  });

  it('takes the owner of a whole for the owner of its parts', () => {
    const entries = [owns('a', { 'f:spec': { 'f:selector': {} } })];
    assert.equal(blame(entries, 'spec.selector.matchLabels.app'), 'a');
  });

  it('takes the owner of parts for the owner of the whole that was added', () => {
    const entries = [owns('a', { 'f:metadata': { 'f:annotations': { '.': {}, 'f:x': {} } } })];
    assert.equal(blame(entries, 'metadata.annotations'), 'a');
  });

  it('prefers who did not own the field on base', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    const base = [owns('a', fields, late)];
    assert.equal(blame([...base, owns('b', fields, early)], 'spec.replicas', base), 'b');
  });

  it('prefers who has written since base', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    const base = [owns('a', fields, early), owns('b', fields, early)];
    assert.equal(blame([owns('a', fields, late), owns('b', fields, early)], 'spec.replicas', base), 'a');
  });

  it('prefers the latest of several', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    assert.equal(blame([owns('a', fields, late), owns('b', fields, early)], 'spec.replicas'), 'a');
    assert.equal(blame([owns('a', fields, early), owns('b', fields, late)], 'spec.replicas', []), 'b');
  });

  it('compares times as times', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    const entries = [
      owns('a', fields, '2024-05-01T12:00:00+02:00'),
      owns('b', fields, '2024-05-01T10:00:01Z'),
    ];
    assert.equal(blame(entries, 'spec.replicas'), 'b');
  });

  it('blames the only one who has written since for a field that is gone', () => {
    const base = [owns('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }), owns('b', { 'f:data': {} })];
    const live = [owns('a', { 'f:spec': { 'f:replicas': {} } }, late), owns('b', { 'f:data': {} })];
    assert.equal(blame(live, 'spec.paused', base), 'a');
    const both = [owns('a', { 'f:spec': { 'f:replicas': {} } }, late), owns('b', { 'f:data': {} }, late)];
    assert.equal(blame(both, 'spec.paused', base), undefined);
  });

  it('tells operation, time and subresource', () => {
    const live = [
      entry({
        manager: 'hpa',
        operation: 'Apply',
        subresource: 'scale',
        time: early,
        fieldsV1: { 'f:spec': {} },
      }),
    ];
    assert.deepEqual(findBlame(live, undefined, [{ kind: 'member', key: 'spec' }]), {
      manager: 'hpa',
      operation: 'Apply',
      time: early,
      subresource: 'scale',
    });
  });

  it('knows nothing where there are no managed fields, or broken ones', () => {
    for (const broken of [
      undefined,
      null,
      {},
      'x',
      [1, null, {}, { fieldsV1: 3 }, { manager: 'a', fieldsV1: [] }],
    ] as const) {
      assert.equal(findBlame(broken, broken, [{ kind: 'member', key: 'spec' }]), undefined);
    }
  });
});
