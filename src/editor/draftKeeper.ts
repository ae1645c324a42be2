import type * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Base } from '../core/session/baseLedger.ts';
import type { SecretSpelling } from '../core/text/secretText.ts';
import type { SessionRunner } from '../sync/sessionRunner.ts';
import type { DocumentServices } from './documentServices.ts';
import { isLargeText } from './textAnalysis.ts';

/**
 * How soon after an edit the text is on disk, in ms. VS Code's own backup waits for a pause in the typing, of 2.5 s in
 * a browser; a large text is left to it for longer.
 */
const draftPauseMs = 300;
const largeDraftPauseMs = 3000;

export interface DraftKeeperOptions {
  readonly uri: vscode.Uri;
  readonly ref: ResourceRef;
  readonly runner: SessionRunner;
  /** How the text writes values of a Secret. */
  readonly spelling: () => SecretSpelling;
  readonly services: Pick<DocumentServices, 'clock' | 'savedSessions' | 'reportError'>;
}

/**
 * Keeps on disk what a dirty document needs to go on: its text and what that grew from. VS Code may restore
 * the text, or we do.
 */
export class DraftKeeper implements Disposable {
  readonly #options: DraftKeeperOptions;
  #text = '';
  #isDirty = false;
  /** What is on disk, where anything is. */
  #kept: { readonly base: Base; readonly text: string } | undefined;
  #pending: Disposable | undefined;

  constructor(options: DraftKeeperOptions) {
    this.#options = options;
  }

  /** Follows the editor's text; call it once the session knows the text. */
  follow(text: string, isDirty: boolean): void {
    this.#text = text;
    this.#isDirty = isDirty;
    if (!isDirty) {
      this.forget();
      return;
    }
    const base = this.#base;
    if (base === undefined || (this.#kept?.base === base && this.#kept.text === text)) return;
    if (this.#kept?.base !== base) {
      this.#write(base);
      return;
    }
    const pauseMs = isLargeText(text) ? largeDraftPauseMs : draftPauseMs;
    this.#pending ??= this.#options.services.clock.schedule(pauseMs, () => {
      this.#pending = undefined;
      const current = this.#base;
      if (current !== undefined && this.#isDirty) this.#write(current);
    });
  }

  /** Drops from disk what was put there; another window keeps its own. */
  forget(): void {
    const { uri, services } = this.#options;
    this.dispose();
    if (this.#kept !== undefined) services.savedSessions.forget(uri).catch(services.reportError);
    this.#kept = undefined;
  }

  dispose(): void {
    this.#pending?.dispose();
    this.#pending = undefined;
  }

  get #base(): Base | undefined {
    const { state } = this.#options.runner;
    return state.ledger.get(state.named);
  }

  #write(base: Base): void {
    const { uri, ref, runner, services, spelling } = this.#options;
    const { live: seen, named, traits } = runner.state;
    this.#kept = { base, text: this.#text };
    const live = seen.kind === 'present' ? seen.snapshot : seen.last;
    const draft = { text: this.#text, atMs: services.clock.now() };
    const session = { live, named, base, traits, draft, spelling: spelling() };
    services.savedSessions.save(uri, ref, session).catch(services.reportError);
  }
}
