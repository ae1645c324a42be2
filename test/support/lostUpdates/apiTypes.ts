import { isJsonArray, type Json, type JsonObject, memberAt, parseJson } from '../../../src/core/json.ts';
import { type MergeSchema, noSchema } from '../../../src/core/merge/mergeSchema.ts';
import { schemaFromOpenApi } from '../../../src/core/merge/openApiSchema.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../src/core/resource/gvk.ts';
import type { ApiClient } from '../apiClient.ts';

/** Where objects of a type are served, and what the server says of the type. */
export interface ApiType {
  readonly gvk: GroupVersionKind;
  /** Plural, as in the URL. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly hasStatusSubresource: boolean;
  /** The OpenAPI v3 document that describes it. */
  readonly document: JsonObject;
  readonly schema: MergeSchema;
}

/** Asks a server for its types, each group and version once. */
export class ApiTypes {
  readonly #client: ApiClient;
  readonly #answers = new Map<string, Promise<JsonObject>>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async find(object: JsonObject): Promise<ApiType> {
    const apiVersion = textAt(object, 'apiVersion');
    const gvk = { ...parseApiVersion(apiVersion), kind: textAt(object, 'kind') };
    const root = apiRoot(apiVersion);
    const list = await this.#get(root);
    const document = await this.#get(`/openapi/v3${root}`);
    const rows = memberAt(list, 'resources');
    const resources = isJsonArray(rows) ? rows : [];
    const row = resources.find(
      (one) => memberAt(one, 'kind') === gvk.kind && !textAt(one, 'name').includes('/'),
    );
    const resource = memberAt(row, 'name');
    if (typeof resource !== 'string') throw new Error(`the server has no ${apiVersion} ${gvk.kind}`);
    return {
      gvk,
      resource,
      isNamespaced: memberAt(row, 'namespaced') === true,
      hasStatusSubresource: resources.some((one) => memberAt(one, 'name') === `${resource}/status`),
      document,
      schema: schemaFromOpenApi(document, gvk) ?? noSchema,
    };
  }

  #get(path: string): Promise<JsonObject> {
    const known = this.#answers.get(path);
    if (known !== undefined) return known;
    const answer = this.#client.request('GET', path).then(({ status, text }) => {
      if (status !== 200) throw new Error(`${path} answered ${String(status)}`);
      return parseJson(text) as JsonObject;
    });
    this.#answers.set(path, answer);
    return answer;
  }
}

/** `/api/v1` or `/apis/GROUP/VERSION`. */
export function apiRoot(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** @throws Error where there is no string */
export function textAt(value: Json, ...keys: readonly string[]): string {
  const text = memberAt(value, ...keys);
  if (typeof text !== 'string') throw new Error(`no text at ${keys.join('.')}`);
  return text;
}
