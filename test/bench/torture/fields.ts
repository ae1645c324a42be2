import type { TestObject } from '../../editor/inHost/testObjects.ts';
import type { ApiRef } from '../../../src/editor/extensionApi.ts';

/** A field that writers and users fight over. */
export interface ContestedField {
  /** As the extension prints paths. */
  readonly path: string;
  /** Finds the line in an object's text; the value is the second group, what stands before it the first. */
  readonly pattern: RegExp;
  /** A value that nobody writes twice; `actor` is unique to a writer or user. */
  readonly makeValue: (actor: number, count: number) => string | number;
  /** A strategic (built-in kinds know their lists) merge patch; null removes the field. */
  readonly makePatch: (value: string | number | null) => object;
  readonly canBeRemoved: boolean;
}

/** An object that writers and users fight over. */
export interface ContestedObject {
  /** Its path in the API. */
  readonly path: string;
  readonly collection: string;
  readonly ref: Omit<ApiRef, 'context'>;
  readonly fields: readonly ContestedField[];
  readonly body: object;
  readonly hasStatus: boolean;
}

/** The objects of one run, in a namespace of their own. */
export function contestedObjects(namespace: string): readonly ContestedObject[] {
  return [
    configMap(namespace, 'settings-0'),
    configMap(namespace, 'settings-1'),
    deployment(namespace, 'web-0'),
    deployment(namespace, 'web-1'),
    secret(namespace, 'keys-0'),
  ];
}

/** An object's fields by printed path, each with its value as JSON; what the server alone keeps is left out. */
export function flatten(object: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  visit('', object, found);
  return found;
}

const serverOwned =
  /^(?:status\b|metadata\.(?:managedFields|resourceVersion|generation|uid|creationTimestamp)\b)/;

function visit(path: string, value: unknown, found: Map<string, string>): void {
  if (serverOwned.test(path)) return;
  if (Array.isArray(value) && value.every((item) => typeof nameOf(item) === 'string')) {
    for (const item of value) visit(`${path}[name=${String(nameOf(item))}]`, item, found);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) {
      visit(path === '' ? key : `${path}.${key}`, member, found);
    }
  } else {
    found.set(path, JSON.stringify(value));
  }
}

function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
}

function configMap(namespace: string, name: string): ContestedObject {
  const fields = [0, 1, 2, 3, 4, 5].map((index) => stringField(['data', `k${index}`]));
  return contested({
    namespace,
    root: '/api/v1',
    gvr: { group: '', version: 'v1', resource: 'configmaps' },
    fields,
    hasStatus: false,
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: Object.fromEntries(fields.map((_field, index) => [`k${index}`, 'start'])),
    } as TestObject,
  });
}

function secret(namespace: string, name: string): ContestedObject {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const fields = [0, 1, 2, 3].map((index) => {
    const field = stringField(['data', `k${index}`]);
    return { ...field, makeValue: (actor: number, count: number) => encode(`v${actor}-${count}`) };
  });
  return contested({
    namespace,
    root: '/api/v1',
    gvr: { group: '', version: 'v1', resource: 'secrets' },
    fields,
    hasStatus: false,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      data: Object.fromEntries(fields.map((_field, index) => [`k${index}`, encode('start')])),
    } as TestObject,
  });
}

function deployment(namespace: string, name: string): ContestedObject {
  const labels = [0, 1].map((index) => stringField(['metadata', 'labels', `l${index}`]));
  const annotations = [0, 1].map((index) => stringField(['metadata', 'annotations', `a${index}`]));
  const inContainer = (container: string, fields: object): object => ({
    spec: { template: { spec: { containers: [{ name: container, ...fields }] } } },
  });
  const images = ['log', 'app'].map((container): ContestedField => {
    return {
      path: `spec.template.spec.containers[name=${container}].image`,
      pattern: new RegExp(`^( +(?:- )?image: )(${container}:\\S+)$`, 'm'),
      makeValue: (actor, count) => `${container}:v${actor}-${count}`,
      makePatch: (image) => inContainer(container, { image }),
      canBeRemoved: false,
    };
  });
  const variables = ['E0', 'E1'].map((variable): ContestedField => {
    return {
      path: `spec.template.spec.containers[name=app].env[name=${variable}].value`,
      pattern: new RegExp(`^( +(?:- )?value: )(${variable}-\\S+)$`, 'm'),
      makeValue: (actor, count) => `${variable}-v${actor}-${count}`,
      makePatch: (value) => inContainer('app', { env: [{ name: variable, value }] }),
      canBeRemoved: false,
    };
  });
  const replicas: ContestedField = {
    path: 'spec.replicas',
    pattern: /^( {2}replicas: )(\d+)$/m,
    makeValue: (actor, count) => count * 100 + actor,
    makePatch: (value) => ({ spec: { replicas: value } }),
    canBeRemoved: false,
  };
  return contested({
    namespace,
    root: '/apis/apps/v1',
    gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
    fields: [replicas, ...labels, ...annotations, ...images, ...variables],
    hasStatus: true,
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, labels: { l0: 'start', l1: 'start' }, annotations: { a0: 'start', a1: 'start' } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            containers: [
              { name: 'log', image: 'log:start' },
              {
                name: 'app',
                image: 'app:start',
                env: [
                  { name: 'E0', value: 'E0-start' },
                  { name: 'E1', value: 'E1-start' },
                ],
              },
            ],
          },
        },
      },
    } as TestObject,
  });
}

/** A string in a map of strings. */
function stringField(steps: readonly string[]): ContestedField {
  const key = steps.at(-1) ?? '';
  const indent = ' '.repeat(2 * (steps.length - 1));
  return {
    path: steps.join('.'),
    pattern: new RegExp(`^(${indent}${key}: )(\\S+)$`, 'm'),
    makeValue: (actor, count) => `v${actor}-${count}`,
    makePatch: (value) => steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object,
    canBeRemoved: true,
  };
}

function contested(parts: {
  readonly namespace: string;
  readonly root: string;
  readonly gvr: { readonly group: string; readonly version: string; readonly resource: string };
  readonly fields: readonly ContestedField[];
  readonly hasStatus: boolean;
  readonly body: TestObject;
}): ContestedObject {
  const { namespace, root, gvr, fields, hasStatus, body } = parts;
  const { name } = body.metadata;
  const collection = `${root}/namespaces/${namespace}/${gvr.resource}`;
  return {
    path: `${collection}/${name}`,
    collection,
    ref: { namespace, ...gvr, name },
    fields,
    body,
    hasStatus,
  };
}
