import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/editor/extensionApi.ts';
import type { Chance } from './chance.ts';
import { EditedDocument } from './editedDocument.ts';
import type { ContestedField, ContestedObject } from './fields.ts';
import type { UserEntryBody } from './journal.ts';
import { decideInMergeEditor } from './mergeByHand.ts';
import { oneAtATime } from './oneAtATime.ts';

interface SaveReport {
  readonly kind: string;
  readonly message: string;
}

/** Edits one object by chance. */
export class TortureUser {
  readonly #document: EditedDocument;
  readonly #actor: number;
  readonly #chance: Chance;
  readonly #note: (entry: UserEntryBody) => void;
  #count = 0;

  constructor(options: {
    readonly api: ExtensionApi;
    readonly context: string;
    readonly object: ContestedObject;
    readonly actor: number;
    readonly chance: Chance;
    readonly note: (entry: UserEntryBody) => void;
  }) {
    this.#document = new EditedDocument(options);
    this.#actor = options.actor;
    this.#chance = options.chance;
    this.#note = options.note;
  }

  async step(): Promise<void> {
    if (!(await this.#document.open())) return;
    const { state } = this.#document;
    if (state === undefined) return;
    this.#document.check();
    if (state.phase === 'deleted' || state.phase === 'recreated') {
      if (this.#chance(0.3)) await this.#save();
      await this.#reopen();
    } else if (state.phase === 'conflicted' && this.#chance(0.8)) {
      await this.#decide();
    } else if (this.#chance(0.5)) {
      await this.#type();
    } else if (this.#chance(0.65)) {
      await this.#save();
    } else if (this.#chance(0.4)) {
      await this.#saveWhileTyping();
    } else if (this.#chance(0.4)) {
      await this.#dryRun();
    } else if (this.#chance(0.7)) {
      await this.#undo();
    } else if (this.#chance(0.5)) {
      await this.#undoSave();
    } else if (this.#chance(0.3)) {
      await this.#reopen();
    }
  }

  /** Saves what is left, as far as it goes by itself. */
  async finish(): Promise<void> {
    if (this.#document.state?.phase === 'stale' || this.#document.state?.phase === 'fresh')
      await this.#save();
  }

  async #type(): Promise<void> {
    for (let left = this.#chance.pick([1, 1, 2, 3]); left > 0; left--) {
      const field = this.#pickField();
      if (field.canBeRemoved && this.#chance(0.06)) await this.#document.remove(field);
      else await this.#document.type(field, field.makeValue(this.#actor, ++this.#count));
    }
  }

  #pickField(): ContestedField {
    return this.#chance.pick(this.#document.object.fields);
  }

  async #save(): Promise<void> {
    const before = this.#document.unsaved;
    const uri = this.#document.uri;
    const report = await vscode.commands.executeCommand<SaveReport | undefined>('kubemerge.save', uri);
    const result = report?.kind ?? 'none';
    this.#note({ kind: 'saveEnded', result, message: report?.message ?? '' });
    if (result === 'committed' || result === 'unchanged')
      this.#document.landed(keepEqual(before, this.#document.unsaved));
    if (result === 'invalidText') await this.#reopen();
  }

  async #saveWhileTyping(): Promise<void> {
    const saving = this.#save();
    await this.#type();
    await saving;
  }

  async #undo(): Promise<void> {
    await oneAtATime(async () => {
      if (!(await this.#show())) return;
      this.#document.check();
      await vscode.commands.executeCommand(this.#chance(0.7) ? 'undo' : 'redo');
      this.#document.accept();
    });
  }

  async #dryRun(): Promise<void> {
    await oneAtATime(async () => {
      const { uri } = this.#document;
      await this.#type();
      const report = await vscode.commands.executeCommand<SaveReport | undefined>('kubemerge.dryRun', uri);
      this.#note({ kind: 'dryRun', result: report?.kind ?? 'none' });
    });
    this.#document.check();
  }

  async #undoSave(): Promise<void> {
    await oneAtATime(async () => {
      const before = this.#document.fields;
      this.#note({ kind: 'undoneSave' });
      await vscode.commands.executeCommand('kubemerge.undoSave', this.#document.uri);
      this.#document.acceptChanges(before);
    });
  }

  async #decide(): Promise<void> {
    const { state, uri } = this.#document;
    if (state === undefined) return;
    const isMasked = this.#document.object.ref.resource === 'secrets';
    if (!isMasked && this.#chance(0.3)) {
      await oneAtATime(() => decideInMergeEditor(this.#document, this.#chance, this.#note));
    } else {
      const { path, live } = this.#chance.pick(state.conflicts);
      if (this.#chance(0.5)) {
        this.#note({ kind: 'keptMine', path, over: live === undefined ? null : JSON.stringify(live) });
        await vscode.commands.executeCommand('kubemerge.keepMine', uri, path);
      } else {
        this.#note({ kind: 'tookLive', path, value: live === undefined ? null : JSON.stringify(live) });
        await vscode.commands.executeCommand('kubemerge.takeLive', uri, path);
      }
    }
    this.#document.accept();
  }

  /** @returns false where there is no editor to show, as of an object that is gone */
  async #show(): Promise<boolean> {
    const { document } = this.#document;
    if (document === undefined) return false;
    return await vscode.window.showTextDocument(document, { preview: false }).then(
      () => true,
      () => false,
    );
  }

  /** Gives up what is not saved. */
  async #reopen(): Promise<void> {
    await oneAtATime(async () => {
      if (!(await this.#show())) return;
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      this.#document.forget();
    });
  }
}

/** What is typed while a save begins may be in it, or not. */
function keepEqual(
  before: Readonly<Record<string, string | null>>,
  after: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(before).filter(([path, value]) => after[path] === value));
}
