import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { clusterIdOf } from './clusterId.ts';
import type { ResolvedContext } from './kubeconfigModel.ts';
import type { Environment } from './kubeconfigPaths.ts';

/** Where a pod finds its service account. Source: Kubernetes, "Accessing the API from a Pod". */
const defaultFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The context of the pod that the editor runs in, where it runs in one; used only without a kubeconfig. */
export async function inClusterContext(
  env: Environment,
  serviceAccountFolder = defaultFolder,
): Promise<ResolvedContext | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host === undefined || port === undefined) return undefined;
  const tokenFile = `${serviceAccountFolder}/token`;
  const read = (name: string): Promise<Buffer | undefined> =>
    readFile(`${serviceAccountFolder}/${name}`).catch(() => undefined);
  const [token, ca, namespace] = await Promise.all([read('token'), read('ca.crt'), read('namespace')]);
  if (token === undefined) return undefined;
  const ownNamespace = namespace?.toString('utf8').trim();
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    entry: {
      name: 'in-cluster',
      namespace: ownNamespace === undefined || ownNamespace === '' ? 'default' : ownNamespace,
      clusterId: clusterIdOf(server, ca),
      server,
      userName: 'service account',
      isCurrent: true,
      isInsecure: false,
      canSignIn: false,
    },
    cluster: {
      name: 'in-cluster',
      server,
      skipTlsVerify: false,
      isCompressionDisabled: false,
      ...(ca === undefined ? {} : { ca }),
    },
    user: { name: 'service account', tokenFile, impersonation: { groups: [], extra: {} } },
  };
}
