import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { DocumentActionRights } from './documentActionRights.ts';
import { AgeTimer } from './ageTimer.ts';
import { type CommandId, type CommandRegistry, runCommand } from './commandMap.ts';
import { type DocumentAction, listActions } from './documentActions.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { newestTime } from './fieldWords.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { ClosedMerges } from './openMerges.ts';
import { isSecretResource } from '../core/merge/secretFields.ts';
import { nameObject, namePlace } from './objectWords.ts';
import type { KeptSaves } from './saveHistory.ts';
import type { SecretReveals } from './secretReveals.ts';
import { describeStatus, type StatusContext, type StatusWords } from './statusWords.ts';

export interface StatusBarDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly rights: DocumentActionRights;
  readonly closedMerges: ClosedMerges;
  readonly history: KeptSaves;
  readonly clock: Clock;
}

/** Left of what other extensions show, right of VS Code's own. */
const priority = 100;

/** The status bar item of the active live document, and the list of choices behind it. */
export class StatusBar implements Disposable {
  readonly #dependencies: StatusBarDependencies;
  readonly #item = vscode.window.createStatusBarItem(
    'kubemerge.status',
    vscode.StatusBarAlignment.Left,
    priority,
  );
  readonly #ages: AgeTimer;
  readonly #owned: readonly Disposable[];

  constructor(dependencies: StatusBarDependencies) {
    this.#dependencies = dependencies;
    const render = (): void => {
      this.#render();
    };
    this.#ages = new AgeTimer(dependencies.clock, render);
    this.#item.name = 'KubeMerge';
    this.#owned = [
      this.#item,
      vscode.window.onDidChangeActiveTextEditor(render),
      vscode.window.tabGroups.onDidChangeTabs(render),
      vscode.window.tabGroups.onDidChangeTabGroups(render),
      dependencies.documents.onDidChangeState(render),
      dependencies.reveals.onDidChange(render),
      dependencies.rights.onDidChange(render),
      dependencies.closedMerges.onDidChange(render),
      dependencies.history.onDidChange(render),
      dependencies.commands.register('kubemerge.showActions', (target) => this.#showActions(target)),
    ];
    render();
  }

  dispose(): void {
    this.#ages.dispose();
    for (const item of this.#owned) item.dispose();
  }

  #render(): void {
    const document = this.#dependencies.targets.active;
    if (document === undefined) {
      this.#ages.follow(undefined);
      this.#item.hide();
      return;
    }
    const words = describeStatus(document.view, this.#contextOf(document));
    this.#item.text = words.text;
    this.#item.accessibilityInformation = { label: words.label, role: 'button' };
    this.#item.backgroundColor = backgrounds[words.tone];
    this.#item.tooltip = this.#tooltip(document, words);
    this.#item.command = {
      title: 'Show Actions',
      command: 'kubemerge.showActions' satisfies CommandId,
      arguments: [document.uri],
    };
    this.#item.show();
    this.#ages.follow(newestTime([...document.view.foreign, ...document.view.conflicts]));
  }

  #tooltip(document: LiveDocument, words: StatusWords): vscode.MarkdownString {
    const [heading = '', ...lines] = words.detail;
    const actions = this.#actionsOf(document);
    const tooltip = new vscode.MarkdownString('', true);
    tooltip.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
    tooltip.appendMarkdown('**').appendText(heading).appendMarkdown('**\n\n');
    for (const line of lines) tooltip.appendText(line).appendMarkdown('\n\n');
    const links = actions.map((action) => {
      const given = encodeURIComponent(JSON.stringify(argumentsOf(action, document.uri.toString())));
      return `[$(${action.icon}) ${action.title}](command:${action.command}?${given})`;
    });
    return tooltip.appendMarkdown(links.slice(0, 4).join(' &nbsp; '));
  }

  async #showActions(target: unknown): Promise<void> {
    const document = await this.#dependencies.targets.resolve(target);
    if (document === undefined) return;
    const words = describeStatus(document.view, this.#contextOf(document));
    const items = this.#actionsOf(document).map(toItem);
    const chosen = await vscode.window.showQuickPick(items, {
      title: `${nameObject(document.ref, document.liveObject)} in ${namePlace(document.ref)}`,
      placeHolder: words.label,
      matchOnDetail: true,
    });
    if (chosen === undefined) return;
    await runCommand(chosen.action.command, ...argumentsOf(chosen.action, document.uri));
  }

  #actionsOf(document: LiveDocument): readonly DocumentAction[] {
    return listActions(document.view, {
      isSecret: isSecretResource(document.ref.gvr),
      isRevealed: this.#dependencies.reveals.isRevealed(document.uri),
      isDecoded: document.spelling === 'decoded',
      rights: this.#dependencies.rights.of(document),
      hasClosedMerge: this.#dependencies.closedMerges.has(document.uri),
      hasSaves: this.#dependencies.history.has(document.uri),
    });
  }

  #contextOf(document: LiveDocument): StatusContext {
    return {
      nowMs: this.#dependencies.clock.now(),
      liveObject: document.liveObject,
      protectedReason: document.protectedReason,
      isRevealed: this.#dependencies.reveals.isRevealed(document.uri),
      isDecoded: document.spelling === 'decoded',
    };
  }
}

const backgrounds: Readonly<Record<StatusWords['tone'], vscode.ThemeColor | undefined>> = {
  plain: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
};

interface ActionItem extends vscode.QuickPickItem {
  readonly action: DocumentAction;
}

function toItem(action: DocumentAction): ActionItem {
  const { title, detail, icon } = action;
  return { action, label: `$(${icon}) ${title}`, detail };
}

/** A person chose it, who can be asked. */
function argumentsOf<T>({ mayAsk }: DocumentAction, target: T): [T] | [T, true] {
  return mayAsk === true ? [target, true] : [target];
}
