import type { ApiClient } from '../../support/apiClient.ts';
import { until } from './until.ts';

const group = 'test.kubemerge.example';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes the server serve `Widget`, whose spec may hold anything beside `size` and `port`. */
export function serveWidgets(client: ApiClient): Promise<void> {
  return serveKind(client, 'widgets', 'Widget');
}

/** Makes the server serve a `Service` beside its own, until it is disposed of: others ask for Services too. */
export async function serveCustomServices(client: ApiClient): Promise<AsyncDisposable> {
  await serveKind(client, 'services', 'Service');
  return {
    [Symbol.asyncDispose]: async () => {
      await client.delete(`${definitions}/services.${group}`);
    },
  };
}

async function serveKind(client: ApiClient, plural: string, kind: string): Promise<void> {
  await client.apply(
    `${definitions}/${plural}.${group}`,
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, singular: kind.toLowerCase(), kind },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: {
                      size: { type: 'integer', format: 'int64' },
                      port: { 'x-kubernetes-int-or-string': true },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    },
    'test-set-up',
  );
  await until(`${plural} are served`, async () => {
    const { status } = await client.request('GET', `/apis/${group}/v1/namespaces/default/${plural}`);
    return status === 200 ? true : undefined;
  });
}
