import * as vscode from 'vscode';
import type { DryRunResult, SaveResult } from '../core/session/saveResult.ts';
import type { ShortcutNode } from './shortcuts.ts';
import type { TreeNode } from './treeNodes.ts';

/**
 * Every command of the extension and its signature. Commands that take a URI mean the active document
 * without one, and need no dialog with one. Add a command here first: the wrapper, the manifest test and
 * {@link runCommand} follow from it.
 */
export interface CommandMap {
  /** Shows an object; asks for one where none is given. */
  'kubemerge.open': (ref?: unknown) => Promise<vscode.Uri | undefined>;
  /** Without a node: the kubeconfig and all that the tree shows. */
  'kubemerge.tree.refresh': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.retry': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.open': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.copyName': (node?: TreeNode) => Promise<void>;
  /** Remembers a namespace of a context that may not list them. */
  'kubemerge.tree.addNamespace': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.filter': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.clearFilter': (node?: TreeNode) => Promise<void>;
  'kubemerge.tree.showMore': (node?: TreeNode) => Promise<void>;
  /** Drops a namespace's name that was typed. */
  'kubemerge.tree.forgetNamespace': (node?: TreeNode) => Promise<void>;
  /** Says at length what went wrong at a row, and what to do. */
  'kubemerge.tree.explain': (node?: TreeNode) => Promise<void>;
  /** Marks an object or a namespace as a favourite: a row, or the object of a document. */
  'kubemerge.addFavourite': (target?: TreeNode | ShortcutNode | CommandTarget) => Promise<void>;
  /** Takes such a mark away; asks whose where neither a row nor the active document has one. */
  'kubemerge.removeFavourite': (target?: TreeNode | ShortcutNode | CommandTarget) => Promise<void>;
  /** Opens the object of a favourite or recent row, or goes to its namespace in the tree. */
  'kubemerge.shortcut.open': (node?: ShortcutNode) => Promise<void>;
  'kubemerge.shortcut.copyName': (node?: ShortcutNode) => Promise<void>;
  'kubemerge.shortcut.forget': (node?: ShortcutNode) => Promise<void>;
  'kubemerge.clearRecent': () => Promise<void>;
  /** Opens the object in another served version; asks which. */
  'kubemerge.tree.openAsVersion': (node?: TreeNode) => Promise<void>;
  /** Puts a link that opens the object on the clipboard. */
  'kubemerge.copyLink': (target?: TreeNode | ShortcutNode | CommandTarget) => Promise<string | undefined>;
  /** Shows a message that is too long for a notification. */
  'kubemerge.showFullMessage': (id?: string) => Promise<void>;
  'kubemerge.chooseKubeconfig': () => Promise<void>;
  /** Runs a context's credential plugin in a terminal; a context's name, its node, or the URI of its document. */
  'kubemerge.signIn': (target?: TreeNode | CommandTarget) => Promise<void>;
  /**
   * Saves as the key does. With a URI nobody is asked about who else keeps the object: the answer's words tell of
   * them; where that may be asked, it is. A protected context asks in any case.
   */
  'kubemerge.save': (uri?: CommandTarget, mayAsk?: boolean) => Promise<SaveReport | undefined>;
  /** Shows what the server would make of a save, and writes nothing. */
  'kubemerge.dryRun': (uri?: CommandTarget) => Promise<DryRunReport | undefined>;
  /** Takes live's text in place of the user's. */
  'kubemerge.reload': (uri?: CommandTarget) => Promise<void>;
  /** Creates a deleted object anew from the text. */
  'kubemerge.recreate': (uri?: CommandTarget) => Promise<void>;
  /** Opens the template of a new object; asks for what a node of the tree does not tell. */
  'kubemerge.create': (target?: TreeNode | CommandTarget) => Promise<void>;
  /** Creates the object that the active editor's new text describes. */
  'kubemerge.createFromText': () => Promise<void>;
  /** Deletes an object, on the condition that it is what was seen; asks how first. */
  'kubemerge.delete': (target?: CommandTarget | TreeNode) => Promise<void>;
  /** Removes finalizers that hold up a deletion; asks which. */
  'kubemerge.removeFinalizers': (target?: CommandTarget | TreeNode) => Promise<void>;
  /** Opens the status of an object as a document of its own. */
  'kubemerge.editStatus': (target?: CommandTarget | TreeNode) => Promise<void>;
  /** Sets the number of replicas through the subresource `scale`; asks for it. */
  'kubemerge.scale': (target?: CommandTarget | TreeNode) => Promise<void>;
  /** Puts the text back that an earlier window had not saved. */
  'kubemerge.restoreDraft': (uri?: CommandTarget) => Promise<void>;
  /** Drops the text that an earlier window had not saved. */
  'kubemerge.discardDraft': (uri?: CommandTarget) => Promise<void>;
  /** Creates another object from the text. */
  'kubemerge.createCopy': (uri?: CommandTarget) => Promise<void>;
  /** Opens the same object in another served version; asks where none is given. */
  'kubemerge.openAsVersion': (uri?: CommandTarget, version?: string) => Promise<void>;
  /** Merges live into the document; opens the merge editor where fields conflict. */
  'kubemerge.merge': (uri?: CommandTarget) => Promise<void>;
  /** Completes a merge: of the URI of its result, or of the live document, whose merge editor may be closed. */
  'kubemerge.acceptMerge': (target?: CommandTarget) => Promise<void>;
  'kubemerge.compareWithLive': (uri?: CommandTarget) => Promise<void>;
  /** What our last save made of the object, beside live. */
  'kubemerge.compareWithSaved': (uri?: CommandTarget) => Promise<void>;
  /** What others changed since the text's base: base against live. */
  'kubemerge.showLiveChanges': (uri?: CommandTarget) => Promise<void>;
  /** Lists the fields that others changed since the text's base, with who and when. */
  'kubemerge.whoChanged': (uri?: CommandTarget) => Promise<void>;
  /** What our last save of the object changed; asks which of them without a URI, or where that may be asked. */
  'kubemerge.history': (uri?: CommandTarget, mayAsk?: boolean) => Promise<void>;
  /** Takes back one of our saves, of this time; the newest without one. What came since stays. */
  'kubemerge.undoSave': (uri?: CommandTarget, atMs?: number) => Promise<void>;
  'kubemerge.tree.history': (node?: TreeNode) => Promise<void>;
  'kubemerge.showFullObject': (uri?: CommandTarget) => Promise<void>;
  /** `path` as printed by the state API, such as `spec.replicas`; all conflicts without one. */
  'kubemerge.keepMine': (uri?: CommandTarget, path?: string) => Promise<void>;
  'kubemerge.takeLive': (uri?: CommandTarget, path?: string) => Promise<void>;
  /** Offers what can be done with the document in its state. */
  'kubemerge.showActions': (uri?: CommandTarget) => Promise<void>;
  /** Shows the values of this Secret in its own editor as text, to be edited so; undone by the other. */
  'kubemerge.decodeSecretValues': (uri?: CommandTarget) => Promise<void>;
  'kubemerge.encodeSecretValues': (uri?: CommandTarget) => Promise<void>;
  /** Shows the values of this Secret in comparisons and merges, until its document closes. */
  'kubemerge.revealSecretValues': (uri?: CommandTarget) => Promise<void>;
  'kubemerge.hideSecretValues': (uri?: CommandTarget) => Promise<void>;
}

