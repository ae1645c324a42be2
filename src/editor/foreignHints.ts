import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import { valueAt } from '../core/merge/valueAt.ts';
import type { ForeignChange, SessionView } from '../core/session/sessionView.ts';
import type { Clock } from '../sync/clock.ts';
import { AgeTimer } from './ageTimer.ts';
import { documentScheme } from './documentUris.ts';
import { describeBlame, newestTime, shorten } from './fieldWords.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { SecretReveals } from './secretReveals.ts';
import { describeTrouble, shownValue, type StatusContext } from './statusWords.ts';

/** How many fields are marked in the text; the status bar tells the number of all. */
const maxHints = 50;

/** Longest hint behind a line, in UTF-16 units. */
const maxHintLength = 90;

/** Typing moves hints with the text by itself; they are placed anew only when it pauses, in ms. */
const pauseMs = 150;

export interface ForeignHintDependencies {
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly clock: Clock;
}

/** Writes behind the lines that others changed what live holds there; never into the text. */
export class ForeignHints implements Disposable {
  readonly #dependencies: ForeignHintDependencies;
  readonly #ages: AgeTimer;
  readonly #owned: readonly Disposable[];
  #pending: Disposable | undefined;

  readonly #style = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor('kubemerge.staleForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    after: {
      color: new vscode.ThemeColor('kubemerge.hintForeground'),
      fontStyle: 'italic',
      margin: '0 0 0 2em',
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  constructor(dependencies: ForeignHintDependencies) {
    this.#dependencies = dependencies;
    const later = (): void => {
      this.#renderLater();
    };
    this.#ages = new AgeTimer(dependencies.clock, later);
    this.#owned = [
      this.#style,
      dependencies.documents.onDidChangeState(later),
      dependencies.reveals.onDidChange(later),
      vscode.window.onDidChangeVisibleTextEditors(later),
    ];
    later();
  }

  dispose(): void {
    this.#pending?.dispose();
    this.#ages.dispose();
    for (const item of this.#owned) item.dispose();
  }

  #renderLater(): void {
    this.#pending ??= this.#dependencies.clock.schedule(pauseMs, () => {
      this.#pending = undefined;
      this.#render();
    });
  }

  #render(): void {
    const shown: ForeignChange[] = [];
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme !== documentScheme) continue;
      const document = this.#dependencies.documents.find(editor.document.uri);
      const hints = document === undefined ? [] : this.#hintsOf(document, editor.document);
      editor.setDecorations(this.#style, hints);
      if (hints.length > 0 && document !== undefined) shown.push(...document.view.foreign);
    }
    this.#ages.follow(newestTime(shown));
  }

  #hintsOf(document: LiveDocument, text: vscode.TextDocument): vscode.DecorationOptions[] {
    const { view } = document;
    if (view.phase !== 'stale' && view.phase !== 'conflicted') return [];
    const context: StatusContext = {
      nowMs: this.#dependencies.clock.now(),
      isRevealed: this.#dependencies.reveals.isRevealed(document.uri),
    };
    const byLine = new Map<number, string[]>();
    for (const change of withoutConflicts(view).slice(0, maxHints)) {
      const place = document.findField(text.getText(), change.path);
      const line = text.positionAt(place?.start ?? 0).line;
      const words = describeForeign(document, change, place?.isExact === true, context);
      byLine.set(line, [...(byLine.get(line) ?? []), words]);
    }
    const summary = describeTrouble(view, context);
    return [...byLine].map(([line, words]) => ({
      range: text.lineAt(line).range,
      hoverMessage: [...(summary === undefined ? [] : [plain(summary)]), ...words.map(plain)],
      renderOptions: { after: { contentText: shorten(words.join(' · '), maxHintLength) } },
    }));
  }
}

/** A conflicting field has a lens of its own. */
function withoutConflicts({ foreign, conflicts }: SessionView): readonly ForeignChange[] {
  const conflicting = new Set(conflicts.map(({ path }) => printFieldPath(path)));
  return foreign.filter(({ path }) => !conflicting.has(printFieldPath(path)));
}

function describeForeign(
  { ref, liveObject }: LiveDocument,
  { path, by }: ForeignChange,
  isInText: boolean,
  context: StatusContext,
): string {
  const value = valueAt(liveObject, path);
  const who = describeBlame(by, context.nowMs);
  const shown = value === undefined ? 'removed' : shownValue(ref, path, value, context);
  // A field that is not in the text has no line: its parent's line names it.
  return `${isInText ? 'live' : `live ${printFieldPath(path)}`}: ${shown}${who === undefined ? '' : `, by ${who}`}`;
}

function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}
