import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { findKeepers } from '../core/resource/keepers.ts';
import type { SessionPhase } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { describeKeeper } from './keeperWords.ts';
import { unsavedMark } from './objectMarks.ts';
import { describeTrouble } from './statusWords.ts';

/** One reason to decorate a document. */
interface Mark {
  /** One character; '' for a mark that is told by colour and words. */
  readonly badge: string;
  readonly color?: string;
  readonly words: string;
}

const badges: Readonly<Record<Exclude<SessionPhase, 'fresh'>, Omit<Mark, 'words'>>> = {
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
    const marks = marksOf(document, this.#clock.now());
    if (marks.length === 0) return undefined;
    // One alone: two characters side by side read as a word of their own. The tooltip has all.
    const badge = marks.find((mark) => mark.badge !== '')?.badge;
    const color = marks.find((mark) => mark.color !== undefined)?.color;
    return new vscode.FileDecoration(
      badge,
      marks.map(({ words }) => words).join('\n'),
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
  }
}

/** What of a document its decoration shows, as printed. */
function printLook({ view, protectedReason, liveObject }: LiveDocument): string {
  const { phase, foreign, conflicts, isDirty, readOnlyReason } = view;
  const keepers = liveObject && findKeepers(liveObject);
  return JSON.stringify([
    ...[phase, foreign.length, conflicts.length, isDirty],
    ...[readOnlyReason, protectedReason, keepers],
  ]);
}

/** The most important first. */
function marksOf({ view, protectedReason, liveObject }: LiveDocument, nowMs: number): readonly Mark[] {
  const { phase, isDirty, readOnlyReason } = view;
  const marks: Mark[] = [];
  if (phase !== 'fresh') {
    const words = describeTrouble(view, { nowMs, isRevealed: false }) ?? '';
    marks.push({ ...badges[phase], words });
  }
  if (readOnlyReason !== undefined) {
    const words = `Read-only: ${readOnlyReason}`;
    marks.push({ badge: '', color: 'kubemerge.readOnlyForeground', words });
  } else if (protectedReason !== undefined) {
    marks.push({ badge: 'P', color: 'kubemerge.protectedForeground', words: protectedReason });
  }
  if (isDirty) {
    marks.push({ badge: 'E', color: 'kubemerge.editedForeground', words: unsavedMark.sentence });
  }
  const keepers = liveObject === undefined ? [] : findKeepers(liveObject);
  if (keepers.length > 0) marks.push({ badge: '↳', words: keepers.map(describeKeeper).join('\n') });
  return marks;
}
