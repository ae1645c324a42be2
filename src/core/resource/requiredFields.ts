import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';
import type { GroupVersionKind } from './gvk.ts';

/** Members of every object, which are filled in apart, and what a controller fills in. */
const known = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** How deep required fields are followed: a schema may refer to itself. */
const maxDepth = 8;

/**
 * What the schema of a type demands, filled with the plainest values that it allows: defaults and first choices, else
 * empty ones. `spec` is there in any case, where the type has one.
 *
 * @param document an OpenAPI v3 document as `/openapi/v3` serves it, not mutated
 * @returns undefined where it does not describe the type. Never throws.
 */
export function requiredFields(document: JsonObject, gvk: GroupVersionKind): JsonObject | undefined {
  const definitions = memberAt(document, 'components', 'schemas');
  if (!isJsonObject(definitions)) return undefined;
  const root = Object.values(definitions).find((definition) => describes(definition, gvk));
  if (root === undefined) return undefined;
  const schema = resolve(definitions, root);
  const properties = memberAt(schema, 'properties');
  const wanted = new Set([
    ...requiredOf(schema),
    ...(memberAt(properties, 'spec') === undefined ? [] : ['spec']),
  ]);
  const members = [...wanted].filter((key) => !known.has(key));
  return Object.fromEntries(
    members.map((key) => [key, plainest(definitions, memberAt(properties, key), maxDepth)] as const),
  );
}

function describes(definition: Json | undefined, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = memberAt(definition, 'x-kubernetes-group-version-kind');
  if (!isJsonArray(kinds)) return false;
  return kinds.some(
    (one) =>
      memberAt(one, 'group') === group &&
      memberAt(one, 'version') === version &&
      memberAt(one, 'kind') === kind,
  );
}

/** The schema with what it refers to, its own words first. */
function resolve(definitions: JsonObject, node: Json | undefined, depth = maxDepth): JsonObject {
  if (!isJsonObject(node) || depth === 0) return {};
  const parts: Json[] = [];
  const reference = node['$ref'];
  if (typeof reference === 'string') {
    parts.push(memberAt(definitions, reference.slice(reference.lastIndexOf('/') + 1)) ?? {});
  }
  const all = node['allOf'];
  if (isJsonArray(all)) parts.push(...all);
  return parts.reduce<JsonObject>(
    (merged, part) => ({ ...resolve(definitions, part, depth - 1), ...merged }),
    node,
  );
}

function requiredOf(schema: JsonObject): readonly string[] {
  const required = schema['required'];
  return isJsonArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function plainest(definitions: JsonObject, node: Json | undefined, depth: number): Json {
  const schema = resolve(definitions, node);
  const { default: byDefault, enum: choices, type } = schema;
  // An object's default is often {}, and what it must hold is wanted all the same.
  if (byDefault !== undefined && !isJsonObject(byDefault)) return byDefault;
  if (isJsonArray(choices) && choices[0] !== undefined) return choices[0];
  if (schema['x-kubernetes-int-or-string'] === true) return 0;
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    case 'array': {
      const isWanted = typeof schema['minItems'] === 'number' && schema['minItems'] > 0 && depth > 0;
      return isWanted ? [plainest(definitions, schema['items'], depth - 1)] : [];
    }
    case 'string':
      return schema['format'] === 'date-time' ? '2026-01-01T00:00:00Z' : '';
    default:
      return depth === 0
        ? {}
        : Object.fromEntries(
            requiredOf(schema).map((key) => [
              key,
              plainest(definitions, memberAt(schema['properties'], key), depth - 1),
            ]),
          );
  }
}
