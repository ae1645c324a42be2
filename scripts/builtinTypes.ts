import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../src/core/json.ts';
import { knownUnions } from '../src/core/merge/knownUnions.ts';

/** What src/core/merge/builtinTypes.json holds; src/core/merge/builtinSchema.ts reads it and says how. */
export interface BuiltinTypes {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, string>>;
}

const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const intOrStringName = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const scalars: Readonly<Record<string, string>> = { string: 's', integer: 'i', number: 'n', boolean: 'b' };

/**
 * Reads the built-in types of a running API server.
 *
 * @param get answers a path of the server with parsed JSON
 */
export async function readBuiltinTypes(get: (path: string) => Promise<Json>): Promise<BuiltinTypes> {
  const paths = memberAt(await get('/openapi/v3'), 'paths');
  const documents: Json[] = [];
  for (const [path, entry] of Object.entries(isJsonObject(paths) ? paths : {})) {
    const url = memberAt(entry, 'serverRelativeURL');
    if (/^apis?\/.*v\d/.test(path) && typeof url === 'string') documents.push(await get(url));
  }
  return condenseTypes(documents);
}

/** The text of the checked-in table. */
export function printBuiltinTypes(types: BuiltinTypes): string {
  return `${JSON.stringify(types, undefined, 2)}\n`;
}

/** Names of definitions that the API server itself brings; those of custom resources begin otherwise. */
const ownName = /^io\.k8s\.(?:api|apiextensions-apiserver|apimachinery|kube-aggregator)\./;

/**
 * Condenses OpenAPI v3 documents into the built-in table: every kind that is stored, and what it refers to.
 *
 * @param documents raw JSON
 * @throws Error for a document that uses a form which the table cannot hold
 */
function condenseTypes(documents: readonly Json[]): BuiltinTypes {
  const all = new Map<string, JsonObject>();
  for (const document of documents) {
    const schemas = memberAt(document, 'components', 'schemas');
    if (!isJsonObject(schemas)) continue;
    for (const [name, schema] of Object.entries(schemas)) if (isJsonObject(schema)) all.set(name, schema);
  }
  const roots = [...all].flatMap(([name, schema]) =>
    ownName.test(name) && isStored(schema)
      ? kindsOf(schema).map((kind): [string, string] => [kind, name])
      : [],
  );
  const reached = new Set<string>();
  const reach = (name: string): void => {
    const schema = all.get(name);
    if (reached.has(name) || schema === undefined) return;
    reached.add(name);
    referredBy(schema).forEach(reach);
  };
  for (const [, name] of roots) reach(name);
  const shortNames = shorten([...reached]);
  const shortName = (name: string): string => shortNames.get(name) ?? name;
  const definitions = [...reached].map((name): [string, string] => [
    shortName(name),
    encodeDefinition(name, all.get(name) ?? {}, all, shortName),
  ]);
  return {
    kinds: sorted(roots.map(([kind, name]) => [kind, shortName(name)])),
    definitions: sorted(definitions.filter(([name]) => name !== 'Quantity' && name !== 'IntOrString')),
  };
}

function isStored(schema: JsonObject): boolean {
  const metadata = memberAt(schema, 'properties', 'metadata');
  return metadata !== undefined && referredBy(metadata).some((name) => name.endsWith('.ObjectMeta'));
}

function kindsOf(schema: JsonObject): readonly string[] {
  const kinds = memberAt(schema, 'x-kubernetes-group-version-kind');
  if (!isJsonArray(kinds)) return [];
  return kinds.map((kind) => {
    const [group, version, name] = ['group', 'version', 'kind'].map((key) => text(memberAt(kind, key)));
    return `${group === '' ? '' : `${group ?? ''}/`}${version ?? ''}/${name ?? ''}`;
  });
}

function referredBy(node: Json): readonly string[] {
  if (isJsonArray(node)) return node.flatMap(referredBy);
  if (!isJsonObject(node)) return [];
  const reference = node['$ref'];
  const own = typeof reference === 'string' ? [lastPart(reference, '/')] : [];
  return [...own, ...Object.values(node).flatMap(referredBy)];
}

