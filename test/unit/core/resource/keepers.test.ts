import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findKeepers } from '../../../../src/core/resource/keepers.ts';
import type { JsonObject } from '../../../../src/core/json.ts';

function object(metadata: JsonObject): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata } };
}

function managedBy(manager: string): JsonObject {
  return { managedFields: [{ manager, operation: 'Apply', fieldsV1: {} }] };
}

describe('keepers of an object', () => {
  it('are none where only people and the system write', () => {
    const plain = object({
      labels: { 'app.kubernetes.io/instance': 'web', 'app.kubernetes.io/managed-by': 'kubectl' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: 'u' }],
      ...managedBy('kubectl-edit'),
    });
    assert.deepEqual(findKeepers(plain), []);
    assert.deepEqual(findKeepers({ metadata: { labels: [], ownerReferences: {}, managedFields: 1 } }), []);
  });

  it('are the controller that owns it', () => {
    const owned = object({
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: 'u' },
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4b', uid: 'v', controller: true },
      ],
    });
    assert.deepEqual(findKeepers(owned), [{ kind: 'controller', ownerKind: 'ReplicaSet', name: 'web-5d4b' }]);
  });

  it('are Helm, by its annotations, its label or its field manager', () => {
    const annotations = { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'prod' };
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' };
    assert.deepEqual(findKeepers(object({ annotations, labels })), [
      { kind: 'helm', release: 'shop', namespace: 'prod' },
    ]);
    assert.deepEqual(findKeepers(object({ labels })), [{ kind: 'helm' }]);
    assert.deepEqual(findKeepers(object(managedBy('helm'))), [{ kind: 'helm' }]);
  });

  it('are Argo CD, by its annotation, its label or its field managers', () => {
    const annotations = { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:prod/web' };
    const labels = { 'argocd.argoproj.io/instance': 'shop' };
    const named = [{ kind: 'argoCd', application: 'shop' }];
    assert.deepEqual(findKeepers(object({ annotations })), named);
    assert.deepEqual(findKeepers(object({ labels })), named);
    assert.deepEqual(findKeepers(object(managedBy('argocd-controller'))), [{ kind: 'argoCd' }]);
    assert.deepEqual(findKeepers(object(managedBy('argocd-application-controller'))), [{ kind: 'argoCd' }]);
  });

  it('are Flux, for a chart too, unless it is told to leave the object alone', () => {
    const labels = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    };
    const kept = [{ kind: 'flux', source: 'Kustomization', name: 'apps', namespace: 'flux-system' }];
    assert.deepEqual(findKeepers(object({ labels })), kept);
    const annotations = { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' };
    assert.deepEqual(findKeepers(object({ labels, annotations })), []);
    assert.deepEqual(findKeepers(object(managedBy('kustomize-controller'))), [
      { kind: 'flux', source: 'Kustomization' },
    ]);
    const chart = {
      labels: {
        'helm.toolkit.fluxcd.io/name': 'shop',
        'helm.toolkit.fluxcd.io/namespace': 'prod',
        'app.kubernetes.io/managed-by': 'Helm',
      },
    };
    assert.deepEqual(findKeepers(object(chart)), [
      { kind: 'flux', source: 'HelmRelease', name: 'shop', namespace: 'prod' },
    ]);
  });

  it('are any other tool that the label names, and several at once', () => {
    const labels = { 'app.kubernetes.io/managed-by': 'shop-operator' };
    const ownerReferences = [{ kind: 'Shop', name: 'main', controller: true }];
    assert.deepEqual(findKeepers(object({ labels, ownerReferences })), [
      { kind: 'controller', ownerKind: 'Shop', name: 'main' },
      { kind: 'tool', name: 'shop-operator' },
    ]);
  });
});
