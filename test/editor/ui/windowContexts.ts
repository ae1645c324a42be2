import { stringify } from 'yaml';
import type { FaultProxy } from '../../support/faultProxy.ts';
import type { SharedApiServer } from '../../support/sharedApiServer.ts';

export const execApiVersion = 'client.authentication.k8s.io/v1';

/**
 * A kubeconfig with the contexts `admin` and `nobody` on one proxy and `offline` on another.
 *
 * @param plugin a credential plugin: it signs `offline` in
 */
export function printContexts(
  { ca, tokens }: SharedApiServer,
  namespace: string,
  {
    proxy,
    offline,
    plugin,
  }: { readonly proxy: FaultProxy; readonly offline: FaultProxy; readonly plugin: string },
): string {
  const exec = { apiVersion: execApiVersion, command: plugin, interactiveMode: 'Never' };
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
    users: [
      ...['admin', 'nobody'].map((name) => ({ name, user: { token: tokens[name] } })),
      { name: 'plugged', user: { exec } },
    ],
    contexts: [
      context('admin', 'shared', 'admin'),
      context('nobody', 'shared', 'nobody'),
      context('offline', 'away', 'plugged'),
    ],
    'current-context': 'admin',
  });
}
