import { defineMembers, type Json, type JsonObject } from '../json.ts';
import { type GroupVersionKind, printApiVersion } from '../resource/gvk.ts';
import types from './builtinTypes.json' with { type: 'json' };
import { type MergeSchema, noSchema } from './mergeSchema.ts';
import { SchemaReader } from './openApiSchema.ts';

/**
 * The merge schema of a built-in kind, for when the cluster's OpenAPI cannot be read; of any other kind
 * only the metadata is known. Never throws.
 *
 * Source: builtinTypes.json, condensed from an API server's OpenAPI v3 documents.
 */
export function builtinSchema(gvk: GroupVersionKind): MergeSchema {
  const reader = builtinReader();
  const kind = `${printApiVersion(gvk)}/${gvk.kind}`;
  const kinds: Readonly<Record<string, string>> = types.kinds;
  const name = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (name !== undefined) return reader.read(reference(name));
  const metadata = reader.read(reference('ObjectMeta'));
  return {
    ...noSchema,
    type: 'object',
    member: (key) =>
      key === 'metadata' ? metadata : key === 'apiVersion' || key === 'kind' ? textSchema : noSchema,
  };
}

const textSchema: MergeSchema = { ...noSchema, type: 'string' };

function builtinReader(): SchemaReader {
  const definitions: Readonly<Record<string, string>> = types.definitions;
  const decoded = new Map<string, JsonObject>();
  return new SchemaReader((name) => {
    const text = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (text === undefined) return undefined;
    const known = decoded.get(name) ?? decodeDefinition(text);
    decoded.set(name, known);
    return known;
  });
}

function reference(name: string): JsonObject {
  return { $ref: name };
}

/**
 * Reads one definition of the table as an OpenAPI node: `*` for an atomic mapping, `<discriminator:members>`
 * for a union, then `name:type` for each member, `;` between; or a type alone.
 */
function decodeDefinition(text: string): JsonObject {
  const parts = /^(?<atomic>\*?)(?:<(?<discriminator>\w*):(?<fields>[\w,]*)>)?(?<members>.*)$/.exec(
    text,
  )?.groups;
  const members = parts?.['members'] ?? '';
  if (!members.includes(':')) return decodeType(text);
  const properties = members.split(';').map((member): [string, Json] => {
    const colon = member.indexOf(':');
    return [member.slice(0, colon), decodeType(member.slice(colon + 1))];
  });
  const fields = parts?.['fields']?.split(',').map((field): [string, Json] => [field, '']);
  const discriminator = parts?.['discriminator'] ?? '';
  return {
    type: 'object',
    properties: defineMembers(properties),
    ...(parts?.['atomic'] === '*' && { 'x-kubernetes-map-type': 'atomic' }),
    ...(fields !== undefined && {
      'x-kubernetes-unions': [
        {
          'fields-to-discriminateBy': defineMembers(fields),
          ...(discriminator !== '' && { discriminator }),
        },
      ],
    }),
  };
}

const scalarTypes: Readonly<Record<string, JsonObject>> = {
  s: { type: 'string' },
  i: { type: 'integer' },
  n: { type: 'number' },
  b: { type: 'boolean' },
  o: { type: 'object' },
  x: { 'x-kubernetes-int-or-string': true },
  q: { $ref: 'io.k8s.apimachinery.pkg.api.resource.Quantity' },
  '?': {},
};

/**
 * Reads one type: a scalar's letter, a definition's name, `{type` for a mapping of any keys, `[type]` for a
 * list and behind it `!` atomic, `=` set or the list-map-keys with their defaults; before all that `*` for
 * an atomic mapping, `~` for a granular one of an atomic type, and `^` for retainKeys.
 */
function decodeType(text: string): JsonObject {
  if (text.startsWith('*')) return { ...decodeType(text.slice(1)), 'x-kubernetes-map-type': 'atomic' };
  if (text.startsWith('~')) return { ...decodeType(text.slice(1)), 'x-kubernetes-map-type': 'granular' };
  if (text.startsWith('^'))
    return { ...decodeType(text.slice(1)), 'x-kubernetes-patch-strategy': 'retainKeys' };
  if (text.startsWith('{')) return { type: 'object', additionalProperties: decodeType(text.slice(1)) };
  if (text.startsWith('[')) return decodeList(text);
  return Object.hasOwn(scalarTypes, text) ? (scalarTypes[text] ?? {}) : { $ref: text };
}

function decodeList(text: string): JsonObject {
  const end = text.lastIndexOf(']');
  const items = decodeType(text.slice(1, end));
  const rule = text.slice(end + 1);
  const list = { type: 'array', items };
  if (rule === '') return list;
  if (rule === '!') return { ...list, 'x-kubernetes-list-type': 'atomic' };
  if (rule === '=') return { ...list, 'x-kubernetes-list-type': 'set' };
  const keys = rule.split(',').map((key) => key.split('='));
  const defaults = keys.flatMap(([key = '', value]): [string, Json][] =>
    value === undefined ? [] : [[key, { type: 'string', default: value }]],
  );
  return {
    ...list,
    ...(defaults.length > 0 && { items: { allOf: [items], properties: defineMembers(defaults) } }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys.map(([key = '']) => key),
  };
}
