import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
} from '../../../../src/core/json.ts';
import type { ApiType } from '../apiTypes.ts';

/** One place in a type's OpenAPI document: what it says of strategic merge patches, read without the product. */
export class OpenApiNode {
  readonly #definitions: Json;
  readonly #nodes: readonly JsonObject[];

  private constructor(definitions: Json, node: Json | undefined) {
    this.#definitions = definitions;
    this.#nodes = resolve(definitions, node);
  }

  static ofType({ document, gvk }: ApiType): OpenApiNode {
    const definitions = memberAt(document, 'components', 'schemas') ?? {};
    const isOfType = (definition: Json): boolean => {
      const kinds = memberAt(definition, 'x-kubernetes-group-version-kind');
      return isJsonArray(kinds) && kinds.some((kind) => memberAt(kind, 'kind') === gvk.kind);
    };
    return new OpenApiNode(definitions, Object.values(definitions).find(isOfType));
  }

  get mergeKey(): string | undefined {
    const key = this.#find('x-kubernetes-patch-merge-key');
    return typeof key === 'string' ? key : undefined;
  }

  /** `merge`, `replace`, `retainKeys`. */
  get strategies(): readonly string[] {
    const text = this.#find('x-kubernetes-patch-strategy');
    return typeof text === 'string' ? text.split(',') : [];
  }

  member(key: string): OpenApiNode {
    const properties = this.#nodes.map((node) => memberAt(node, 'properties', key));
    return new OpenApiNode(
      this.#definitions,
      properties.find(isJsonObject) ?? this.#find('additionalProperties'),
    );
  }

  items(): OpenApiNode {
    return new OpenApiNode(this.#definitions, this.#find('items'));
  }

  #find(key: string): Json | undefined {
    return this.#nodes.map((node) => memberAt(node, key)).find((value) => value !== undefined);
  }
}

function resolve(definitions: Json, node: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(node)) return [];
  const reference = node['$ref'];
  const parts = node['allOf'];
  return [
    node,
    ...(typeof reference === 'string'
      ? resolve(definitions, memberAt(definitions, reference.slice(reference.lastIndexOf('/') + 1)))
      : []),
    ...(isJsonArray(parts) ? parts.flatMap((part) => resolve(definitions, part)) : []),
  ];
}
