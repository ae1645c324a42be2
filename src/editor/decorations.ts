import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { SessionPhase } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveDocuments } from './liveDocuments.ts';
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
        const view = documents.find(uri)?.view;
        const now = view === undefined ? '' : `${view.phase} ${view.foreign.length} ${view.conflicts.length}`;
        const key = uri.toString();
        if ((shown.get(key) ?? '') === now) return;
        if (view === undefined) shown.delete(key);
        else shown.set(key, now);
        this.#changes.fire(uri);
      }),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const document = uri.scheme === documentScheme ? this.#documents.find(uri) : undefined;
    if (document === undefined || document.view.phase === 'fresh') return undefined;
    const { badge, color } = badges[document.view.phase];
    const words = describeTrouble(document.view, { nowMs: this.#clock.now(), isRevealed: false });
    return new vscode.FileDecoration(badge, words, new vscode.ThemeColor(color));
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
  }
}
