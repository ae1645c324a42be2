import type { Json } from '../json.ts';
import type { GroupVersionKind } from '../resource/gvk.ts';
import { type ListRule, type MergeSchema, noSchema } from './mergeSchema.ts';

/** The merge schema of a built-in kind; for other kinds only the metadata is known. Never throws. */
export function builtinSchema(gvk: GroupVersionKind): MergeSchema {
  const podSpec = podSpecSchema();
  const template = mapOf({ metadata: metadataSchema, spec: podSpec });
  const job = mapOf({ template });
  const specs: Readonly<Record<string, MergeSchema>> = {
    'v1/Pod': podSpec,
    'v1/Service': mapOf({ ports: keyed(noSchema, ['port', 'protocol'], { protocol: 'TCP' }) }),
    'v1/ServiceAccount': noSchema,
    'apps/v1/Deployment': mapOf({
      template,
      strategy: {
        ...noSchema,
        map: { kind: 'union', members: ['rollingUpdate'], discriminator: 'type' },
      },
    }),
    'apps/v1/StatefulSet': mapOf({ template }),
    'apps/v1/DaemonSet': mapOf({ template }),
    'apps/v1/ReplicaSet': mapOf({ template }),
    'batch/v1/Job': job,
    'batch/v1/CronJob': mapOf({ jobTemplate: mapOf({ metadata: metadataSchema, spec: job }) }),
  };
  const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  const spec = specs[`${apiVersion}/${gvk.kind}`] ?? noSchema;
  return mapOf({ metadata: metadataSchema, spec, data: openMap });
}

function mapOf(members: Readonly<Record<string, MergeSchema>>): MergeSchema {
  return {
    ...noSchema,
    type: 'object',
    member: (key) => (Object.hasOwn(members, key) ? (members[key] ?? noSchema) : noSchema),
  };
}

function listOf(items: MergeSchema, list: ListRule): MergeSchema {
  return { ...noSchema, type: 'array', list, items: () => items };
}

function keyed(
  items: MergeSchema,
  keys: readonly string[],
  defaults: Readonly<Record<string, Json>> = {},
): MergeSchema {
  return listOf(items, { kind: 'map', keys, defaults });
}

const openMap: MergeSchema = { ...noSchema, type: 'object', isOpen: true };
const stringMap: MergeSchema = { ...openMap, member: () => ({ ...noSchema, type: 'string' }) };
const metadataSchema = mapOf({
  labels: stringMap,
  annotations: stringMap,
  finalizers: listOf(noSchema, { kind: 'set' }),
  ownerReferences: keyed(noSchema, ['uid']),
});

function podSpecSchema(): MergeSchema {
  const quantities: MergeSchema = { ...openMap, member: () => ({ ...noSchema, scalar: 'quantity' }) };
  const container = mapOf({
    env: keyed(noSchema, ['name']),
    ports: keyed(noSchema, ['containerPort', 'protocol'], { protocol: 'TCP' }),
    volumeMounts: keyed(noSchema, ['mountPath']),
    volumeDevices: keyed(noSchema, ['devicePath']),
    resources: mapOf({ limits: quantities, requests: quantities, claims: keyed(noSchema, ['name']) }),
  });
  return mapOf({
    containers: keyed(container, ['name']),
    initContainers: keyed(container, ['name']),
    ephemeralContainers: keyed(container, ['name']),
    volumes: keyed(noSchema, ['name']),
    imagePullSecrets: keyed(noSchema, ['name']),
    hostAliases: keyed(noSchema, ['ip']),
    tolerations: listOf(noSchema, { kind: 'atomic' }),
    topologySpreadConstraints: keyed(noSchema, ['topologyKey', 'whenUnsatisfiable']),
  });
}
