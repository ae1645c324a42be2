import { readFile } from 'node:fs/promises';
import type { WriteOutcome } from '../../src/core/errors.ts';
import { type JsonObject, memberAt, withMember } from '../../src/core/json.ts';
import type { ResourceRef } from '../../src/core/resource/resourceRef.ts';
import { type Snapshot, toSnapshot } from '../../src/core/resource/snapshot.ts';
import type { ClustersOptions } from '../../src/cluster/clusters.ts';
import type { ClusterPort } from '../../src/sync/clusterPort.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { FaultProxy } from '../support/faultProxy.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../support/sharedApiServer.ts';
import { makeFolder, noAbort, type OpenClusters, openClusters } from './openClusters.ts';

export const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
export const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };

/** The shared API server behind a fault proxy, a namespace in it, and the product's connection to it. */
export interface ClusterFixture extends AsyncDisposable {
  readonly server: SharedApiServer;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  readonly opened: OpenClusters;
  /** The product as `admin`, through the proxy. */
  readonly cluster: ClusterPort;
  /** The product as `viewer`, through the proxy. */
  readonly viewer: ClusterPort;
  /** Another writer, straight to the server. */
  readonly other: ApiClient;
  /** Another product instance on the same kubeconfig. */
  open(options: Partial<ClustersOptions>): Promise<OpenClusters>;
  /** The product without the proxy between: for measuring. */
  openDirectly(): Promise<OpenClusters>;
  ref(name: string, gvr?: ResourceRef['gvr']): ResourceRef;
}

export async function openFixture(options: Partial<ClustersOptions> = {}): Promise<ClusterFixture> {
  const server = await sharedApiServer();
  const proxy = await FaultProxy.start({ target: server });
  const other = server.client();
  const namespace = await createNamespace(other, 'cluster');
  const folder = await makeFolder();
  const text = await readFile(server.kubeconfigPath, 'utf8');
  const kubeconfig = await folder.write('config', text.replaceAll(server.url, proxy.url));
  const all: OpenClusters[] = [];
  const open = async (more: Partial<ClustersOptions>): Promise<OpenClusters> => {
    const opened = await openClusters([kubeconfig], more);
    all.push(opened);
    return opened;
  };
  const openDirectly = async (): Promise<OpenClusters> => {
    const opened = await openClusters([server.kubeconfigPath]);
    all.push(opened);
    return opened;
  };
  const opened = await open(options);
  return {
    server,
    proxy,
    namespace,
    opened,
    cluster: opened.connect('admin'),
    viewer: opened.connect('viewer'),
    other,
    open,
    openDirectly,
    ref: (name, gvr = configMaps) => ({ context: 'admin', namespace, gvr, name }),
    [Symbol.asyncDispose]: async () => {
      for (const { clusters } of all) clusters.dispose();
      other.close();
      await proxy[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** A ConfigMap as a person would write it. */
export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = { key: 'value' },
): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** @throws Error where the write brought anything but an object with version and uid */
export function committed(outcome: WriteOutcome): Snapshot {
  if (outcome.kind !== 'committed' || outcome.snapshot === undefined) {
    throw new Error(`not committed: ${JSON.stringify({ ...outcome, object: undefined })}`);
  }
  return outcome.snapshot;
}

/** Creates an object through the product. */
export async function create(cluster: ClusterPort, ref: ResourceRef, object: JsonObject): Promise<Snapshot> {
  return committed(await cluster.write({ kind: 'create', ref, object }, noAbort));
}

/** Reads an object through the product. */
export async function read(cluster: ClusterPort, ref: ResourceRef): Promise<Snapshot> {
  const outcome = await cluster.get(ref, noAbort);
  const snapshot = outcome.kind === 'ok' ? toSnapshot(outcome.value) : undefined;
  if (snapshot === undefined) throw new Error(`not read: ${outcome.kind}`);
  return snapshot;
}

/** Sends an object on the condition that it is still what `basis` shows. */
export function update(
  cluster: ClusterPort,
  ref: ResourceRef,
  basis: Snapshot,
  object: JsonObject = basis.object,
  more: { readonly subresource?: string; readonly isDryRun?: boolean } = {},
): Promise<WriteOutcome> {
  const { uid, resourceVersion } = basis;
  return cluster.write(
    { kind: 'update', ref, precondition: { uid, resourceVersion }, object, ...more },
    noAbort,
  );
}

/** A copy with one label set. */
export function withLabel(object: JsonObject, key: string, value: string): JsonObject {
  const metadata = memberAt(object, 'metadata') as JsonObject;
  const labels = (memberAt(metadata, 'labels') ?? {}) as JsonObject;
  return withMember(object, 'metadata', withMember(metadata, 'labels', withMember(labels, key, value)));
}
