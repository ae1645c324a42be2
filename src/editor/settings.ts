import * as vscode from 'vscode';
import type { DocumentSettings } from './documentServices.ts';

const section = 'kubemerge';

/** The extension's settings, read when asked for. */
export class Settings implements DocumentSettings, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  /** Fires after any of them changed. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) this.#changed.fire();
    });
  }

  get reviewsForeignChanges(): boolean {
    return this.#get('save.foreignChanges') === 'review';
  }

  /** Kubeconfig files chosen by the user, in place of KUBECONFIG and the default; empty for those. */
  get kubeconfigPaths(): readonly string[] {
    return stringsIn(this.#get('kubeconfig'));
  }

  /** Conflicts open VS Code's merge editor; otherwise a comparison with choices at each field. */
  get usesMergeEditor(): boolean {
    return this.#get('merge.editor') !== 'compare';
  }

  /** What is accepted in the merge editor is saved at once. */
  get savesOnAccept(): boolean {
    return this.#get('merge.saveOnAccept') === true;
  }

  /** Each save in a protected context is tried by the server first, and confirmed with what it would become. */
  get previewsProtectedSaves(): boolean {
    return this.#get('save.dryRunFirst') === true;
  }

  /** Lists that no schema describes merge by their elements' names. */
  get mergesNamedLists(): boolean {
    return this.#get('merge.namedLists') === true;
  }

  readOnlyReason(context: string): string | undefined {
    const match = this.#patternFor('readOnlyContexts', context);
    return match === undefined
      ? undefined
      : `Context ${context} is read-only: the setting kubemerge.readOnlyContexts has "${match}".`;
  }

  protectedReason(context: string): string | undefined {
    const match = this.#patternFor('protectedContexts', context);
    return match === undefined
      ? undefined
      : `Context ${context} is protected: the setting kubemerge.protectedContexts has "${match}".`;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #patternFor(key: string, context: string): string | undefined {
    return stringsIn(this.#get(key)).find((pattern) => matches(pattern, context));
  }

  #get(key: string): unknown {
    return vscode.workspace.getConfiguration(section).get(key);
  }
}

/** What of a setting is of use: it may hold anything that the user typed. */
function stringsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** `*` stands for any characters; everything else for itself. */
function matches(pattern: string, context: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(context);
}
