/** An object that a test creates. */
export interface TestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>>;
}

/** Where objects of a kind are served. */
export interface TestResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

const resources: Readonly<Record<string, { readonly resource: string; readonly isNamespaced: boolean }>> = {
  ConfigMap: { resource: 'configmaps', isNamespaced: true },
  Deployment: { resource: 'deployments', isNamespaced: true },
  HorizontalPodAutoscaler: { resource: 'horizontalpodautoscalers', isNamespaced: true },
  Lease: { resource: 'leases', isNamespaced: true },
  Node: { resource: 'nodes', isNamespaced: false },
  Pod: { resource: 'pods', isNamespaced: true },
  Secret: { resource: 'secrets', isNamespaced: true },
  Service: { resource: 'services', isNamespaced: true },
  Widget: { resource: 'widgets', isNamespaced: true },
};

export function resourceOf({ apiVersion, kind }: TestObject): TestResource {
  const found = resources[kind];
  if (found === undefined) throw new Error(`no test has made a ${kind} yet`);
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, ...found };
}

/** Two containers, so that lists have an order. */
export function deployment(spec: Readonly<Record<string, unknown>> = {}): TestObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web', tier: 'front' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            { name: 'log', image: 'log:0' },
            { name: 'app', image: 'web:0' },
          ],
        },
      },
      ...spec,
    },
  } as TestObject;
}

export function configMap(data: Readonly<Record<string, string>>): TestObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data } as TestObject;
}

export function secret(data: Readonly<Record<string, string>>): TestObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, data } as TestObject;
}

export function node(): TestObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node', labels: { pool: 'blue' } } };
}

/** Served in two versions. */
export function autoscaler(): TestObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaler' },
    spec: {
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  } as TestObject;
}

/** @param renewTime RFC 3339 with microseconds */
export function lease(renewTime: string): TestObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'leader', labels: { team: 'red' } },
    spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime },
  } as TestObject;
}

export function widget(spec: Readonly<Record<string, unknown>>): TestObject {
  return {
    apiVersion: 'test.kubemerge.example/v1',
    kind: 'Widget',
    metadata: { name: 'widget', labels: { team: 'red' } },
    spec,
  } as TestObject;
}
