import type { ContextEntry } from '../sync/clusterPort.ts';
import { clusterIdOf } from './clusterId.ts';
import type {
  Entry,
  KubeCluster,
  KubeconfigFile,
  KubeUser,
  Material,
  RawCluster,
  RawContext,
  ResolvedContext,
} from './kubeconfigModel.ts';

/** All kubeconfig files as one. */
export interface MergedKubeconfig {
  readonly contexts: readonly ResolvedContext[];
  readonly problems: readonly string[];
}

/**
 * Merges files in order: for each name the first definition wins whole, and so does the first current context.
 * Source: kubectl, "Merging kubeconfig files".
 *
 * @param readMaterial reads a certificate authority; throws where the file cannot be read
 */
export function mergeKubeconfigs(
  files: readonly KubeconfigFile[],
  readMaterial: (material: Material) => Buffer,
): MergedKubeconfig {
  const clusters = firstOf(files.map((file) => file.clusters));
  const users = firstOf(files.map((file) => file.users));
  const contexts = firstOf(files.map((file) => file.contexts));
  const current = files.find((file) => file.currentContext !== undefined)?.currentContext;
  const resolve = (name: string, entry: Entry<RawContext>): ResolvedContext => {
    const isCurrent = name === current;
    if (entry.kind === 'bad') return unusable({ name, isCurrent, problem: entry.problem });
    const { cluster: clusterName, user: userName, namespace } = entry.value;
    const known = { name, isCurrent, namespace, userName };
    const cluster = clusters.get(clusterName);
    if (cluster === undefined) {
      return unusable({
        ...known,
        problem: `cluster "${clusterName}" is in no kubeconfig file`,
        clusterName,
      });
    }
    if (cluster.kind === 'bad') return unusable({ ...known, problem: cluster.problem, clusterName });
    const user = userName === '' ? anonymous : users.get(userName);
    const usable = withCa(cluster.value, readMaterial);
    const problem =
      usable.kind === 'bad'
        ? usable.problem
        : user === undefined
          ? `user "${userName}" is in no kubeconfig file`
          : user.kind === 'bad'
            ? user.problem
            : undefined;
    if (problem !== undefined || usable.kind === 'bad' || user?.kind !== 'ok') {
      const { server } = cluster.value;
      return unusable({ ...known, problem: problem ?? 'this context cannot be read', clusterName, server });
    }
    return { entry: toEntry(known, usable.value, user.value), cluster: usable.value, user: user.value };
  };
  return {
    contexts: [...contexts].map(([name, entry]) => resolve(name, entry)),
    problems: files.flatMap((file) => file.problems),
  };
}

const anonymousUser: KubeUser = { name: '', impersonation: { groups: [], extra: {} } };
const anonymous: Entry<KubeUser> = { kind: 'ok', value: anonymousUser };

interface KnownContext {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly namespace?: string;
  readonly userName?: string;
}

function unusable(
  context: KnownContext & {
    readonly problem: string;
    readonly clusterName?: string;
    readonly server?: string;
  },
): ResolvedContext {
  const { name, isCurrent, problem, namespace = 'default', userName = '', server = '' } = context;
  const clusterId = clusterIdOf(server, Buffer.from(`unusable ${context.clusterName ?? ''}`));
  return {
    entry: {
      ...{ name, namespace, clusterId, server, userName, isCurrent, problem },
      ...{ isInsecure: false, canSignIn: false },
    },
    user: anonymousUser,
  };
}

function toEntry(context: KnownContext, cluster: KubeCluster, user: KubeUser): ContextEntry {
  return {
    name: context.name,
    namespace: context.namespace ?? 'default',
    clusterId: clusterIdOf(cluster.server, cluster.ca),
    server: cluster.server,
    userName: context.userName ?? '',
    isCurrent: context.isCurrent,
    isInsecure: cluster.skipTlsVerify || cluster.server.startsWith('http:'),
    canSignIn: user.exec !== undefined && user.exec.interactiveMode !== 'Never',
  };
}

function withCa(raw: RawCluster, readMaterial: (material: Material) => Buffer): Entry<KubeCluster> {
  const { caMaterial, ...cluster } = raw;
  // client-go refuses both together; kubectl users meet it as a hard error, so the CA simply goes unused here.
  if (caMaterial === undefined || cluster.skipTlsVerify) return { kind: 'ok', value: cluster };
  try {
    return { kind: 'ok', value: { ...cluster, ca: readMaterial(caMaterial) } };
  } catch {
    const what = caMaterial.kind === 'file' ? caMaterial.path : 'its data';
    return {
      kind: 'bad',
      problem: `the certificate authority of cluster "${raw.name}" cannot be read (${what})`,
    };
  }
}

function firstOf<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) {
    for (const [name, value] of map) if (!merged.has(name)) merged.set(name, value);
  }
  return merged;
}
