import type * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { maskSecretTexts } from '../core/text/maskSecret.ts';
import { renderObject } from '../core/text/renderObject.ts';
import type { Clock } from '../sync/clock.ts';
import { liveUriOf, roleOf, viewUri, type ViewRole } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { MemoryFileSystem } from './memoryFileSystem.ts';
import { nameObject, namePlace } from './objectWords.ts';
import type { SecretReveals } from './secretReveals.ts';

/** How long views wait for more changes before they follow, in ms: planning a large text takes a while. */
const followPauseMs = 150;

export interface LiveViewDependencies {
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly clock: Clock;
  /** Owned by the caller. */
  readonly files: MemoryFileSystem;
}

/**
 * The read-only texts beside a live document: what live and base hold, and the whole object. They follow
 * the document while a tab shows them, and are computed anew where a tab was restored. Values of Secrets
 * are masked in all of them until revealed.
 */
export class LiveViews implements Disposable {
  readonly #dependencies: LiveViewDependencies;
  readonly #files: MemoryFileSystem;
  readonly #owned: readonly Disposable[];
  readonly #waiting = new Map<string, Disposable>();

  constructor(dependencies: LiveViewDependencies) {
    this.#dependencies = dependencies;
    const { documents, reveals, files } = dependencies;
    this.#files = files;
    this.#owned = [
      documents.onDidChangeState((uri) => {
        this.#followLater(uri);
      }),
      reveals.onDidChange((uri) => {
        this.#follow(uri);
      }),
    ];
  }

  /** Brings a view up to date. @returns undefined where there is no such text, or it cannot be shown masked */
  prepare(document: LiveDocument, role: ViewRole): vscode.Uri | undefined {
    const text = this.#compute(document, role);
    if (text === undefined) return undefined;
    const uri = viewUri(document.uri, role);
    this.#files.put(uri, text);
    return uri;
  }

  /** What a view holds whose tab was restored. */
  textFor(uri: vscode.Uri): string {
    return this.#textOf(uri) ?? closedText;
  }

  /** Shows a text that does not change, such as a side of a merge. */
  putFixed(uri: vscode.Uri, text: string): void {
    this.#files.put(uri, text);
  }

  remove(uri: vscode.Uri): void {
    this.#files.remove(uri);
  }

  dispose(): void {
    for (const pause of this.#waiting.values()) pause.dispose();
    this.#waiting.clear();
    for (const item of this.#owned) item.dispose();
  }

  #followLater(live: vscode.Uri): void {
    const key = live.toString();
    if (this.#waiting.has(key) || this.#viewsOf(live).length === 0) return;
    const pause = this.#dependencies.clock.schedule(followPauseMs, () => {
      this.#waiting.delete(key);
      this.#follow(live);
    });
    this.#waiting.set(key, pause);
  }

  #follow(live: vscode.Uri): void {
    for (const uri of this.#viewsOf(live)) {
      const text = this.#textOf(uri);
      if (text !== undefined) this.#files.put(uri, text);
    }
  }

  #viewsOf(live: vscode.Uri): readonly vscode.Uri[] {
    const key = live.toString();
    return this.#files.uris.filter((uri) => liveUriOf(uri)?.toString() === key && roleOf(uri) !== undefined);
  }

  #textOf(uri: vscode.Uri): string | undefined {
    const role = roleOf(uri);
    const live = liveUriOf(uri);
    const document = live === undefined ? undefined : this.#dependencies.documents.find(live);
    return role === undefined || document === undefined ? undefined : this.#compute(document, role);
  }

  #compute(document: LiveDocument, role: ViewRole): string | undefined {
    if ((role === 'live' || role === 'full') && document.liveObject === undefined) return goneText(document);
    const pair = this.#pairOf(document, role);
    if (pair === undefined) return undefined;
    const [shown, ...beside] = pair;
    if (!this.#dependencies.reveals.isMasked(document)) return shown;
    return mask(role, shown, beside);
  }

  /** The text of a role, and what is shown beside it: they have to be masked together. */
  #pairOf(document: LiveDocument, role: ViewRole): readonly [string, ...string[]] | undefined {
    switch (role) {
      case 'live':
      case 'mine': {
        const live = document.liveText() ?? printLive(document);
        const mine = document.text;
        if (live === undefined) return role === 'mine' ? [mine] : undefined;
        return role === 'live' ? [live, mine] : [mine, live];
      }
      case 'base':
      case 'liveSinceBase': {
        const inputs = document.mergeInputs();
        if (inputs === undefined) return undefined;
        return role === 'base' ? [inputs.base, inputs.live] : [inputs.live, inputs.base];
      }
      case 'full': {
        const text = printLive(document);
        return text === undefined ? undefined : [text];
      }
    }
  }
}

/** Masks are numbered in the order of the texts: the side that moves least has to come first. */
function mask(role: ViewRole, shown: string, beside: readonly string[]): string | undefined {
  const isLeft = role === 'live' || role === 'base' || role === 'full';
  const masked = maskSecretTexts(isLeft ? [shown, ...beside] : [...beside, shown]);
  return isLeft ? masked?.texts[0] : masked?.texts.at(-1);
}

function printLive({ liveObject }: LiveDocument): string | undefined {
  return liveObject === undefined ? undefined : renderObject(liveObject);
}

const closedText = '# The live document that this text belonged to is closed.\n';

function goneText({ ref }: LiveDocument): string {
  return `# ${nameObject(ref)} no longer exists in ${namePlace(ref)}.\n`;
}
