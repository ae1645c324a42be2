import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import * as vscode from 'vscode';
import { activateExtension } from '../../editor/inHost/liveFixture.ts';
import { until } from '../../editor/inHost/until.ts';
import { sharedApiServer } from '../../support/sharedApiServer.ts';
import { type StaleMarkTask, staleMarkVariable } from './staleMarkTask.ts';

/** Runs inside the extension host, on the extension as it is: writes how long each mark came after the bare line. */
export async function run(): Promise<void> {
  const { ref, path, rounds, result } = JSON.parse(process.env[staleMarkVariable] ?? '') as StaleMarkTask;
  const server = await sharedApiServer();
  const other = server.client();
  const api = await activateExtension();
  const uri = await api.open(ref);
  await until('its watch is live', () => api.state(uri)?.liveness.kind === 'live' || undefined);
  // A text without changes of one's own follows: each change of others has to be marked.
  const edit = new vscode.WorkspaceEdit();
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = document.getText().indexOf('mine: a');
  edit.replace(
    uri,
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + 7)),
    'mine: b',
  );
  await vscode.workspace.applyEdit(edit);
  await until('its text is dirty', () => (api.state(uri)?.isDirty === true ? true : undefined));

  const marked = new Map<string, number>();
  const seen = new Map<string, number>();
  const listening = api.onDidChangeState((changed) => {
    const at = performance.now();
    if (changed.toString() !== uri.toString()) return;
    const { phase, liveVersion = '' } = api.state(uri) ?? {};
    if (phase === 'stale' && !marked.has(liveVersion)) marked.set(liveVersion, at);
  });
  const name = encodeURIComponent(`metadata.name=${ref.name}`);
  const query = `watch=true&timeoutSeconds=600&fieldSelector=${name}`;
  const agent = new Agent();
  const headers = { authorization: `Bearer ${server.tokens.admin ?? ''}` };
  const url = new URL(`${path.slice(0, path.lastIndexOf('/'))}?${query}`, server.url);
  const watch = request(url, { ca: server.ca, agent, headers }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const at = performance.now();
      for (const [, version = ''] of chunk.matchAll(/"resourceVersion":"(\d+)"/g))
        if (!seen.has(version)) seen.set(version, at);
    });
    response.on('error', () => undefined);
  });
  watch.on('error', () => undefined);
  watch.end();
  try {
    await until('the bare watch is open', () => seen.size > 0 || undefined);
    const delays: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const { metadata } = (await other.patch(path, { data: { round: String(round) } })) as {
        metadata: { resourceVersion: string };
      };
      const delay = await until('it is marked', () => {
        const [markedAt, seenAt] = [marked, seen].map((times) => times.get(metadata.resourceVersion));
        return markedAt === undefined || seenAt === undefined ? undefined : { ms: markedAt - seenAt };
      });
      delays.push(delay.ms);
    }
    await writeFile(result, JSON.stringify(delays));
  } finally {
    watch.destroy();
    agent.destroy();
    listening.dispose();
    other.close();
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
}
