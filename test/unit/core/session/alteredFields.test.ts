import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/core/json.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { findAltered } from '../../../../src/core/session/alteredFields.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Pod' });
const base: JsonObject = {
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { priority: 5, containers: [{ name: 'app', image: 'web:0' }] },
};

/** Printed paths of what came back otherwise: where mine had changed something, and elsewhere. */
function compare(mine: JsonObject, received: JsonObject): readonly [readonly string[], readonly string[]] {
  const { altered, mutated } = findAltered({ base, mine }, mine, received, schema);
  return [altered.map(({ path }) => printFieldPath(path)), mutated.map(({ path }) => printFieldPath(path))];
}

function withSpec(spec: JsonObject): JsonObject {
  return { ...base, spec: { ...(base.spec as JsonObject), ...spec } };
}

const defaults = { imagePullPolicy: 'Always', terminationMessagePath: '/dev/termination-log' };

describe('an answer compared with what was sent', () => {
  it('says nothing of defaults under an element or a mapping that was added', () => {
    const added = { name: 'side', image: 'side:0', ports: [{ containerPort: 80 }] };
    const app = { name: 'app', image: 'web:0' };
    const mine = withSpec({ containers: [app, added], affinity: { nodeAffinity: {} } });
    const received = withSpec({
      containers: [app, { ...added, ports: [{ containerPort: 80, protocol: 'TCP' }], ...defaults }],
      affinity: { nodeAffinity: {}, podAffinity: { weight: 1 } },
    });
    assert.deepEqual(compare(mine, received), [[], []]);
  });

  it('says nothing of defaults in a list that is one value, nor of an empty value left out', () => {
    const mine = withSpec({ tolerations: [{ key: 'gpu' }], nodeSelector: {}, hostAliases: [] });
    const received = withSpec({ tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    assert.deepEqual(compare(mine, received), [[], []]);
  });

  it('names what mine changed and came back as something else, or not at all', () => {
    const mine = withSpec({ containers: [{ name: 'app', image: 'web:1', tty: true }], hostname: 'web' });
    const received = withSpec({ containers: [{ name: 'app', image: 'proxy/web:1', tty: true }] });
    assert.deepEqual(compare(mine, received), [['spec.containers[name=app].image', 'spec.hostname'], []]);
  });

  it('names what mine took away and that is back', () => {
    const { priority: _gone, ...spec } = base.spec as Record<string, never>;
    assert.deepEqual(compare({ ...base, spec }, base), [['spec.priority'], []]);
  });

  it('names apart what was set where mine changed nothing', () => {
    const mine = withSpec({ hostname: 'web' });
    const received = { ...mine, metadata: { name: 'web', labels: { app: 'web', injected: 'yes' } } };
    assert.deepEqual(compare(mine, received), [[], ['metadata.labels.injected']]);
  });
});
