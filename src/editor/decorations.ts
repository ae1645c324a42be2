import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { SessionPhase } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { describeTrouble } from './statusWords.ts';

interface Badge {
  readonly badge: string;
  readonly color: string;
}

const badges: Readonly<Record<Exclude<SessionPhase, 'fresh'>, Badge>> = {
  stale: { badge: 'S', color: 'kubemerge.staleForeground' },
  conflicted: { badge: '!', color: 'kubemerge.conflictForeground' },
  deleted: { badge: 'D', color: 'kubemerge.goneForeground' },
  recreated: { badge: 'R', color: 'kubemerge.goneForeground' },
  terminating: { badge: 'T', color: 'kubemerge.goneForeground' },
};

/** Marks tabs and tree rows of live documents that do not stand as the user left them. */
export class DocumentDecorations implements vscode.FileDecorationProvider, Disposable {
  readonly #documents: LiveDocuments;
  readonly #clock: Clock;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: readonly Disposable[];

  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(documents: LiveDocuments, clock: Clock) {
    this.#documents = documents;
    this.#clock = clock;
    const shown = new Map<string, string>();
    this.#owned = [
      this.#changes,
      vscode.window.registerFileDecorationProvider(this),
      documents.onDidChangeState((uri) => {
        const document = documents.find(uri);
        const now = document === undefined ? '' : printLook(document);
        const key = uri.toString();
        if ((shown.get(key) ?? '') === now) return;
        if (document === undefined) shown.delete(key);
        else shown.set(key, now);
        this.#changes.fire(uri);
      }),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const document = uri.scheme === documentScheme ? this.#documents.find(uri) : undefined;
    if (document === undefined) return undefined;
    if (document.view.phase === 'fresh') return decorateContext(document);
    const { badge, color } = badges[document.view.phase];
    const words = describeTrouble(document.view, { nowMs: this.#clock.now(), isRevealed: false });
    return new vscode.FileDecoration(badge, words, new vscode.ThemeColor(color));
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
  }
}

/** What of a document its decoration shows, as printed. */
function printLook({ view, protectedReason }: LiveDocument): string {
  const { phase, foreign, conflicts, readOnlyReason } = view;
  return JSON.stringify([phase, foreign.length, conflicts.length, readOnlyReason, protectedReason]);
}

/** A document that stands as the user left it: what its context or rights ask for. */
function decorateContext({ view, protectedReason }: LiveDocument): vscode.FileDecoration | undefined {
  const { readOnlyReason } = view;
  if (readOnlyReason !== undefined) {
    const color = new vscode.ThemeColor('kubemerge.readOnlyForeground');
    return new vscode.FileDecoration(undefined, `Read-only: ${readOnlyReason}`, color);
  }
  if (protectedReason === undefined) return undefined;
  return new vscode.FileDecoration(
    'P',
    protectedReason,
    new vscode.ThemeColor('kubemerge.protectedForeground'),
  );
}
