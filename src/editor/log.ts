import * as vscode from 'vscode';

/** What a request log line says. */
export interface LoggedRequest {
  readonly context: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly ms: number;
  readonly bytes?: number;
}

/** The output channel "KubeMerge": errors of ours, credential plugins' words, and requests at trace level. */
export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('KubeMerge', { log: true });

  /** Takes a bug's error: name and stack, never what a request or an object held. */
  readonly reportError = (error: unknown): void => {
    this.#channel.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };

  request({ context, method, path, status, ms, bytes }: LoggedRequest): void {
    const size = bytes === undefined ? '' : ` ${bytes} bytes`;
    this.#channel.trace(
      `${context}: ${method} ${path} → ${status ?? 'no answer'} in ${Math.round(ms)} ms${size}`,
    );
  }

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
