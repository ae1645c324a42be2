import assert from 'node:assert/strict';
import { type JsonObject, memberAt, withMember } from '../../../../src/core/json.ts';
import {
  findHiddenFields,
  foldStringData,
  lastAppliedAnnotation,
  restoreHidden,
  toCreatable,
  toEditable,
  toVisible,
} from '../../../../src/core/resource/editableObject.ts';

const traits = { hasStatusSubresource: true };

const live: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    resourceVersion: '7',
    uid: 'u',
    generation: 3,
    annotations: { [lastAppliedAnnotation]: '{"secret":1}', owner: 'a' },
    managedFields: [{ manager: 'kubectl' }],
  },
  spec: { replicas: 1, newerThanUs: { deep: [1] } },
  status: { readyReplicas: 1 },
};

describe('what a live document shows', () => {
  it('leaves out managedFields, generation, status and the last-applied annotation', () => {
    assert.deepEqual(toVisible(live, traits), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', resourceVersion: '7', uid: 'u', annotations: { owner: 'a' } },
      spec: { replicas: 1, newerThanUs: { deep: [1] } },
    });
  });

  it('keeps status where it is no subresource', () => {
    assert.deepEqual(memberAt(toVisible(live, { hasStatusSubresource: false }), 'status'), {
      readyReplicas: 1,
    });
  });

  it('shows no annotations where only the hidden one is there', () => {
    const only = withMember(live, 'metadata', {
      name: 'web',
      annotations: { [lastAppliedAnnotation]: '{}' },
    });
    assert.deepEqual(memberAt(toVisible(only, traits), 'metadata'), { name: 'web' });
  });
});

describe('what a save sends', () => {
  it('F9: is the whole live object again where nothing was edited, byte for byte', () => {
    assert.deepEqual(restoreHidden(toEditable(live, traits), live, traits), live);
  });

  it('takes what is hidden from live, never from the text', () => {
    const newer = withMember(live, 'status', { readyReplicas: 2 });
    const edited = withMember(toEditable(live, traits), 'status', { readyReplicas: 99 });
    assert.deepEqual(memberAt(restoreHidden(edited, newer, traits), 'status'), { readyReplicas: 2 });
  });

  it('C5: keeps fields that nobody here knows', () => {
    assert.deepEqual(memberAt(restoreHidden(toEditable(live, traits), live, traits), 'spec', 'newerThanUs'), {
      deep: [1],
    });
  });

  it('brings the last-applied annotation back where all others were removed', () => {
    const edited = withMember(toEditable(live, traits), 'metadata', { name: 'web' });
    assert.deepEqual(memberAt(restoreHidden(edited, live, traits), 'metadata', 'annotations'), {
      [lastAppliedAnnotation]: '{"secret":1}',
    });
  });
});

it('names each hidden field that was typed in', () => {
  assert.deepEqual(
    findHiddenFields(live, traits).map((path) => path.join('.')),
    [
      'metadata.managedFields',
      'metadata.generation',
      `metadata.annotations.${lastAppliedAnnotation}`,
      'status',
    ],
  );
  assert.deepEqual(findHiddenFields(toVisible(live, traits), traits), []);
});

it('A12: creates without uid, version, status, generation and deletion fields', () => {
  const deleted = withMember(live, 'metadata', {
    name: 'web',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: 'x',
    deletionTimestamp: 'y',
    deletionGracePeriodSeconds: 0,
    labels: { a: 'b' },
  });
  const creatable = toCreatable(deleted);
  assert.deepEqual(creatable['metadata'], { name: 'web', labels: { a: 'b' } });
  assert.equal(creatable['status'], undefined);
});

describe('H1: a Secret', () => {
  it('holds stringData as data, which wins over data of the same key', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      data: { a: 'b2xk', b: 'a2VwdA==' },
      stringData: { a: 'neu – ß' },
    };
    assert.deepEqual(foldStringData(secret), {
      apiVersion: 'v1',
      kind: 'Secret',
      data: { a: Buffer.from('neu – ß').toString('base64'), b: 'a2VwdA==' },
    });
  });

  it('is the only kind with such a field', () => {
    const other = { apiVersion: 'example.com/v1', kind: 'Secret', stringData: { a: 'b' } };
    assert.equal(foldStringData(other), other);
  });
});

describe('the status alone', () => {
  const traits = { hasStatusSubresource: true, isStatusOnly: true };
  const live: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', labels: { a: 'b' } },
    spec: { replicas: 1 },
    status: { replicas: 1 },
  };

  it('shows the status and which object it is of', () => {
    assert.deepEqual(toVisible(live, traits), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' },
      status: { replicas: 1 },
    });
  });

  it('is sent with all the rest as it is on the server', () => {
    const edited = { ...toEditable(live, traits), status: { replicas: 2 } };
    assert.deepEqual(restoreHidden(edited, live, traits), { ...live, status: { replicas: 2 } });
    const { status: _none, ...without } = live;
    assert.deepEqual(restoreHidden(toEditable(without, traits), live, traits), without);
  });

  it('takes nothing else that was typed', () => {
    const text = { ...live, metadata: { name: 'web', labels: {} } };
    assert.deepEqual(findHiddenFields(text, traits), [['spec'], ['metadata', 'labels']]);
  });
});
