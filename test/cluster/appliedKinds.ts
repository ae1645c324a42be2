import type { Json, JsonObject } from '../../src/core/json.ts';
import type { EditPlan } from '../support/oneSidedEdits.ts';

/** A type whose merge is held against server-side apply: an object to start from, and what may be edited. */
export interface AppliedKind {
  readonly base: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly plural: string;
  readonly plan: EditPlan;
}

const metadata = (labels: JsonObject = {}): JsonObject => ({
  name: 'oracle',
  labels: { app: 'web', k1: 'a', k2: 'b', ...labels },
  annotations: { 'example.com/owner': 'team', k1: 'a', k2: 'one\ntwo\n' },
  finalizers: ['example.com/a', 'example.com/b'],
});

const metadataLists = { 'metadata.finalizers': (number: number): Json => `example.com/n${number}` };
const metadataMaps = ['metadata.labels', 'metadata.annotations'];

const podSpec: JsonObject = {
  initContainers: [{ name: 'migrate', image: 'migrate:1', command: ['migrate', 'up'] }],
  containers: [
    {
      name: 'app',
      image: 'web:1',
      args: ['--port', '8080'],
      env: [
        { name: 'MODE', value: 'fast' },
        { name: 'LEVEL', value: 'info' },
      ],
      ports: [
        { name: 'http', containerPort: 8080, hostIP: '10.0.0.1' },
        { name: 'dns', containerPort: 53, protocol: 'TCP' },
        { name: 'dns-udp', containerPort: 53, protocol: 'UDP', hostIP: '10.0.0.1' },
      ],
      resources: { limits: { cpu: '500m', memory: '512Mi' } },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10 },
      volumeMounts: [
        { name: 'config', mountPath: '/etc/web' },
        { name: 'config', mountPath: '/etc/other' },
      ],
    },
    { name: 'log', image: 'log:1' },
    { name: 'proxy', image: 'proxy:1', ports: [{ name: 'admin', containerPort: 9901 }] },
  ],
  volumes: [
    { name: 'config', configMap: { name: 'web-config' } },
    { name: 'spare', emptyDir: {} },
    { name: 'other', emptyDir: {} },
  ],
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' }],
  hostAliases: [
    { ip: '10.0.0.1', hostnames: ['a'] },
    { ip: '10.0.0.2', hostnames: ['b'] },
  ],
  nodeSelector: { disk: 'ssd' },
  terminationGracePeriodSeconds: 20,
};

/** What may be edited in a pod template at this path. */
function templatePlan(at: string): EditPlan {
  const spec = `${at}.spec`;
  const container = `${spec}.containers[]`;
  return {
    values: {
      [`${container}.image`]: ['web:2', 'web:3'],
      [`${container}.args`]: [['--port', '9090'], []],
      [`${container}.env[].value`]: ['slow', ''],
      [`${container}.ports[].hostIP`]: ['10.0.0.2', '10.0.0.3'],
      [`${container}.resources.limits.cpu`]: ['0.5', '2', '750m'],
      [`${container}.resources.limits.memory`]: ['0.5Gi', '1Gi'],
      [`${container}.readinessProbe.httpGet.port`]: ['http', 9000],
      [`${container}.readinessProbe.periodSeconds`]: [5, 30],
      [`${spec}.initContainers[].command`]: [['migrate', 'down']],
      [`${spec}.tolerations`]: [[{ key: 'gpu', operator: 'Exists' }]],
      [`${spec}.hostAliases[].hostnames`]: [['c'], ['c', 'd']],
      [`${spec}.volumes[].configMap.name`]: ['other-config'],
      [`${spec}.nodeSelector`]: [{ disk: 'hdd' }],
      [`${spec}.terminationGracePeriodSeconds`]: [5, 60],
    },
    lists: {
      [`${spec}.containers`]: (number) => ({ name: `c${number}`, image: 'new:1' }),
      [`${spec}.initContainers`]: (number) => ({ name: `i${number}`, image: 'new:1' }),
      [`${container}.env`]: (number) => ({ name: `N${number}`, value: 'new' }),
      [`${container}.ports`]: (number) => ({ name: `p${number}`, containerPort: number, protocol: 'TCP' }),
      [`${container}.volumeMounts`]: (number) => ({ name: 'config', mountPath: `/mnt/${number}` }),
      [`${spec}.volumes`]: (number) => ({ name: `v${number}`, emptyDir: {} }),
      [`${spec}.hostAliases`]: (number) => ({ ip: `10.0.1.${number}`, hostnames: ['new'] }),
    },
    maps: [`${at}.metadata.labels`],
    isRemovable: (_path, element) => !/"name":"(?:app|config)"/.test(JSON.stringify(element)),
  };
}

/** The plan with metadata's own edits, and with more values. */
function withMetadata(plan: Partial<EditPlan>, values: EditPlan['values'] = {}): EditPlan {
  return {
    ...plan,
    values: { ...plan.values, ...values },
    lists: { ...plan.lists, ...metadataLists },
    maps: [...(plan.maps ?? []), ...metadataMaps],
  };
}

const template: JsonObject = { metadata: { labels: { app: 'web', k1: 'a', k2: 'b' } }, spec: podSpec };
const selector: JsonObject = { matchLabels: { app: 'web' } };

