import assert from 'node:assert/strict';
import { collectionPath, objectPath } from '../../../src/cluster/resourceUrl.ts';

describe('paths', () => {
  it('E4: kinds of the same name in two groups have endpoints of their own', () => {
    const core = {
      context: 'c',
      namespace: 'n',
      name: 'x',
      gvr: { group: '', version: 'v1', resource: 'services' },
    };
    const other = { ...core, gvr: { group: 'serving.knative.dev', version: 'v1', resource: 'services' } };
    assert.equal(objectPath(core, undefined), '/api/v1/namespaces/n/services/x');
    assert.equal(objectPath(other, 'status'), '/apis/serving.knative.dev/v1/namespaces/n/services/x/status');
  });

  it('encode every part, and keep its case', () => {
    const gvr = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
    const path = objectPath({ context: 'c', name: 'MyRole:a/b?c#d%', gvr }, undefined, {
      dryRun: 'All',
      x: undefined,
    });
    assert.equal(
      path,
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/MyRole%3Aa%2Fb%3Fc%23d%25?dryRun=All',
    );
    assert.equal(
      collectionPath({ context: 'c', gvr }, { fieldSelector: 'metadata.name=a' }).split('?')[1],
      'fieldSelector=metadata.name%3Da',
    );
  });
});
