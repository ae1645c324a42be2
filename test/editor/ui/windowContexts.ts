import { stringify } from 'yaml';
import type { FaultProxy } from '../../support/faultProxy.ts';
import type { SharedApiServer } from '../../support/sharedApiServer.ts';

/** A kubeconfig with the contexts `admin` and `nobody` on one proxy and `offline` on another. */
export function printContexts(
  { ca, tokens }: SharedApiServer,
  namespace: string,
  { proxy, offline }: { readonly proxy: FaultProxy; readonly offline: FaultProxy },
): string {
  const cluster = (name: string, { url }: FaultProxy): unknown => ({
    name,
    cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
  });
  const context = (name: string, of: string, user: string): unknown => ({
    name,
    context: { cluster: of, user, namespace },
  });
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster('shared', proxy), cluster('away', offline)],
    users: ['admin', 'nobody'].map((name) => ({ name, user: { token: tokens[name] } })),
    contexts: [
      context('admin', 'shared', 'admin'),
      context('nobody', 'shared', 'nobody'),
      context('offline', 'away', 'admin'),
    ],
    'current-context': 'admin',
  });
}
