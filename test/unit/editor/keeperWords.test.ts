import assert from 'node:assert/strict';
import { findKeepers } from '../../../src/core/resource/keepers.ts';
import { describeReturn } from '../../../src/editor/keeperWords.ts';

describe('describeReturn', () => {
  const said = (metadata: Parameters<typeof findKeepers>[0]): readonly string[] =>
    findKeepers({ metadata }).map(describeReturn);

  it('says who may bring a deleted object back, and when', () => {
    const owner = { kind: 'ReplicaSet', name: 'web-1', controller: true };
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    assert.deepEqual(said({ ownerReferences: [owner], labels }), [
      'ReplicaSet web-1 owns it: its controller may put another in its place.',
      'Flux (Kustomization apps) manages it: the next reconciliation creates it anew, usually within minutes.',
    ]);
    assert.deepEqual(said({ annotations: { 'meta.helm.sh/release-name': 'shop' } }), [
      'Helm (release shop) manages it: the next upgrade or rollback may create it anew.',
    ]);
    assert.deepEqual(said({ labels: { 'argocd.argoproj.io/instance': 'shop' } }), [
      'Argo CD (application shop) manages it: the next sync creates it anew, maybe within minutes.',
    ]);
    assert.deepEqual(said({ labels: { 'app.kubernetes.io/managed-by': 'pulumi' } }), [
      'By its label app.kubernetes.io/managed-by, pulumi manages it and may create it anew.',
    ]);
  });

  it('says nothing of an object that nobody else keeps', () => {
    assert.deepEqual(said({ ownerReferences: [{ kind: 'Node', name: 'one' }] }), []);
  });
});
