import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Outcome } from '../../../src/core/errors.ts';
import { TreeRights } from '../../../src/editor/treeRights.ts';
import type { KindNode } from '../../../src/editor/treeNodes.ts';
import type { ClusterPort } from '../../../src/sync/clusterPort.ts';
import { settled } from '../../support/fakeClock.ts';
import { fakeType } from '../../support/fakeClusters.ts';
import { TreeHarness } from './treeHarness.ts';

const scalable = fakeType('apps/v1', 'Deployment', 'deployments', {
  verbs: ['get', 'list', 'watch', 'update', 'delete'],
  subresources: ['scale', 'status'],
});

/** The node of Deployments in a scope, and what was asked about them; only deleting is allowed. */
async function ask(scope: string, answer: (verb: string, part?: string) => Outcome<boolean>) {
  const harness = new TreeHarness();
  await harness.openContext(['shop']);
  const node = (await harness.openKind(scope, 'Workloads', 'Deployment', [scalable])) as KindNode;
  const asked: string[] = [];
  const shownAnew: KindNode[] = [];
  const cluster: Pick<ClusterPort, 'isAllowed'> = {
    isAllowed: ({ namespace = '', name }, verb, _signal, part) => {
      asked.push(`${verb} ${part ?? 'object'} in ${namespace}${name}`);
      return Promise.resolve(answer(verb, part));
    },
  };
  const rights = new TreeRights(
    { connect: () => cluster as ClusterPort },
    (kind) => shownAnew.push(kind),
    (error) => asked.push(String(error)),
  );
  const first = rights.deniedOn(node);
  await settled();
  return { rights, node, asked, shownAnew, first };
}

describe('what is offered on rows of the tree', () => {
  it('is asked once for a kind in a namespace; its rows are shown anew without what is denied', async () => {
    const { rights, node, asked, shownAnew, first } = await ask('namespace shop', (verb) => ({
      kind: 'ok',
      value: verb === 'delete',
    }));
    assert.deepEqual([...first], []);
    assert.deepEqual([...rights.deniedOn(node)].sort(), ['editStatus', 'scale', 'update']);
    assert.deepEqual(shownAnew, [node]);
    assert.deepEqual(asked.sort(), [
      'delete object in shop',
      'update object in shop',
      'update scale in shop',
      'update status in shop',
    ]);
  });

  it('is all that is served where nothing is denied, or the server does not say', async () => {
    for (const outcome of [
      { kind: 'ok', value: true },
      { kind: 'unreachable', message: 'gone' },
    ] as const) {
      const { rights, node, shownAnew } = await ask('namespace shop', () => outcome);
      assert.deepEqual([...rights.deniedOn(node)], []);
      assert.deepEqual(shownAnew, []);
    }
  });

  it('is not asked across all namespaces, whose rights may differ', async () => {
    const { asked } = await ask('all namespaces', () => ({ kind: 'ok', value: false }));
    assert.deepEqual(asked, []);
  });
});
