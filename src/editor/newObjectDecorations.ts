import * as vscode from 'vscode';
import { newScheme } from './documentUris.ts';
import type { NewObjects } from './newObjects.ts';

/** Marks the tabs of texts whose object does not exist yet: their names are those of existing objects' tabs. */
export function decorateNewObjects(
  newObjects: Pick<NewObjects, 'isCreated' | 'onDidCreate'>,
): vscode.Disposable {
  const mark = new vscode.FileDecoration(
    'N',
    'New object, not on the cluster yet',
    new vscode.ThemeColor('kubemerge.newForeground'),
  );
  return vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: newObjects.onDidCreate,
    provideFileDecoration: (uri) =>
      uri.scheme === newScheme && !newObjects.isCreated(uri) ? mark : undefined,
  });
}
