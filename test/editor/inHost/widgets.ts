import type { ApiClient } from '../../support/apiClient.ts';
import { until } from './until.ts';

const group = 'test.kubemerge.example';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes the server serve `Widget`, whose spec may hold anything beside `size` and `port`. */
export async function serveWidgets(client: ApiClient): Promise<void> {
  await client.apply(
    `${definitions}/widgets.${group}`,
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
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
  await until('widgets are served', async () => {
    const { status } = await client.request('GET', `/apis/${group}/v1/namespaces/default/widgets`);
    return status === 200 ? true : undefined;
  });
}
