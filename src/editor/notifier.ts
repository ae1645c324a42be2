import * as vscode from 'vscode';
import type { FullMessages } from './fullMessages.ts';
import type { Notice, NoticeAction } from './notice.ts';

/** How long a quiet notice stays in the status bar, in ms. */
const quietMs = 6000;

/** Shows notices to the user. */
export interface Notifier {
  /** Does not wait for the user; the action that they choose is run. */
  show(notice: Notice): void;
  /** The notice as it fits an error that VS Code shows itself; see {@link FullMessages.fit}. */
  fit(notice: Notice): Notice;
  /** Asks before something that cannot be guessed. False where no answer can be had. */
  confirm(question: Question): Promise<boolean>;
  /** Asks for a name to be typed. False where it was not. */
  askName(question: NameQuestion): Promise<boolean>;
  /** As `confirm`; `unasked` where VS Code shows no dialogs. */
  ask(question: Question): Promise<'yes' | 'no' | 'unasked'>;
}

export interface Question {
  readonly message: string;
  readonly detail: string;
  /** The button that says yes. */
  readonly confirmation: string;
}

export interface NameQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly name: string;
}

/** Shows notices as VS Code does: toasts, the status bar, modal questions. */
export class WindowNotifier implements Notifier {
  readonly #onError: (error: unknown) => void;
  readonly #messages: FullMessages;

  /**
   * @param onError told of what went wrong while showing, or in an action
   * @param messages keeps what is too long to be shown; the caller's
   */
  constructor(onError: (error: unknown) => void, messages: FullMessages) {
    this.#onError = onError;
    this.#messages = messages;
  }

  show(notice: Notice): void {
    if (notice.severity === 'quiet') {
      vscode.window.setStatusBarMessage(notice.message, quietMs);
      return;
    }
    this.#offer(this.fit(notice)).catch(this.#onError);
  }

  fit(notice: Notice): Notice {
    return this.#messages.fit(notice);
  }

  async confirm(question: Question): Promise<boolean> {
    return (await this.ask(question)) === 'yes';
  }

  async ask({ message, detail, confirmation }: Question): Promise<'yes' | 'no' | 'unasked'> {
    try {
      const options = { modal: true, detail };
      const chosen = await vscode.window.showWarningMessage(message, options, confirmation);
      return chosen === confirmation ? 'yes' : 'no';
    } catch (error) {
      this.#onError(error);
      return 'unasked';
    }
  }

  async askName({ title, prompt, name }: NameQuestion): Promise<boolean> {
    const typed = await vscode.window.showInputBox({
      title,
      prompt,
      placeHolder: name,
      ignoreFocusOut: true,
      validateInput: (value) =>
        value === '' || value === name ? undefined : `This is not the name ${name}.`,
    });
    return typed === name;
  }

  async #offer({ severity, message, actions }: Notice): Promise<void> {
    // Without a button, VS Code would take an error away after some seconds, read or not.
    const titles = severity === 'error' && actions.length === 0 ? ['OK'] : actions.map(({ title }) => title);
    const chosen = await (severity === 'error'
      ? vscode.window.showErrorMessage(message, ...titles)
      : severity === 'warning'
        ? vscode.window.showWarningMessage(message, ...titles)
        : vscode.window.showInformationMessage(message, ...titles));
    const action: NoticeAction | undefined = actions.find(({ title }) => title === chosen);
    if (action !== undefined) await vscode.commands.executeCommand(action.command, ...action.arguments);
  }
}
