import * as vscode from 'vscode';
import type { CommandRegistry } from './commandMap.ts';
import { foldWords } from './fieldWords.ts';
import { fitNotice, type Notice } from './notice.ts';

/** Messages to read in full. */
const scheme = 'k8s-message';

/** How many long messages are kept. */
const maxKept = 20;

/** Columns of a message's text. */
const columns = 90;

/**
 * Keeps the messages that are too long for a notification, such as a webhook's reasons, for as long as the
 * window lasts, and shows them as read-only texts. Nothing of them is put on disk.
 */
export class FullMessages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #kept = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** See {@link fitNotice}. */
  fit(notice: Notice): Notice {
    return fitNotice(notice, (message) => this.#keep(message));
  }

  async show(id: unknown): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${String(id)}/Full Message` });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    const message = this.#kept.get(path.split('/')[1] ?? '');
    return message === undefined
      ? 'This message is no longer kept.\n'
      : `${message
          .split('\n')
          .flatMap((line) => foldWords(line, columns))
          .join('\n')}\n`;
  }

  #keep(message: string): string {
    const id = String(++this.#count);
    this.#kept.set(id, message);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return id;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** Registers the command behind {@link fitNotice}. */
export function registerFullMessages(commands: CommandRegistry, messages: FullMessages): vscode.Disposable {
  return commands.register('kubemerge.showFullMessage', (id) => messages.show(id));
}
