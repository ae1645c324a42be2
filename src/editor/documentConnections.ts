import * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import { type DocumentAddress, parseDocumentPath } from '../core/resource/documentPath.ts';
import { printApiVersion } from '../core/resource/gvk.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import { ConnectionSwitch } from './connectionSwitch.ts';
import { movedMessage, orThrow } from './documentErrors.ts';
import type { OpenDocument } from './openDocument.ts';

/** What a document's path leads to. */
export interface ConnectedAddress {
  readonly address: DocumentAddress;
  readonly connection: ConnectionSwitch;
}

/** Connects documents to the clusters that their paths name, and keeps each on its own. */
export class DocumentConnections {
  readonly #clusters: ClustersPort;
  readonly #signal: AbortSignal;
  readonly #byPath = new Map<string, ConnectionSwitch>();

  constructor(clusters: ClustersPort, signal: AbortSignal) {
    this.#clusters = clusters;
    this.#signal = signal;
  }

  get(path: string): ConnectionSwitch | undefined {
    return this.#byPath.get(path);
  }

  add(path: string, connection: ConnectionSwitch): void {
    this.#byPath.set(path, connection);
  }

  delete(path: string): void {
    this.#byPath.delete(path);
  }

  /** @throws Error in words where the path leads nowhere by now; no request is made */
  resolve(uri: vscode.Uri): ConnectedAddress {
    const address = parseDocumentPath(uri.path);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const connection = this.#clusters.connect(address.ref.context);
    if (connection === undefined) {
      throw new Error(
        `The kubeconfig has no context ${address.ref.context} now. Choose the kubeconfig that has it, then try again.`,
      );
    }
    const { clusterId, server, problem } = connection.context;
    if (clusterId !== address.clusterId) throw new Error(movedMessage(address.ref.context, server));
    if (problem !== undefined) throw new Error(`Context ${address.ref.context} cannot be used: ${problem}`);
    return { address, connection: new ConnectionSwitch(connection) };
  }

  /** Finds the type too. @throws Error in words where the cluster cannot be asked, or does not serve it */
  async connect(uri: vscode.Uri): Promise<ConnectedAddress & { readonly type: ResourceType }> {
    const { address, connection } = this.resolve(uri);
    const { gvr } = address.ref;
    const find = async (refresh: boolean): Promise<ResourceType | undefined> => {
      const outcome = await connection.port.discover(this.#signal, { refresh });
      const { types } = orThrow(outcome, `Cannot find out what ${address.ref.context} serves`);
      return types.find(
        (type) =>
          type.gvr.resource === gvr.resource &&
          type.gvr.group === gvr.group &&
          type.gvr.version === gvr.version,
      );
    };
    const type = (await find(false)) ?? (await find(true));
    if (type === undefined) {
      throw new Error(`${address.ref.context} serves no ${gvr.resource} in ${printApiVersion(gvr)}.`);
    }
    return { address, connection, type };
  }

  async read(ref: ResourceRef, connection: ConnectionSwitch): Promise<JsonObject> {
    const outcome = await connection.port.get(ref, this.#signal);
    return orThrow(outcome, `Cannot open ${ref.name}`);
  }

  /** Goes on with new credentials or settings; never with another cluster, whatever the kubeconfig says by now. */
  reconnect(documents: ReadonlyMap<string, OpenDocument>): void {
    for (const [path, document] of documents) {
      const { clusterId, ref } = document.address;
      const entry = this.#clusters.view.contexts.find(({ name }) => name === ref.context);
      if (entry === undefined) continue;
      if (entry.clusterId !== clusterId) {
        const earlier = this.#byPath.get(path)?.current.context.server;
        document.access.setConnectionProblem(movedMessage(ref.context, entry.server, earlier));
        continue;
      }
      const connection = this.#clusters.connect(ref.context);
      if (connection !== undefined) this.#byPath.get(path)?.use(connection);
      document.access.setConnectionProblem(undefined);
      document.runner.retryWatch();
    }
  }
}
