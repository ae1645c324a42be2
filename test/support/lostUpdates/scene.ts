import { type JsonObject, memberAt, parseJson, printJson, withMember } from '../../../src/core/json.ts';
import type { ApiClient, ApiReply, ApiRequestOptions } from '../apiClient.ts';
import { applyFieldEdits, type Edits } from '../mergeCases.ts';
import { createNamespace } from '../sharedApiServer.ts';
import { type ApiType, type ApiTypes, apiRoot, textAt } from './apiTypes.ts';
import type { Scenario } from './scenarios.ts';

export interface SceneOptions {
  readonly client: ApiClient;
  readonly types: ApiTypes;
  readonly scenario: Scenario;
}

/** One scenario on a real server, in a namespace of its own: the object, and the other writer. */
export class Scene {
  readonly scenario: Scenario;
  readonly type: ApiType;
  readonly namespace: string;
  readonly name: string;
  /** The object as its first writer would have it in a file. */
  readonly manifest: JsonObject;
  /** URL path of the object. */
  readonly path: string;
  readonly #client: ApiClient;
  #opened: JsonObject | undefined;

  private constructor(options: SceneOptions, type: ApiType, namespace: string) {
    const { scenario, client } = options;
    const name = textAt(scenario.object, 'metadata', 'name');
    this.#client = client;
    this.scenario = scenario;
    this.type = type;
    this.namespace = namespace;
    this.name = type.isNamespaced ? name : `${namespace}-${name}`;
    const metadata = memberAt(scenario.object, 'metadata') as JsonObject;
    const place = withMember(metadata, 'namespace', type.isNamespaced ? namespace : undefined);
    this.manifest = withMember(scenario.object, 'metadata', { ...place, name: this.name });
    this.path = `${this.#collection}/${this.name}`;
  }

  static async prepare(options: SceneOptions): Promise<Scene> {
    const type = await options.types.find(options.scenario.object);
    return new Scene(options, type, await createNamespace(options.client, 'lost'));
  }

  get #collection(): string {
    const { type, namespace } = this;
    const root = apiRoot(textAt(this.scenario.object, 'apiVersion'));
    return `${root}${type.isNamespaced ? `/namespaces/${namespace}` : ''}/${type.resource}`;
  }

  /** The object as both writers found it. */
  get opened(): JsonObject {
    if (this.#opened === undefined) throw new Error('the object has not been opened');
    return this.#opened;
  }

  /** What mine wants of an object that both started from. */
  mineOf(object: JsonObject): JsonObject {
    return applyFieldEdits(object, this.scenario.mine);
  }

  async create(): Promise<void> {
    await this.send('POST', `${this.#collection}?fieldManager=first`, this.manifest);
  }

  async open(): Promise<JsonObject> {
    return (this.#opened = await this.read());
  }

  /** Does what the other writer does, with care: on the newest version, or not at all. */
  async otherWrites(): Promise<void> {
    const { other } = this.scenario;
    switch (other.kind) {
      case 'update':
        await this.#update(this.path, 'other', other.edits);
        return;
      case 'status':
        await this.#update(`${this.path}/status`, 'controller', other.edits);
        return;
      case 'scale': {
        const path = `${this.path}/scale`;
        const scale = await this.send('GET', path);
        await this.send('PUT', `${path}?fieldManager=autoscaler`, {
          ...scale,
          spec: { replicas: other.replicas },
        });
        return;
      }
      case 'delete':
        await this.#delete();
        return;
      case 'recreate':
        await this.#delete();
        await this.send(
          'POST',
          `${this.#collection}?fieldManager=other`,
          applyFieldEdits(this.manifest, other.edits),
        );
        return;
    }
  }

  async read(): Promise<JsonObject> {
    return this.send('GET', this.path);
  }

  /** The object now; undefined where there is none. */
  async find(): Promise<JsonObject | undefined> {
    const reply = await this.request('GET', this.path);
    return reply.status === 404 ? undefined : (parseJson(reply.text) as JsonObject);
  }

  /** What the server would make of this object: its defaults filled in. Nothing is written. */
  async asServed(object: JsonObject): Promise<JsonObject> {
    const live = await this.read();
    const version = memberAt(live, 'metadata', 'resourceVersion');
    const named = withMember(memberAt(object, 'metadata') as JsonObject, 'uid', undefined);
    const metadata = withMember(named, 'resourceVersion', version);
    return this.send('PUT', `${this.path}?dryRun=All`, withMember(object, 'metadata', metadata));
  }

  /** Takes the object away, so that nothing it holds of the cluster is used up. */
  async clear(): Promise<void> {
    const body = { metadata: { finalizers: null } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await this.request('PATCH', this.path, { body, headers });
    await this.#client.request('DELETE', `${this.path}?gracePeriodSeconds=0`);
  }

  /** One request as anybody could send it; an answer of any status is returned. */
  request(method: string, path: string, options: ApiRequestOptions = {}): Promise<ApiReply> {
    return this.#client.request(method, path, options);
  }

  /** @throws Error for any status but 2xx */
  async send(method: string, path: string, object?: JsonObject): Promise<JsonObject> {
    const options = object === undefined ? {} : { body: printJson(object) };
    const reply = await this.#client.request(method, path, options);
    if (reply.status < 200 || reply.status > 299) {
      throw new Error(
        `${this.scenario.title}: ${method} ${path} answered ${String(reply.status)}: ${reply.text}`,
      );
    }
    return parseJson(reply.text) as JsonObject;
  }

  async #update(path: string, fieldManager: string, edits: Edits): Promise<void> {
    await this.send('PUT', `${path}?fieldManager=${fieldManager}`, applyFieldEdits(await this.read(), edits));
  }

  async #delete(): Promise<void> {
    const reply = await this.#client.request('DELETE', `${this.path}?gracePeriodSeconds=0`);
    if (reply.status > 299) throw new Error(`${this.scenario.title}: not deleted: ${reply.text}`);
  }
}
