import * as vscode from 'vscode';
import { parseDocumentPath } from '../core/resource/documentPath.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import type { SignInPort } from '../sync/signInPort.ts';
import type { CommandRegistry } from './commandMap.ts';
import { toUri } from './commandMap.ts';
import { liveUriOf } from './documentUris.ts';
import type { Notifier } from './notifier.ts';
import { describeSignIn } from './signInWords.ts';

export interface SignInDependencies {
  readonly clusters: Pick<ClustersPort, 'view'> & SignInPort;
  readonly commands: CommandRegistry;
  readonly notifier: Notifier;
}

/** Registers the command that runs a context's credential plugin in a terminal, where it can ask a person. */
export function registerSignIn(dependencies: SignInDependencies): vscode.Disposable {
  return dependencies.commands.register('kubemerge.signIn', async (target) => {
    const context = contextIn(target) ?? (await askContext(dependencies.clusters));
    if (context !== undefined) await signIn(context, dependencies);
  });
}

async function signIn(context: string, { clusters, notifier }: SignInDependencies): Promise<void> {
  const begun = await clusters.beginSignIn(context);
  if (begun.kind !== 'ok') {
    notifier.show(describeSignIn(context, begun));
    return;
  }
  await using waiting = begun.value;
  const { command, args, env } = waiting.program;
  const terminal = vscode.window.createTerminal({
    name: `Sign in to ${context}`,
    shellPath: command,
    shellArgs: [...args],
    env,
    isTransient: true,
  });
  terminal.show();
  const closed = new Promise<{ readonly kind: 'aborted' }>((resolve) => {
    const subscription = vscode.window.onDidCloseTerminal((one) => {
      if (one !== terminal) return;
      subscription.dispose();
      resolve({ kind: 'aborted' });
    });
    void waiting.done.then(() => {
      subscription.dispose();
    });
  });
  const outcome = await Promise.race([waiting.done, closed]);
  notifier.show(describeSignIn(context, outcome));
}

/** The context that a tree node, a live document's URI or the active document is about, or its bare name. */
function contextIn(target: unknown): string | undefined {
  if (typeof target === 'string' && !target.includes(':/')) return target;
  if (typeof target === 'object' && target !== null && 'entry' in target) {
    const { entry } = target as { readonly entry?: { readonly name?: unknown } };
    if (typeof entry?.name === 'string') return entry.name;
  }
  const uri = toUri(target) ?? vscode.window.activeTextEditor?.document.uri;
  const live = uri === undefined ? undefined : liveUriOf(uri);
  return live === undefined ? undefined : parseDocumentPath(live.path)?.ref.context;
}

async function askContext({ view }: Pick<ClustersPort, 'view'>): Promise<string | undefined> {
  const items = view.contexts.map(({ name, server, isCurrent }) => ({
    label: name,
    description: isCurrent ? `current · ${server}` : server,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Sign In in a Terminal',
    placeHolder: 'Context',
  });
  return chosen?.label;
}
