import type { JsonObject } from '../json.ts';
import { type GroupVersionKind, printApiVersion } from './gvk.ts';
import { printResource } from './resourceRef.ts';

/** Images and commands that a person replaces; the object is valid, and harmless, as it stands. */
const image = 'registry.k8s.io/pause:3.10';

/** What beside `apiVersion`, `kind` and `metadata` a new object of a common type begins with, by `resource.group`. */
const bodies: Readonly<Record<string, (name: string) => JsonObject>> = {
  configmaps: () => ({ data: { key: 'value' } }),
  secrets: () => ({ type: 'Opaque', stringData: { key: 'value' } }),
  namespaces: () => ({}),
  serviceaccounts: () => ({}),
  pods: (name) => ({ spec: { containers: [container(name)] } }),
  services: (name) => ({
    spec: {
      type: 'ClusterIP',
      selector: { app: name },
      ports: [{ name: 'http', port: 80, targetPort: 8080 }],
    },
  }),
  persistentvolumeclaims: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  'deployments.apps': (name) => ({ spec: { replicas: 1, ...workload(name) } }),
  'statefulsets.apps': (name) => ({ spec: { replicas: 1, serviceName: name, ...workload(name) } }),
  'daemonsets.apps': (name) => ({ spec: workload(name) }),
  'jobs.batch': (name) => ({ spec: { backoffLimit: 3, template: jobPod(name) } }),
  'cronjobs.batch': (name) => ({
    spec: {
      schedule: '0 3 * * *',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { template: jobPod(name) } },
    },
  }),
  'ingresses.networking.k8s.io': (name) => ({
    spec: {
      rules: [
        {
          host: `${name}.example.com`,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  'networkpolicies.networking.k8s.io': (name) => ({
    spec: { podSelector: { matchLabels: { app: name } }, policyTypes: ['Ingress'], ingress: [] },
  }),
  'horizontalpodautoscalers.autoscaling': (name) => ({
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 1,
      maxReplicas: 3,
    },
  }),
  'poddisruptionbudgets.policy': (name) => ({
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
  }),
  'roles.rbac.authorization.k8s.io': () => ({
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
  }),
  'clusterroles.rbac.authorization.k8s.io': () => ({
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
  }),
  'rolebindings.rbac.authorization.k8s.io': (name) => binding('Role', name),
  'clusterrolebindings.rbac.authorization.k8s.io': (name) => binding('ClusterRole', name),
};

/** @returns undefined for a type that there is no template of; what the server's schema demands serves then */
export function templateOf(resource: string, group: string, name: string): JsonObject | undefined {
  return bodies[printResource({ group, version: '', resource })]?.(name);
}

/** A new object with this body. */
export function newObject(
  gvk: GroupVersionKind,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
  body: JsonObject,
): JsonObject {
  return {
    apiVersion: printApiVersion(gvk),
    kind: gvk.kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    ...body,
  };
}

function container(name: string): JsonObject {
  return { name: containerName(name), image };
}

/** Container names are labels of at most 63 characters without dots. */
function containerName(name: string): string {
  return name.replaceAll('.', '-').slice(0, 63).replace(/-+$/, '');
}

function workload(name: string): JsonObject {
  return {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container(name)] } },
  };
}

function jobPod(name: string): JsonObject {
  return { spec: { restartPolicy: 'Never', containers: [container(name)] } };
}

function binding(kind: string, name: string): JsonObject {
  return {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
  };
}
