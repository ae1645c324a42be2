import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ApiRef, ExtensionApi } from '../../../src/editor/extensionApi.ts';
import type { ApiClient } from '../../support/apiClient.ts';
import { FaultProxy, type RecordedRequest } from '../../support/faultProxy.ts';
import { printKubeconfig, writePrivateFile } from '../../support/kubeconfig.ts';
import { createNamespace, type SharedApiServer, sharedApiServer } from '../../support/sharedApiServer.ts';
import { OpenObject, type Target } from './openObject.ts';
import { resourceOf, type TestObject } from './testObjects.ts';
import { until } from './until.ts';

export { makeGate } from '../../support/gate.ts';

/** The extension in this VS Code, on the real API server behind a proxy that records and breaks. */
export interface LiveFixture extends AsyncDisposable {
  readonly api: ExtensionApi;
  readonly server: SharedApiServer;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  /** Another writer, straight to the server. */
  readonly other: ApiClient;
  /** A context with all rights, through the proxy. */
  readonly context: string;
  /** A context whose user may read only, through the proxy. */
  readonly viewerContext: string;
  readonly kubeconfigPath: string;
  /** Creates an object as someone else, under a name of its own, in the fixture's namespace or the cluster's scope. */
  create(object: TestObject): Promise<Target>;
  /** Opens an object and waits until its watch is live. */
  open(target: Target, context?: string): Promise<OpenObject>;
  /** Opens an object without waiting for its watch. */
  openUnwatched(target: Target, context?: string): Promise<OpenObject>;
  createAndOpen(object: TestObject): Promise<OpenObject>;
  /** The PUTs of an object that came through the proxy. */
  puts(target: Target): readonly RecordedRequest[];
  /** Writes the kubeconfig anew, with this URL for its contexts, and maybe another context, which is the current one. */
  writeKubeconfig(url: string, currentContext?: string): Promise<void>;
}

export async function openLiveFixture(): Promise<LiveFixture> {
  const server = await sharedApiServer();
  const proxy = await FaultProxy.start({ target: server });
  const other = server.client();
  const namespace = await createNamespace(other, 'editor');
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-live-'));
  const kubeconfigPath = join(folder, 'config');
  // Names of their own: an earlier fixture's kubeconfig may still be loaded when the first object is opened.
  const { port } = new URL(proxy.url);
  const context = `admin-${port}`;
  const viewerContext = `viewer-${port}`;
  const { admin = '', viewer = '' } = server.tokens;
  const writeKubeconfig = (url: string, current = context): Promise<void> => {
    const tokens = { [current]: admin, [context]: admin, [viewerContext]: viewer };
    return writePrivateFile(kubeconfigPath, printKubeconfig({ url, ca: server.ca, tokens, namespace }));
  };
  await writeKubeconfig(proxy.url);
  const api = await activateExtension();
  await configure('kubeconfig', [kubeconfigPath]);

  const openUnwatched = async (target: Target, inContext = context): Promise<OpenObject> => {
    const ref = { ...target.ref, context: inContext };
    const uri = await until('the object opens', async () => {
      try {
        return await api.open(ref);
      } catch (error) {
        // The setting's new kubeconfig may not be loaded yet.
        if (String(error).includes('no context')) return undefined;
        throw error;
      }
    });
    return new OpenObject({ api, uri, target, other });
  };
  const open = async (target: Target, inContext = context): Promise<OpenObject> => {
    const object = await openUnwatched(target, inContext);
    await object.until('its watch is live', ({ liveness }) => liveness.kind === 'live');
    return object;
  };
  let count = 0;
  const create = async (object: TestObject): Promise<Target> => {
    const { group, version, resource, isNamespaced } = resourceOf(object);
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const name = `${object.metadata.name}-${port}-${String(++count)}`;
    const metadata = { ...object.metadata, name };
    const collection = isNamespaced ? `${root}/namespaces/${namespace}/${resource}` : `${root}/${resource}`;
    await other.create(`${collection}?fieldManager=creator`, { ...object, metadata });
    const ref: ApiRef = {
      context,
      ...(isNamespaced ? { namespace } : {}),
      group,
      version,
      resource,
      name,
    };
    return { path: `${collection}/${name}`, ref };
  };
  return {
    api,
    server,
    proxy,
    namespace,
    other,
    context,
    viewerContext,
    kubeconfigPath,
    create,
    open,
    openUnwatched,
    createAndOpen: async (object) => await open(await create(object)),
    puts: ({ path }) => proxy.recorded('PUT').filter((request) => request.path.startsWith(`${path}?`)),
    writeKubeconfig,
    [Symbol.asyncDispose]: async () => {
      await closeAll();
      await configure('kubeconfig', undefined);
      await proxy[Symbol.asyncDispose]();
      other.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Matches requests of an object or of its watch. */
export function isWatchOf({ ref }: Target): (request: RecordedRequest) => boolean {
  return ({ path }) => path.includes('watch=') && path.includes(encodeURIComponent(`=${ref.name}`));
}

/** Matches the writes of an object. */
export function isPutOf({ path }: Target): (request: RecordedRequest) => boolean {
  return (request) => request.method === 'PUT' && request.path.startsWith(`${path}?`);
}

export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('kubemerge.kubemerge');
  assert.ok(extension, 'the extension is installed');
  return await extension.activate();
}

/** Sets a setting of the extension for all windows; undefined brings its default back. */
export async function configure(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('kubemerge').update(key, value, vscode.ConfigurationTarget.Global);
}

/** Closes every editor; unsaved text is dropped. */
export async function closeAll(): Promise<void> {
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const tab of tabs) {
      if (!tab.isDirty || !(tab.input instanceof vscode.TabInputText)) continue;
      await vscode.window.showTextDocument(tab.input.uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
