import * as vscode from 'vscode';
import { describeRequest, type LoggedRequest } from './requestWords.ts';

/** The output channel "KubeMerge": errors of ours, credential plugins' words, and requests at trace level. */
export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('KubeMerge', { log: true });

  /** Takes a bug's error: name and stack, never what a request or an object held. */
  readonly reportError = (error: unknown): void => {
    this.#channel.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };

  readonly logRequest = (request: LoggedRequest): void => {
    this.#channel.trace(describeRequest(request));
  };

  info(message: string): void {
    this.#channel.info(message);
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
