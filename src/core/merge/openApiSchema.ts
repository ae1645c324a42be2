import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';
import type { GroupVersionKind } from '../resource/gvk.ts';
import { type ListRule, type MapRule, type MergeSchema, noSchema } from './mergeSchema.ts';
import { knownUnions } from './knownUnions.ts';

/**
 * The merge schema of one type, read lazily from an OpenAPI v3 document as `/openapi/v3` serves it, custom
 * resources included.
 *
 * @param document raw JSON, not mutated; the schema keeps a reference to it
 * @returns undefined where the document does not describe `gvk`. Never throws.
 * Source: `x-kubernetes-*` extensions; facts on their precedence are in the functions below.
 */
export function schemaFromOpenApi(document: JsonObject, gvk: GroupVersionKind): MergeSchema | undefined {
  const definitions = memberAt(document, 'components', 'schemas');
  if (!isJsonObject(definitions)) return undefined;
  const root = Object.keys(definitions).find((name) => describesKind(definitions[name], gvk));
  if (root === undefined) return undefined;
  const reader = new SchemaReader((name) => {
    const definition = memberAt(definitions, name);
    return isJsonObject(definition) ? definition : undefined;
  });
  return reader.read({ $ref: root });
}

function describesKind(definition: Json | undefined, gvk: GroupVersionKind): boolean {
  const kinds = memberAt(definition, 'x-kubernetes-group-version-kind');
  return (
    isJsonArray(kinds) &&
    kinds.some(
      (kind) =>
        memberAt(kind, 'group') === gvk.group &&
        memberAt(kind, 'version') === gvk.version &&
        memberAt(kind, 'kind') === gvk.kind,
    )
  );
}

/** What one place in a document says: its own node first, then what it refers to, nearest first. */
interface Description {
  readonly nodes: readonly JsonObject[];
  /** Names of the definitions among them. */
  readonly names: readonly string[];
}

const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** How controller-gen spells a quantity in the schema of a custom resource. */
const quantityPattern = '(([KMGTPE]i)|[numkMGTPE]|([eE]';

/** Reads merge schemas from OpenAPI nodes; each node is read once, so that recursive types end. */
export class SchemaReader {
  readonly #define: (name: string) => JsonObject | undefined;
  readonly #read = new Map<JsonObject, MergeSchema>();

  /** @param define finds a definition by its name, the last part of a `$ref` */
  constructor(define: (name: string) => JsonObject | undefined) {
    this.#define = define;
  }

  read(node: JsonObject): MergeSchema {
    const known = this.#read.get(node);
    if (known !== undefined) return known;
    const schema = this.#schemaOf(this.#describe(node));
    this.#read.set(node, schema);
    return schema;
  }

  #describe(node: JsonObject): Description {
    const nodes: JsonObject[] = [];
    const names: string[] = [];
    const add = (next: Json | undefined): void => {
      if (!isJsonObject(next) || nodes.includes(next)) return;
      nodes.push(next);
      const reference = next['$ref'];
      if (typeof reference === 'string') {
        const name = reference.slice(reference.lastIndexOf('/') + 1);
        names.push(name);
        add(this.#define(name));
      }
      const parts = next['allOf'];
      if (isJsonArray(parts)) parts.forEach(add);
    };
    add(node);
    return { nodes, names };
  }

  #schemaOf(description: Description): MergeSchema {
    const type = typeOf(description);
    const isEmbedded = find(description, 'x-kubernetes-embedded-resource') === true;
    const values = find(description, 'additionalProperties');
    const hasProperties = description.nodes.some((node) => node['properties'] !== undefined);
    const retained = hasStrategy(description, 'retainKeys');
    return {
      list: type === 'array' ? this.#listRule(description) : noSchema.list,
      map: mapRule(description, retained && type !== 'array' ? this.#propertyNames(description) : undefined),
      scalar: isQuantity(description) ? 'quantity' : 'plain',
      ...(type !== undefined && { type }),
      ...(isJsonObject(values) && !hasProperties && { isOpen: true }),
      ...(hasProperties && { memberNames: () => this.#propertyNames(description) }),
      member: (key) => this.#member(description, key, isEmbedded),
      items: () => this.#items(description, retained),
    };
  }

  #member(description: Description, key: string, isEmbedded: boolean): MergeSchema {
    for (const node of description.nodes) {
      const property = memberAt(node, 'properties', key);
      if (!isJsonObject(property)) continue;
      const isBare = isEmbedded && key === 'metadata' && property['properties'] === undefined;
      if (!isBare) return this.read(property);
    }
    if (isEmbedded && key === 'metadata') {
      const objectMeta = this.#define(objectMetaName);
      return objectMeta === undefined ? noSchema : this.read(objectMeta);
    }
    const values = find(description, 'additionalProperties');
    return isJsonObject(values) ? this.read(values) : noSchema;
  }

  #items(description: Description, retained: boolean): MergeSchema {
    const node = find(description, 'items');
    if (!isJsonObject(node)) return noSchema;
    const schema = this.read(node);
    const rule = this.#listRule(description);
    if (!retained || rule.kind !== 'map') return schema;
    const members = this.#propertyNames(this.#describe(node)).filter((name) => !rule.keys.includes(name));
    return { ...schema, map: { kind: 'union', members } };
  }

