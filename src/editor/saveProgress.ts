import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { nameObject } from './objectWords.ts';
import type { OpenDocument } from './openDocument.ts';

/** Shows that a save pauses before it tries again, with a way to cancel it. */
export function showSaveProgress(document: OpenDocument): Disposable {
  let isShown = false;
  return document.runner.onDidChange((state) => {
    if (isShown || state.save?.stage !== 'waiting') return;
    isShown = true;
    const name = nameObject(document.ref, document.liveObject);
    const title =
      state.save.cause === 'changed'
        ? `${name} keeps changing on the server; trying again`
        : `The save of ${name} did not arrive; trying again`;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    vscode.window
      .withProgress(options, (_progress, token) => {
        token.onCancellationRequested(() => {
          document.runner.cancelSave();
        });
        return untilSaved(document);
      })
      .then(
        () => {
          isShown = false;
        },
        () => {
          isShown = false;
        },
      );
  });
}

function untilSaved(document: OpenDocument): Promise<void> {
  return new Promise((resolve) => {
    const subscription = document.runner.onDidChange((state) => {
      if (state.save !== undefined) return;
      subscription.dispose();
      resolve();
    });
  });
}
