import { request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import type { ApiClient } from '../../support/apiClient.ts';
import type { SharedApiServer } from '../../support/sharedApiServer.ts';
import { until } from '../../support/until.ts';
import type { Version } from './audit.ts';
import { type ContestedObject, flatten } from './fields.ts';

interface WatchedObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

interface WatchEvent {
  readonly type: string;
  readonly object: WatchedObject;
}

/** Everything that becomes of the objects, as the server's own watch tells it. */
export class WatchHistory implements AsyncDisposable {
  readonly versions: Version[] = [];
  readonly #client: ApiClient;
  readonly #objects: readonly ContestedObject[];
  readonly #end = new AbortController();
  #failure: Error | undefined;

  /** Begins with the objects as they are; they exist already. */
  static async start(server: SharedApiServer, objects: readonly ContestedObject[]): Promise<WatchHistory> {
    const history = new WatchHistory(server.client(), objects);
    for (const collection of new Set(objects.map((object) => object.collection))) {
      await history.#follow(server, collection);
    }
    return history;
  }

  private constructor(client: ApiClient, objects: readonly ContestedObject[]) {
    this.#client = client;
    this.#objects = objects;
  }

  /** Waits until the watch has told what the server holds now. @throws where the watch broke */
  async settle(): Promise<void> {
    for (const { path } of this.#objects) {
      const { metadata } = (await this.#client.get(path)) as WatchedObject;
      await until(
        () =>
          this.#failure !== undefined ||
          this.versions.some(
            ({ object, resourceVersion }) => object === path && resourceVersion === metadata.resourceVersion,
          ),
      );
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#client.close();
    return Promise.resolve();
  }

  async #follow(server: SharedApiServer, collection: string): Promise<void> {
    const list = (await this.#client.get(collection)) as {
      readonly metadata: { readonly resourceVersion: string };
      readonly items: readonly WatchedObject[];
    };
    for (const item of list.items) this.#take(collection, item);
    const query = new URLSearchParams({
      watch: 'true',
      resourceVersion: list.metadata.resourceVersion,
      timeoutSeconds: '7200',
    });
    const request = httpsRequest(`${server.url}${collection}?${query.toString()}`, {
      ca: server.ca,
      headers: { authorization: `Bearer ${server.tokens.admin ?? ''}` },
      signal: this.#end.signal,
    });
    const fail = (reason: string): void => {
      if (!this.#end.signal.aborted) this.#failure ??= new Error(`the auditor's watch ${reason}`);
    };
    request.on('error', (error) => {
      fail(`broke: ${error.message}`);
    });
    request.on('response', (response) => {
      response.on('error', (error) => {
        fail(`broke: ${error.message}`);
      });
      response.on('end', () => {
        fail('ended');
      });
      const lines = createInterface({ input: response });
      // Told by the response already.
      lines.on('error', () => undefined);
      lines.on('line', (line) => {
        const { type, object } = JSON.parse(line) as WatchEvent;
        if (type === 'ADDED' || type === 'MODIFIED') this.#take(collection, object);
        else if (type === 'ERROR') fail(`answered ${line}`);
      });
    });
    request.end();
  }

  #take(collection: string, object: WatchedObject): void {
    const { name, uid, resourceVersion } = object.metadata;
    const path = `${collection}/${name}`;
    if (!this.#objects.some((contested) => contested.path === path)) return;
    this.versions.push({ object: path, uid, resourceVersion, fields: flatten(object) });
  }
}
