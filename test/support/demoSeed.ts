import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Document, parseAllDocuments } from 'yaml';
import type { ApiClient } from './apiClient.ts';
import { fillAggregatedRole } from './rbac.ts';

/** The namespace of the demo application. */
export const demoNamespace = 'shop';

/** Puts the small application of demo/shop.yaml into a cluster, as its deployer and its controllers would. */
export async function seedDemo(client: ApiClient): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'demo', 'shop.yaml'), 'utf8');
  // The documents are sent as text, and their integers may be beyond what a number holds.
  for (const document of parseAllDocuments(text, { intAsBigInt: true }))
    await applyDocument(client, document);
  await fillAggregatedRole(client, 'view');
}

async function applyDocument(client: ApiClient, document: Document): Promise<void> {
  const { apiVersion, kind, metadata } = document.toJS() as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const resource = await findResource(client, root, kind);
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${scope}/${resource}/${metadata.name}`;

  const ofStatus = document.clone();
  document.delete('status');
  await client.apply(path, document.toString(), 'shop-deployer');
  if (!ofStatus.has('status')) return;
  ofStatus.delete('spec');
  await client.apply(`${path}/status`, ofStatus.toString(), statusWriterOf(kind));
}

/** @returns the plural of a kind; waits a little for one that a CustomResourceDefinition has just brought */
async function findResource(client: ApiClient, root: string, kind: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const reply = await client.request('GET', root);
    if (reply.status === 200) {
      const list = reply.json as { resources: { name: string; kind: string }[] };
      const found = list.resources.find((entry) => entry.kind === kind && !entry.name.includes('/'));
      if (found !== undefined) return found.name;
    }
    await pause(100);
  }
  throw new Error(`the API server does not serve ${kind} below ${root}`);
}

function statusWriterOf(kind: string): string {
  if (kind === 'Node' || kind === 'Pod') return 'kubelet';
  return kind === 'Discount' ? 'discount-controller' : 'kube-controller-manager';
}