  /** `x-kubernetes-list-type` decides; patch-merge-key serves only where that is missing. */
  #listRule(description: Description): ListRule {
    switch (find(description, 'x-kubernetes-list-type')) {
      case 'atomic':
        return { kind: 'atomic' };
      case 'set':
        return { kind: 'set' };
      case 'map':
        return this.#mapListRule(description, stringsAt(description, 'x-kubernetes-list-map-keys'));
      default:
    }
    if (hasStrategy(description, 'replace')) return { kind: 'atomic' };
    if (!hasStrategy(description, 'merge')) return { kind: 'unknown' };
    return this.#mapListRule(description, []);
  }

  #mapListRule(description: Description, declared: readonly string[]): ListRule {
    const patchKey = find(description, 'x-kubernetes-patch-merge-key');
    const keys = declared.length > 0 || typeof patchKey !== 'string' ? declared : [patchKey];
    if (keys.length === 0) return { kind: 'unknown' };
    const items = find(description, 'items');
    const item = isJsonObject(items) ? this.#describe(items) : { nodes: [], names: [] };
    const defaults = keys.flatMap((key): [string, Json][] => {
      // Required keys carry their Go type's zero value as a default.
      if (stringsAt(item, 'required').includes(key)) return [];
      const property = item.nodes.map((node) => memberAt(node, 'properties', key)).find(isJsonObject);
      const value = property && find(this.#describe(property), 'default');
      return value === undefined ? [] : [[key, value]];
    });
    return { kind: 'map', keys, defaults: Object.fromEntries(defaults) };
  }

  #propertyNames(description: Description): readonly string[] {
    return description.nodes.flatMap((node) => {
      const properties = node['properties'];
      return isJsonObject(properties) ? Object.keys(properties) : [];
    });
  }
}

/** The nearest node's value of an attribute. */
function find({ nodes }: Description, attribute: string): Json | undefined {
  return nodes.find((node) => node[attribute] !== undefined)?.[attribute];
}

function stringsAt(description: Description, attribute: string): readonly string[] {
  const values = find(description, attribute);
  return isJsonArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

function hasStrategy(description: Description, strategy: string): boolean {
  const declared = find(description, 'x-kubernetes-patch-strategy');
  return typeof declared === 'string' && declared.split(',').includes(strategy);
}

function typeOf(description: Description): MergeSchema['type'] {
  const isEither =
    find(description, 'x-kubernetes-int-or-string') === true ||
    find(description, 'format') === 'int-or-string' ||
    find(description, 'oneOf') !== undefined;
  const type = find(description, 'type');
  switch (isEither ? undefined : type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
    case 'array':
      return type as MergeSchema['type'];
    default:
      return undefined;
  }
}

function isQuantity(description: Description): boolean {
  const pattern = find(description, 'pattern');
  return (
    description.names.includes(quantityName) ||
    (typeof pattern === 'string' && pattern.includes(quantityPattern))
  );
}

/** @param retained the members of a mapping that is patched by retainKeys */
function mapRule(description: Description, retained: readonly string[] | undefined): MapRule {
  if (find(description, 'x-kubernetes-map-type') === 'atomic') return { kind: 'atomic' };
  if (retained !== undefined && retained.length > 0) {
    const members = retained.filter((name) => name !== 'type');
    return { kind: 'union', members, ...(retained.includes('type') && { discriminator: 'type' }) };
  }
  const unions = find(description, 'x-kubernetes-unions');
  if (isJsonArray(unions) && isJsonObject(unions[0])) {
    const fields = unions[0]['fields-to-discriminateBy'];
    const discriminator = unions[0]['discriminator'];
    return {
      kind: 'union',
      members: isJsonObject(fields) ? Object.keys(fields) : [],
      ...(typeof discriminator === 'string' && { discriminator }),
    };
  }
  const known = description.names.find((name) => Object.hasOwn(knownUnions, name));
  return (known === undefined ? undefined : knownUnions[known]) ?? { kind: 'granular' };
}
