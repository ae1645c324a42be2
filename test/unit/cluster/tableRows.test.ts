import assert from 'node:assert/strict';
import { RowReader } from '../../../src/cluster/tableRows.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { toResourceVersion } from '../../../src/core/resource/snapshot.ts';

const columnDefinitions = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Ready', type: 'string', format: '', priority: 0 },
  { name: 'Status', type: 'string', format: '', priority: 0 },
  { name: 'Restarts', type: 'string', format: '', priority: 0 },
  { name: 'Age', type: 'string', format: '', priority: 0 },
  { name: 'IP', type: 'string', format: '', priority: 1 },
];

const metadata = {
  name: 'web-1',
  namespace: 'shop',
  uid: 'u1',
  resourceVersion: '7',
  creationTimestamp: '2030-01-01T00:00:00Z',
};

const cells = ['web-1', '1/1', 'Running', '3 (5m ago)', '9d', '10.0.0.1'];

function table(
  row: { readonly cells?: readonly string[]; readonly more?: JsonObject },
  isFirst = true,
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: isFirst ? columnDefinitions : null,
    rows: [
      {
        cells: row.cells ?? cells,
        object: {
          kind: 'PartialObjectMetadata',
          metadata: { ...metadata, labels: { app: 'web' }, managedFields: [{}], ...row.more },
        },
      },
    ],
  };
}

describe('rows of a list', () => {
  it('hold the metadata that rows need and the columns of kubectl get, without what ages', () => {
    assert.deepEqual(new RowReader().readList(table({})), [
      { metadata, summary: '1/1 ready · Running · 3 restarts' },
    ]);
  });

  it('leave out cells that say nothing', () => {
    const [row] =
      new RowReader().readList(table({ cells: ['web-1', '<none>', '', '<unknown>', '9d'] })) ?? [];
    assert.deepEqual(row, { metadata });
  });

  it('are bounded, whatever a server shows: a long cell is cut, and labels, annotations and owners left out', () => {
    const long = 'x'.repeat(10_000);
    const more = { labels: { long }, annotations: { long }, ownerReferences: [{ kind: long, name: long }] };
    const [row] = new RowReader().readList(table({ cells: ['web-1', long, long, '0', '9d'], more })) ?? [];
    assert.ok(row);
    assert.deepEqual(row.metadata, metadata);
    assert.ok(JSON.stringify(row).length < 400, String(JSON.stringify(row).length));
  });

  it('name the controller, but no other owner', () => {
    const owners = [
      { kind: 'Team', name: 'blue' },
      { kind: 'ReplicaSet', name: 'web', controller: true },
    ];
    const [row] = new RowReader().readList(table({ more: { ownerReferences: owners } })) ?? [];
    assert.equal(row?.owner, 'ReplicaSet web');
    const [other] = new RowReader().readList(table({ more: { ownerReferences: owners.slice(0, 1) } })) ?? [];
    assert.equal(other?.owner, undefined);
  });

  it('tell the mirror of a static pod, which the node owns', () => {
    const more = {
      annotations: { 'kubernetes.io/config.mirror': 'hash' },
      ownerReferences: [{ kind: 'Node', name: 'n1', controller: true }],
    };
    assert.equal(new RowReader().readList(table({ more }))?.[0]?.owner, 'static pod');
  });

  it('come without columns from a server that has no Tables', () => {
    const items = [{ metadata: { ...metadata, labels: {} }, spec: { replicas: 1 } }];
    assert.deepEqual(new RowReader().readList({ kind: 'PodList', items }), [{ metadata }]);
    assert.deepEqual(new RowReader().readList({ kind: 'PodList', items: null }), []);
    assert.equal(new RowReader().readList({ kind: 'PodList', items: 'none' }), undefined);
  });

  it('of a watch keep the columns that only its first event names', () => {
    const reader = new RowReader();
    reader.readEvent({ kind: 'added', object: table({}) });
    const pending = ['web-1', '0/1', 'Pending', '0', '1s'];
    assert.deepEqual(reader.readEvent({ kind: 'modified', object: table({ cells: pending }, false) }), {
      kind: 'modified',
      object: { metadata, summary: '0/1 ready · Pending · 0 restarts' },
    });
  });

  it('of a watch let all but objects pass, and drop a Table without a row', () => {
    const reader = new RowReader();
    const resourceVersion = toResourceVersion('9');
    assert.ok(resourceVersion);
    const bookmark = { kind: 'bookmark', resourceVersion, isInitialEventsEnd: false } as const;
    assert.equal(reader.readEvent(bookmark), bookmark);
    assert.equal(reader.readEvent({ kind: 'added', object: { kind: 'Table', rows: [] } }), undefined);
  });
});
