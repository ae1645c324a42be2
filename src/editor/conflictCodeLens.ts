import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import type { Clock } from '../sync/clock.ts';
import { AgeTimer } from './ageTimer.ts';
import type { CommandId, CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { documentScheme } from './documentUris.ts';
import { newestTime } from './fieldWords.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { describeUnresolved } from './mergeWords.ts';
import type { Notifier } from './notifier.ts';
import type { SecretReveals } from './secretReveals.ts';
import { describeLiveSide } from './statusWords.ts';

export interface ConflictDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

/** Above each conflicting field: what live holds there, whose it is, and the ways out. */
export class ConflictCodeLenses implements vscode.CodeLensProvider, Disposable {
  readonly #dependencies: ConflictDependencies;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #ages: AgeTimer;
  readonly #owned: readonly Disposable[];

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(dependencies: ConflictDependencies) {
    this.#dependencies = dependencies;
    const { commands, documents, reveals, clock } = dependencies;
    const refresh = (): void => {
      this.#changes.fire();
    };
    this.#ages = new AgeTimer(clock, refresh);
    this.#owned = [
      this.#changes,
      vscode.languages.registerCodeLensProvider({ scheme: documentScheme }, this),
      documents.onDidChangeState(refresh),
      reveals.onDidChange(refresh),
      commands.register('kubemerge.keepMine', (target, path) => this.#resolve('mine', target, path)),
      commands.register('kubemerge.takeLive', (target, path) => this.#resolve('live', target, path)),
    ];
  }

  provideCodeLenses(textDocument: vscode.TextDocument): vscode.CodeLens[] {
    const document = this.#dependencies.documents.find(textDocument.uri);
    const conflicts = document?.view.conflicts ?? [];
    if (document === undefined || conflicts.length === 0) return [];
    this.#ages.follow(newestTime(conflicts));
    return conflicts.flatMap((conflict) => this.#lensesOf(textDocument, document, conflict));
  }

  dispose(): void {
    this.#ages.dispose();
    for (const item of this.#owned) item.dispose();
  }

  #lensesOf(
    textDocument: vscode.TextDocument,
    document: LiveDocument,
    conflict: Conflict,
  ): vscode.CodeLens[] {
    const { clock, reveals } = this.#dependencies;
    const found = document.findField(textDocument.getText(), conflict.path);
    const line = textDocument.positionAt(found?.start ?? 0).line;
    const range = textDocument.lineAt(line).range;
    const path = printFieldPath(conflict.path);
    const side = describeLiveSide(conflict, document.ref, {
      nowMs: clock.now(),
      isRevealed: reveals.isRevealed(document.uri),
    });
    // A field that mine removed has no line of its own: the lens stands at its parent and names it.
    const title = found?.isExact === true ? side : `${path}: ${side}`;
    const lens = (words: string, command: CommandId, ...args: readonly unknown[]): vscode.CodeLens =>
      new vscode.CodeLens(range, { title: words, command, arguments: [document.uri, ...args] });
    return [
      lens(title, 'kubemerge.merge'),
      lens('Keep mine', 'kubemerge.keepMine', path),
      lens('Take live', 'kubemerge.takeLive', path),
      lens('Compare', 'kubemerge.compareWithLive'),
    ];
  }

  async #resolve(side: 'mine' | 'live', target: unknown, path: unknown): Promise<void> {
    const { targets, notifier } = this.#dependencies;
    const document = await targets.resolve(target);
    if (document === undefined) return;
    // Menus hand over more than the URI; only a string is a path.
    const isResolved = await document.resolve(side, typeof path === 'string' ? path : undefined);
    if (!isResolved) notifier.show(describeUnresolved(document));
  }
}
