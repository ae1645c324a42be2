import type { Outcome } from '../core/errors.ts';
import { isJsonObject, type JsonObject, memberAt, printJson } from '../core/json.ts';
import type { Clock } from '../sync/clock.ts';
import type { ApiClient } from './apiClient.ts';
import { tryParseJson } from './apiStatus.ts';
import { openApiKey } from './discoveryAnswers.ts';
import { SharedWork } from './sharedWork.ts';

/** Keeps texts under keys beyond the life of this process. A failure to do so is no failure of ours. */
export interface TextCache {
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<void>;
}

/** How long the index of documents is believed, in ms; a new custom resource is seen after that. */
const indexAgeMs = 30_000;

/**
 * OpenAPI v3 documents by group and version. Each has a hash in its URL, so that what is cached under it
 * holds for ever.
 */
export class OpenApiDocuments {
  readonly #clock: Clock;
  readonly #cache: TextCache | undefined;
  readonly #indexWork = new SharedWork<Outcome<JsonObject>>();
  readonly #documentWork = new Map<string, SharedWork<Outcome<JsonObject>>>();
  readonly #documents = new Map<string, { readonly url: string; readonly document: JsonObject }>();
  #index: { readonly paths: JsonObject; readonly readAt: number } | undefined;

  constructor(clock: Clock, cache: TextCache | undefined) {
    this.#clock = clock;
    this.#cache = cache;
  }

  async find(client: ApiClient, groupVersion: string, signal: AbortSignal): Promise<Outcome<JsonObject>> {
    const index = await this.#indexWork.join((shared) => this.#readIndex(client, shared), signal);
    if (index.kind !== 'ok') return index;
    const key = openApiKey(groupVersion);
    const url = memberAt(index.value, key, 'serverRelativeURL');
    if (typeof url !== 'string' || !url.startsWith('/')) {
      return { kind: 'notFound', message: `the server has no schema for ${groupVersion}` };
    }
    const kept = this.#documents.get(key);
    if (kept?.url === url) return { kind: 'ok', value: kept.document };
    let work = this.#documentWork.get(url);
    if (work === undefined) {
      work = new SharedWork();
      this.#documentWork.set(url, work);
    }
    const result = await work.join((shared) => this.#readDocument(client, key, url, shared), signal);
    this.#documentWork.delete(url);
    return result;
  }

  async #readIndex(client: ApiClient, signal: AbortSignal): Promise<Outcome<JsonObject>> {
    const now = this.#clock.now();
    if (this.#index !== undefined && now - this.#index.readAt < indexAgeMs) {
      return { kind: 'ok', value: this.#index.paths };
    }
    const answer = await client.fetchObject({ method: 'GET', path: '/openapi/v3', signal });
    if (answer.kind !== 'ok') return answer;
    const paths = answer.value.paths;
    if (!isJsonObject(paths)) return { kind: 'invalidAnswer', message: 'the list of schemas cannot be read' };
    this.#index = { paths, readAt: now };
    return { kind: 'ok', value: paths };
  }

  async #readDocument(
    client: ApiClient,
    key: string,
    url: string,
    signal: AbortSignal,
  ): Promise<Outcome<JsonObject>> {
    const hash = /[?&]hash=([0-9A-Za-z]+)/.exec(url)?.[1];
    const cacheKey = hash === undefined ? undefined : `openapi-${key.replaceAll('/', '-')}-${hash}`;
    const cached = cacheKey === undefined ? undefined : await this.#readCache(cacheKey);
    if (cached !== undefined) {
      this.#documents.set(key, { url, document: cached });
      return { kind: 'ok', value: cached };
    }
    const answer = await client.fetchObject({ method: 'GET', path: url, signal });
    if (answer.kind !== 'ok') return answer;
    this.#documents.set(key, { url, document: answer.value });
    if (cacheKey !== undefined)
      await this.#cache?.write(cacheKey, printJson(answer.value)).catch(() => undefined);
    return answer;
  }

  async #readCache(key: string): Promise<JsonObject | undefined> {
    const text = await this.#cache?.read(key).catch(() => undefined);
    const value = text === undefined ? undefined : tryParseJson(text);
    return isJsonObject(value) ? value : undefined;
  }
}
