import type { ApiClient } from './apiClient.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

interface ClusterRole {
  readonly metadata: { readonly name: string };
  readonly rules: readonly unknown[] | null;
}

/**
 * Fills a ClusterRole from those labelled to be part of it, as the controller manager would; none runs in the tests.
 *
 * @param name `view`, `edit` or `admin`
 */
export async function fillAggregatedRole(client: ApiClient, name: string): Promise<void> {
  const selector = encodeURIComponent(`rbac.authorization.k8s.io/aggregate-to-${name}=true`);
  const parts = (await client.get(`${roles}?labelSelector=${selector}`)) as { items: ClusterRole[] };
  const rules = parts.items.flatMap((role) => role.rules ?? []);
  await client.patch(`${roles}/${name}`, { rules }, 'clusterrole-aggregation-controller');
}

/** Gives a user the rights of a ClusterRole in the whole cluster. */
export async function bindUser(client: ApiClient, user: string, role: string): Promise<void> {
  const name = `${user}-${role}`;
  await client.apply(
    `${bindings}/${name}`,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
    'test-set-up',
  );
}
