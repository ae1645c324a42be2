import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ClustersPort } from '../sync/clusterPort.ts';

/**
 * Asks for kubeconfig files, puts them into the setting `kubemerge.kubeconfig` and reads them. The files
 * themselves are never written (issue case D12).
 */
export async function chooseKubeconfig(clusters: Pick<ClustersPort, 'reload'>): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Choose Kubeconfig Files',
    openLabel: 'Use',
    canSelectMany: true,
    defaultUri: vscode.Uri.file(join(homedir(), '.kube')),
  });
  if (chosen === undefined || chosen.length === 0) return;
  const paths = chosen.map(({ fsPath }) => fsPath);
  const settings = vscode.workspace.getConfiguration('kubemerge');
  const { workspaceValue } = settings.inspect('kubeconfig') ?? {};
  // What a workspace sets hides the user's own value.
  const target =
    workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await settings.update('kubeconfig', paths, target);
  await clusters.reload();
}