/** The last part of each name where that is unique, else group and version too. */
function shorten(names: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const name of names) {
    const last = lastPart(name, '.');
    count.set(last, (count.get(last) ?? 0) + 1);
  }
  return new Map(
    names.map((name) => {
      const last = lastPart(name, '.');
      return [name, count.get(last) === 1 ? last : name.split('.').slice(-3).join('.')];
    }),
  );
}

function encodeDefinition(
  name: string,
  schema: JsonObject,
  all: ReadonlyMap<string, JsonObject>,
  shortName: (name: string) => string,
): string {
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return encodeNode(schema, all, shortName);
  const declared = memberAt(schema, 'x-kubernetes-unions');
  const fields = isJsonArray(declared) ? memberAt(declared[0], 'fields-to-discriminateBy') : undefined;
  const discriminator = isJsonArray(declared) ? memberAt(declared[0], 'discriminator') : undefined;
  const union = isJsonObject(fields)
    ? { members: Object.keys(fields), discriminator: text(discriminator) }
    : knownUnions[name];
  const members = Object.entries(properties).map(([key, property]) => {
    if (!isJsonObject(property) || /[:;<>]/.test(key)) throw new Error(`${name}.${key} cannot be held`);
    return `${key}:${encodeNode(property, all, shortName)}`;
  });
  const choice = union === undefined ? '' : `<${union.discriminator ?? ''}:${union.members.join(',')}>`;
  return `${isAtomic(schema) ? '*' : ''}${choice}${members.join(';')}`;
}

function encodeNode(
  node: JsonObject,
  all: ReadonlyMap<string, JsonObject>,
  shortName: (name: string) => string,
): string {
  const strategy = text(node['x-kubernetes-patch-strategy']);
  const isGranular = node['x-kubernetes-map-type'] === 'granular';
  const prefix = `${isAtomic(node) ? '*' : ''}${isGranular ? '~' : ''}${strategy.includes('retainKeys') ? '^' : ''}`;
  const parts = isJsonArray(node['allOf']) ? node['allOf'] : [node];
  const reference = parts.map((part) => memberAt(part, '$ref')).find((value) => typeof value === 'string');
  if (typeof reference === 'string') {
    const name = lastPart(reference, '/');
    if (name === quantityName) return 'q';
    return `${prefix}${name === intOrStringName ? 'x' : shortName(name)}`;
  }
  const { type, items, additionalProperties } = node;
  if (type === 'array' && isJsonObject(items)) {
    return `${prefix}[${encodeNode(items, all, shortName)}]${encodeListRule(node, all)}`;
  }
  if (isJsonObject(additionalProperties)) {
    return `${prefix}{${encodeNode(additionalProperties, all, shortName)}`;
  }
  if (type === 'object') return `${prefix}o`;
  return prefix + (typeof type === 'string' ? (scalars[type] ?? '?') : '?');
}

function encodeListRule(node: JsonObject, all: ReadonlyMap<string, JsonObject>): string {
  const keys = node['x-kubernetes-list-map-keys'];
  switch (node['x-kubernetes-list-type']) {
    case 'atomic':
      return '!';
    case 'set':
      return '=';
    case 'map':
      return (isJsonArray(keys) ? keys : [])
        .map((key) => {
          const fallback = keyDefault(node, text(key), all);
          return fallback === undefined ? text(key) : `${text(key)}=${fallback}`;
        })
        .join(',');
    default:
      if (node['x-kubernetes-patch-merge-key'] !== undefined)
        throw new Error('a list keyed for patches only');
      return '';
  }
}

function keyDefault(node: JsonObject, key: string, all: ReadonlyMap<string, JsonObject>): string | undefined {
  const [name] = referredBy(memberAt(node, 'items') ?? null);
  const item = name === undefined ? undefined : all.get(name);
  const required = memberAt(item, 'required');
  // Required keys carry their Go type's zero value as a default.
  if (isJsonArray(required) && required.includes(key)) return undefined;
  const fallback = memberAt(item, 'properties', key, 'default');
  return typeof fallback === 'string' ? fallback : undefined;
}

function isAtomic(node: JsonObject): boolean {
  return node['x-kubernetes-map-type'] === 'atomic';
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function lastPart(name: string, separator: string): string {
  return name.slice(name.lastIndexOf(separator) + 1);
}

function sorted(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