/** Seven built-in kinds and two custom ones. */
export const appliedKinds: readonly AppliedKind[] = [
  {
    base: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata(),
      spec: { replicas: 3, minReadySeconds: 1, selector, template },
    },
    plural: 'deployments',
    plan: withMetadata(templatePlan('spec.template'), {
      'spec.replicas': [5, 7],
      'spec.minReadySeconds': [2],
    }),
  },
  {
    base: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: metadata(),
      spec: { replicas: 3, serviceName: 'web', selector, template },
    },
    plural: 'statefulsets',
    plan: withMetadata(templatePlan('spec.template'), { 'spec.replicas': [5, 7] }),
  },
  {
    base: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: metadata(),
      spec: {
        schedule: '*/5 * * * *',
        suspend: false,
        jobTemplate: {
          spec: { template: { ...template, spec: { ...podSpec, restartPolicy: 'OnFailure' } } },
        },
      },
    },
    plural: 'cronjobs',
    plan: withMetadata(templatePlan('spec.jobTemplate.spec.template'), {
      'spec.schedule': ['0 * * * *'],
      'spec.suspend': [true],
    }),
  },
  {
    base: { apiVersion: 'v1', kind: 'Pod', metadata: metadata(), spec: podSpec },
    plural: 'pods',
    // Most of a pod cannot be changed.
    plan: withMetadata({}, { 'spec.containers[].image': ['web:2', 'web:3'] }),
  },
  {
    base: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata(),
      spec: {
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, targetPort: 8080 },
          { name: 'dns', port: 53, targetPort: 53, protocol: 'TCP' },
          { name: 'dns-udp', port: 53, targetPort: 53, protocol: 'UDP' },
        ],
      },
    },
    plural: 'services',
    plan: withMetadata(
      { lists: { 'spec.ports': (number) => ({ name: `p${number}`, port: number, protocol: 'TCP' }) } },
      {
        'spec.selector': [{ app: 'web', tier: 'front' }],
        'spec.ports[].targetPort': ['http', 9000],
        'spec.sessionAffinity': ['ClientIP'],
      },
    ),
  },
  {
    base: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: metadata(),
      spec: { ingressClassName: 'a', rules: [rule('a.example.com'), rule('b.example.com')] },
    },
    plural: 'ingresses',
    plan: withMetadata(
      {},
      {
        'spec.ingressClassName': ['b'],
        'spec.rules': [[rule('c.example.com')], [rule('b.example.com'), rule('a.example.com')]],
      },
    ),
  },
  {
    base: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadata(),
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: 8080, protocol: 'TCP' }] }],
      },
    },
    plural: 'networkpolicies',
    plan: withMetadata(
      {},
      {
        'spec.podSelector': [{ matchLabels: { app: 'api' } }, {}],
        'spec.policyTypes': [['Ingress', 'Egress']],
        'spec.ingress': [[{ ports: [{ port: 'http' }] }]],
      },
    ),
  },
  {
    base: {
      apiVersion: 'shop.example.com/v1',
      kind: 'Storefront',
      metadata: metadata(),
      spec: {
        replicas: 2,
        port: 'http',
        routes: [
          { host: 'a.example.com', backend: 'web', weight: 10 },
          { host: 'a.example.com', path: '/api', backend: 'api', weight: 5 },
        ],
        tags: ['blue', 'eu'],
        locales: ['de', 'en'],
        selector: { app: 'web' },
        limits: { cpu: '500m', k1: '1' },
      },
    },
    plural: 'storefronts',
    plan: withMetadata(
      {
        lists: {
          'spec.routes': (number) => ({ host: `n${number}.example.com`, path: '/', backend: 'new' }),
          'spec.tags': (number) => `t${number}`,
        },
      },
      {
        'spec.replicas': [3],
        'spec.port': [8080],
        'spec.routes[].backend': ['other'],
        'spec.routes[].weight': [1, 2],
        'spec.locales': [['fr'], []],
        'spec.selector': [{ app: 'api' }],
        'spec.limits.cpu': ['1', '2'],
      },
    ),
  },
  {
    base: {
      apiVersion: 'shop.example.com/v1',
      kind: 'Pipeline',
      metadata: metadata(),
      spec: {
        paused: false,
        stages: [
          {
            name: 'build',
            image: 'build:1',
            timeout: 30,
            steps: [
              { name: 'compile', script: 'make' },
              { name: 'compile', phase: 'clean', script: 'make clean' },
              { name: 'test', phase: 'run', script: 'make test' },
            ],
            watchers: ['a', 'b'],
          },
          { name: 'deploy', image: 'deploy:1' },
        ],
        parameters: { always: 'x', k1: 'a', k2: 'b' },
      },
    },
    plural: 'pipelines',
    plan: withMetadata(
      {
        lists: {
          'spec.stages': (number) => ({ name: `s${number}`, image: 'new:1' }),
          'spec.stages[].steps': (number) => ({ name: `s${number}`, script: 'new' }),
          'spec.stages[].watchers': (number) => `w${number}`,
        },
        maps: ['spec.parameters'],
      },
      {
        'spec.paused': [true],
        'spec.stages[].image': ['other:2'],
        'spec.stages[].timeout': ['5m', 60],
        'spec.stages[].steps[].script': ['true', 'one\ntwo\n'],
      },
    ),
  },
];

function rule(host: string): Json {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  return { host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } };
}
