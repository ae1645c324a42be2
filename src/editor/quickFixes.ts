import * as vscode from 'vscode';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import { printApiVersion } from '../core/resource/gvk.ts';
import type { TextFix, TextProblem } from '../core/text/textProblem.ts';
import type { CommandId } from './commandMap.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { conflictCode, diagnosticSource, toRange } from './problemDiagnostics.ts';

/** Offers the fixes that a document's problems bring along, and the ways out of a conflict. */
export function registerQuickFixes(documents: LiveDocuments): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(text, range, { diagnostics }) {
      const document = documents.find(text.uri);
      if (document === undefined) return [];
      return [
        ...problemFixes(document, text, range, diagnostics),
        ...versionFixes(document, text, range, diagnostics),
        ...conflictFixes(document, text, range, diagnostics),
      ];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ scheme: documentScheme }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function problemFixes(
  document: LiveDocument,
  text: vscode.TextDocument,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return document.problems
    .filter((problem) => toRange(text, problem.range).intersection(range) !== undefined)
    .flatMap((problem) =>
      problem.fixes.map((fix) => {
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.edit = toWorkspaceEdit(text, fix);
        action.diagnostics = diagnostics.filter((candidate) => isOf(candidate, problem));
        // With a single way out, "fix all" and the keyboard's first choice may take it.
        action.isPreferred = problem.fixes.length === 1;
        return action;
      }),
    );
}

/** A save cannot change the version of a document; another document can be in it. */
function versionFixes(
  document: LiveDocument,
  text: vscode.TextDocument,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return document.problems
    .filter(({ code }) => code === 'versionChanged')
    .filter((problem) => toRange(text, problem.range).intersection(range) !== undefined)
    .flatMap((problem) => {
      const version = versionIn(text.lineAt(toRange(text, problem.range).start.line).text);
      if (version === undefined) return [];
      const title = `Open as ${printApiVersion({ group: document.ref.gvr.group, version })}`;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      const command: CommandId = 'kubemerge.openAsVersion';
      action.command = { title, command, arguments: [document.uri, version] };
      action.diagnostics = diagnostics.filter((candidate) => isOf(candidate, problem));
      return [action];
    });
}

/** The version in a line `apiVersion: group/version`, as people write it. */
function versionIn(line: string): string | undefined {
  return /^["']?apiVersion["']?\s*:\s*["']?(?:[^\s"'/#]+\/)?([a-z0-9]+)["']?\s*(?:#.*)?$/.exec(line)?.[1];
}

function conflictFixes(
  document: LiveDocument,
  text: vscode.TextDocument,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const marked = diagnostics.filter(
    ({ source, code }) => source === diagnosticSource && code === conflictCode,
  );
  return document.view.conflicts.flatMap((conflict) => {
    const line = text.positionAt(document.findField(text.getText(), conflict.path)?.start ?? 0).line;
    if (line < range.start.line || line > range.end.line) return [];
    const path = printFieldPath(conflict.path);
    const offer = (title: string, command: CommandId, ...args: readonly unknown[]): vscode.CodeAction => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = { title, command, arguments: [document.uri, ...args] };
      action.diagnostics = marked.filter((candidate) => candidate.range.start.line === line);
      return action;
    };
    return [
      offer(`Keep mine at ${path}`, 'kubemerge.keepMine', path),
      offer(`Take live at ${path}`, 'kubemerge.takeLive', path),
      offer('Resolve in merge editor', 'kubemerge.merge'),
    ];
  });
}

function isOf({ source, code, message }: vscode.Diagnostic, problem: TextProblem): boolean {
  return source === diagnosticSource && code === problem.code && message === problem.message;
}

function toWorkspaceEdit(text: vscode.TextDocument, { edits }: TextFix): vscode.WorkspaceEdit {
  const made = new vscode.WorkspaceEdit();
  for (const { offset, length, newText } of edits) {
    made.replace(text.uri, toRange(text, { start: offset, end: offset + length }), newText);
  }
  return made;
}