/** How a save ended, and the words for it. */
export interface SaveReport {
  readonly kind: SaveResult['kind'];
  readonly message: string;
}

/** How a dry run ended, and the words for it. */
export interface DryRunReport {
  readonly kind: DryRunResult['kind'];
  readonly message: string;
}

export type CommandId = keyof CommandMap;

/** A URI as menus, command links (a string) and other extensions (its parts) hand it over. */
export type CommandTarget = vscode.Uri | UriParts | string;

/** What is left of a URI that came through JSON. */
export interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path: string;
  readonly query?: string;
  readonly fragment?: string;
}

type CommandCallback = (...args: readonly unknown[]) => Promise<unknown>;

/** Shows an error that a command threw; `id` is the command's. */
export type ErrorReporter = (id: CommandId, error: unknown) => void;

/**
 * Registers commands. A command never throws into VS Code: what it throws is reported, and its caller gets
 * `undefined`.
 */
export class CommandRegistry {
  readonly #report: ErrorReporter;
  /** Commands that VS Code knows already, and what runs them once that is loaded. */
  readonly #deferred = new Map<CommandId, CommandCallback | undefined>();

  constructor(report: ErrorReporter) {
    this.#report = report;
  }

  register<Id extends CommandId>(id: Id, run: CommandMap[Id]): vscode.Disposable {
    const callback = run as CommandCallback;
    if (!this.#deferred.has(id)) return this.#register(id, callback);
    this.#deferred.set(id, callback);
    return new vscode.Disposable(() => this.#deferred.set(id, undefined));
  }

  /** Announces commands whose code is loaded, and then registers them, when one of them is run for the first time. */
  defer(ids: readonly CommandId[], load: () => Promise<unknown>): vscode.Disposable {
    const registrations = ids.map((id) => {
      this.#deferred.set(id, undefined);
      return this.#register(id, async (...args) => {
        await load();
        return await this.#deferred.get(id)?.(...args);
      });
    });
    return vscode.Disposable.from(...registrations);
  }

  #register(id: CommandId, callback: CommandCallback): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      try {
        return await callback(...args);
      } catch (error) {
        this.#report(id, error);
        return undefined;
      }
    });
  }
}

/** Runs one of our own commands. */
export async function runCommand<Id extends CommandId>(
  id: Id,
  ...args: Parameters<CommandMap[Id]>
): Promise<Awaited<ReturnType<CommandMap[Id]>> | undefined> {
  type Result = Awaited<ReturnType<CommandMap[Id]>> | undefined;
  return await vscode.commands.executeCommand<Result>(id, ...args);
}

/** @returns undefined for an argument that is no URI, such as what a keybinding hands over */
export function toUri(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.parse(target, true);
  if (typeof target !== 'object' || target === null) return undefined;
  const { scheme, path } = target as Partial<UriParts>;
  return typeof scheme === 'string' && typeof path === 'string'
    ? vscode.Uri.from(target as UriParts)
    : undefined;
}
