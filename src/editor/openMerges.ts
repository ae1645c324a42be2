import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { LiveDocuments, MergeInputs } from './liveDocuments.ts';
import type { ShownMerge } from './mergeResult.ts';
import type { MergeTab } from './mergeTabs.ts';

/** One merge editor on one live document. */
export interface OpenMerge {
  readonly live: vscode.Uri;
  readonly inputs: MergeInputs;
  readonly shown: ShownMerge;
  readonly tab: MergeTab;
  /**
   * The last text that was saved in the merge editor; `atMs` is when the user last saved it, and absent where
   * auto-save alone did.
   */
  saved?: { readonly text: string; readonly atMs?: number };
  /** The result is being brought into the document. */
  isAccepting: boolean;
}

/** Live documents whose merge editor was closed with a saved result that may still be wanted. */
export interface ClosedMerges {
  readonly onDidChange: vscode.Event<void>;
  has(live: vscode.Uri): boolean;
}

/** The merges under way, and the last one of each live document that was closed with a saved result. */
export class OpenMerges implements ClosedMerges, Disposable {
  readonly #documents: LiveDocuments;
  /** By the URI of the result. */
  readonly #open = new Map<string, OpenMerge>();
  /** By the URI of the live document. */
  readonly #closed = new Map<string, OpenMerge>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changes.event;

  constructor(documents: LiveDocuments) {
    this.#documents = documents;
    this.#subscription = documents.onDidChangeState((uri) => {
      // What a merge was made from goes with its document.
      if (documents.find(uri) === undefined) this.dropClosed(uri);
    });
  }

  has(live: vscode.Uri): boolean {
    return this.#closed.has(live.toString());
  }

  /** The merge under way whose result this is. */
  find(output: vscode.Uri): OpenMerge | undefined {
    return this.#open.get(output.toString());
  }

  /** The merge of a live document that is under way. */
  openOf(live: vscode.Uri): OpenMerge | undefined {
    const key = live.toString();
    return [...this.#open.values()].find((merge) => merge.live.toString() === key);
  }

  /** The merge of a live document that was closed with a saved result. */
  closedOf(live: vscode.Uri): OpenMerge | undefined {
    return this.#closed.get(live.toString());
  }

  add(merge: OpenMerge): void {
    this.#open.set(merge.tab.output.toString(), merge);
    this.#documents.find(merge.live)?.setMerging(true);
  }

  /** Its editor is gone, or was never shown. */
  end(merge: OpenMerge): void {
    this.#open.delete(merge.tab.output.toString());
    this.#documents.find(merge.live)?.setMerging(false);
  }

  keepClosed(merge: OpenMerge): void {
    this.#closed.set(merge.live.toString(), merge);
    this.#changes.fire();
  }

  dropClosed(live: vscode.Uri): void {
    if (this.#closed.delete(live.toString())) this.#changes.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
    this.#open.clear();
    this.#closed.clear();
  }
}
