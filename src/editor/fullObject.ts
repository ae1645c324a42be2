import * as vscode from 'vscode';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import type { LiveViews } from './liveViews.ts';
import { describeUnshowable } from './mergeWords.ts';
import type { Notifier } from './notifier.ts';

/** Registers the command that shows all that the server holds of an object, read-only, following live. */
export function registerFullObject(dependencies: {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly views: LiveViews;
  readonly notifier: Notifier;
}): vscode.Disposable {
  const { commands, targets, views, notifier } = dependencies;
  return commands.register('kubemerge.showFullObject', async (target) => {
    const document = await targets.resolve(target);
    if (document === undefined) return;
    const uri = document.liveObject === undefined ? undefined : views.prepare(document, 'full');
    if (uri === undefined) {
      notifier.show(describeUnshowable(document));
      return;
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  });
}
