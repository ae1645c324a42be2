import * as vscode from 'vscode';
import { differenceOf } from '../core/text/textEdit.ts';

/**
 * Makes the editor's document at a URI hold a text, as one undoable edit of the part that differs.
 *
 * @param beforeEdit called in the turn in which the edit is made, unless the text is there already
 * @returns false where the editor did not take it
 */
export async function replaceDocumentText(
  uri: vscode.Uri,
  text: string,
  beforeEdit: () => void,
): Promise<boolean> {
  // No await before the edit where the document is open: what is typed meanwhile is not in `text`.
  const key = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
  const document = open ?? (await vscode.workspace.openTextDocument(uri));
  const current = document.getText();
  if (current === text) return true;
  beforeEdit();
  const edit = new vscode.WorkspaceEdit();
  const { offset, length, newText } = differenceOf(current, text);
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  edit.replace(uri, range, newText);
  return await vscode.workspace.applyEdit(edit);
}
