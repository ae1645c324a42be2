import * as vscode from 'vscode';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import type { TextProblem } from '../core/text/textProblem.ts';
import type { Clock } from '../sync/clock.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { SecretReveals } from './secretReveals.ts';
import { describeLiveSide } from './statusWords.ts';

/** What the Problems view calls us. */
export const diagnosticSource = 'KubeMerge';

/** The code of a diagnostic at a field that others changed too. */
export const conflictCode = 'conflict';

export interface DiagnosticDependencies {
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly clock: Clock;
}

/** Shows what is wrong with the open documents: problems of their texts, and conflicts. */
export function maintainDiagnostics(dependencies: DiagnosticDependencies): vscode.Disposable {
  const { documents, reveals } = dependencies;
  const collection = vscode.languages.createDiagnosticCollection('kubemerge');
  const update = (uri: vscode.Uri): void => {
    const document = documents.find(uri);
    const text = findText(uri);
    if (document === undefined || text === undefined) collection.delete(uri);
    else collection.set(uri, diagnose(document, text, dependencies));
  };
  for (const { uri } of documents.all) update(uri);
  return vscode.Disposable.from(collection, documents.onDidChangeState(update), reveals.onDidChange(update));
}

/** The editor's text of a document that is open. */
export function findText(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === key);
}

function diagnose(
  document: LiveDocument,
  text: vscode.TextDocument,
  dependencies: DiagnosticDependencies,
): vscode.Diagnostic[] {
  return [
    ...document.problems.map((problem) => toDiagnostic(problem, text)),
    ...document.view.conflicts.map((conflict) =>
      toConflictDiagnostic(conflict, document, text, dependencies),
    ),
  ];
}

export function toDiagnostic(
  { range, message, severity, code }: TextProblem,
  text: vscode.TextDocument,
): vscode.Diagnostic {
  return diagnostic(toRange(text, range), message, severity, code);
}

function toConflictDiagnostic(
  conflict: Conflict,
  document: LiveDocument,
  text: vscode.TextDocument,
  { clock, reveals }: DiagnosticDependencies,
): vscode.Diagnostic {
  const found = document.findField(text.getText(), conflict.path);
  const range =
    found?.isExact === true ? toRange(text, found) : text.lineAt(text.positionAt(found?.start ?? 0)).range;
  const side = describeLiveSide(conflict, document.ref, {
    nowMs: clock.now(),
    isRevealed: reveals.isRevealed(document.uri),
  });
  const message = `You and someone else changed ${printFieldPath(conflict.path)} (${side}).`;
  return diagnostic(range, message, 'error', conflictCode);
}

function diagnostic(
  range: vscode.Range,
  message: string,
  severity: TextProblem['severity'],
  code: string,
): vscode.Diagnostic {
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const made = new vscode.Diagnostic(range, message, level);
  made.source = diagnosticSource;
  made.code = code;
  return made;
}

export function toRange(text: vscode.TextDocument, range: TextProblem['range']): vscode.Range {
  return new vscode.Range(text.positionAt(range.start), text.positionAt(range.end));
}
