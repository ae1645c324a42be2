import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ApiClient } from '../apiClient.ts';
import { createNamespace } from '../sharedApiServer.ts';
import { until } from '../until.ts';
import { apiRoot } from './apiTypes.ts';

const data = join(import.meta.dirname, '../../data');

const collections: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'customresourcedefinitions',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
};

/** Makes what the scenarios need of a cluster, and waits until it serves that. */
export async function setUpCluster(client: ApiClient): Promise<void> {
  for (const file of ['merge/storefront.crd.yaml', 'lostUpdates/setup.yaml']) {
    for (const document of parseAllDocuments(readFileSync(join(data, file), 'utf8'))) {
      const object = document.toJS() as { apiVersion: string; kind: string; metadata: { name: string } };
      const collection = collections[object.kind] ?? object.kind;
      await client.apply(
        `${apiRoot(object.apiVersion)}/${collection}/${object.metadata.name}`,
        object,
        'test',
      );
    }
  }
  for (const group of ['shop.example.com', 'lab.example.com']) {
    await until(async () => {
      const reply = await client.request('GET', '/openapi/v3');
      return `apis/${group}/v1` in (reply.json as { paths: object }).paths;
    });
  }
  await waitForPolicy(client);
}

/** A policy acts some time after it was made. */
async function waitForPolicy(client: ApiClient): Promise<void> {
  const namespace = await createNamespace(client, 'policy');
  const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const labels = { sidecar: 'wanted' };
  await client.create(collection, {
    metadata: { name: 'probe', labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'probe', image: 'probe:1' }] } },
    },
  });
  let tries = 0;
  await until(async () => {
    const annotations = { try: String(++tries) };
    const answer = (await client.patch(`${collection}/probe`, { metadata: { annotations } })) as unknown;
    return JSON.stringify(answer).includes('sidecar:1');
  });
}
