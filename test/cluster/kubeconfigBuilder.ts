import { stringify } from 'yaml';

/** One context with a cluster and a user of its own, all of the same name. */
export interface ContextParts {
  readonly cluster: Readonly<Record<string, unknown>>;
  /** Absent for a context without a user. */
  readonly user?: Readonly<Record<string, unknown>>;
  readonly namespace?: string;
}

/** Prints a kubeconfig of contexts by name; the first is the current one. */
export function buildKubeconfig(contexts: Readonly<Record<string, ContextParts>>): string {
  const entries = Object.entries(contexts);
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': entries[0]?.[0],
    clusters: entries.map(([name, { cluster }]) => ({ name, cluster })),
    users: entries.flatMap(([name, { user }]) => (user === undefined ? [] : [{ name, user }])),
    contexts: entries.map(([name, { user, namespace }]) => ({
      name,
      context: {
        cluster: name,
        ...(user === undefined ? {} : { user: name }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    })),
  });
}

/** PEM as a kubeconfig holds it inline. */
export function inline(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
