import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import type { Notifier } from './notifier.ts';
import { nameObject } from './objectWords.ts';
import type { OpenDocument } from './openDocument.ts';
import { printAge } from './relativeTime.ts';
import type { KeptSession, SavedSessions } from './savedSessions.ts';

export interface DraftDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly notifier: Notifier;
  readonly savedSessions: SavedSessions;
  readonly clock: Clock;
}

interface Draft {
  readonly document: OpenDocument;
  readonly kept: KeptSession & { readonly kind: 'whole' };
}

/** Texts that an earlier window had not saved and that VS Code did not bring back: offered, never put in unasked. */
export class Drafts implements Disposable {
  readonly #dependencies: DraftDependencies;
  readonly #found = new Map<string, Draft>();
  readonly #commands: vscode.Disposable;

  constructor(dependencies: DraftDependencies) {
    this.#dependencies = dependencies;
    const { commands, savedSessions } = dependencies;
    this.#commands = vscode.Disposable.from(
      commands.register('kubemerge.restoreDraft', async (target) => {
        const draft = await this.#take(target);
        if (draft === undefined) return;
        await vscode.window.showTextDocument(draft.document.uri, { preview: false });
        await draft.document.restoreDraft(draft.kept);
      }),
      commands.register('kubemerge.discardDraft', async (target) => {
        const draft = await this.#take(target);
        if (draft !== undefined && !draft.document.view.isDirty)
          await savedSessions.forget(draft.document.uri);
      }),
    );
  }

  /** Tells the user of a text, and how to get it back. */
  offer(document: OpenDocument, kept: Draft['kept']): void {
    const { notifier, clock } = this.#dependencies;
    if (kept.draft === undefined) return;
    const uri = document.uri.toString();
    this.#found.set(uri, { document, kept });
    this.#tellMenus();
    const age = printAge(new Date(kept.draft.atMs).toISOString(), clock.now()) ?? 'earlier';
    notifier.show({
      severity: 'warning',
      message:
        `There is unsaved text of ${nameObject(document.ref, document.liveObject)} from ${age} that the editor does ` +
        'not show: the window was closed before it was saved. Restoring it sends nothing.',
      actions: [
        { title: 'Restore Text', command: 'kubemerge.restoreDraft', arguments: [uri] },
        { title: 'Discard', command: 'kubemerge.discardDraft', arguments: [uri] },
      ],
    });
  }

  dispose(): void {
    this.#commands.dispose();
    this.#found.clear();
  }

  /** For `when` clauses, as the keys of contextKeys.ts. */
  #tellMenus(): void {
    const paths = [...this.#found.values()].map(({ document }) => [document.uri.path, true]);
    void vscode.commands.executeCommand('setContext', 'kubemerge.draftPaths', Object.fromEntries(paths));
  }

  async #take(target: unknown): Promise<Draft | undefined> {
    const { targets, notifier } = this.#dependencies;
    const document = await targets.resolve(target);
    if (document === undefined) return undefined;
    const key = document.uri.toString();
    const draft = this.#found.get(key);
    this.#found.delete(key);
    this.#tellMenus();
    if (draft?.document !== document) {
      notifier.show({
        severity: 'info',
        message: `There is no unsaved text of ${document.ref.name} from an earlier window.`,
        actions: [],
      });
      return undefined;
    }
    return draft;
  }
}
