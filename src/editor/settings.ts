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
    return this.#get<string>('save.foreignChanges') === 'review';
  }

  /** Kubeconfig files chosen by the user, in place of KUBECONFIG and the default; empty for those. */
  get kubeconfigPaths(): readonly string[] {
    const paths: unknown = this.#get('kubeconfig');
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string' && path !== '') : [];
  }

  readOnlyReason(context: string): string | undefined {
    const patterns: unknown = this.#get('readOnlyContexts');
    if (!Array.isArray(patterns)) return undefined;
    const match = patterns.find((pattern) => typeof pattern === 'string' && matches(pattern, context));
    return match === undefined
      ? undefined
      : `Context ${context} is read-only: the setting kubemerge.readOnlyContexts has "${String(match)}".`;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #get<T>(key: string): T | undefined {
    return vscode.workspace.getConfiguration(section).get<T>(key);
  }
}

/** `*` stands for any characters; everything else for itself. */
function matches(pattern: string, context: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(context);
}
