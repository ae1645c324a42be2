import * as vscode from 'vscode';
import type { ApiState, ExtensionApi } from '../../../src/editor/extensionApi.ts';
import { until } from '../../editor/inHost/until.ts';
import type { ContestedField, ContestedObject } from './fields.ts';
import type { UserEntryBody } from './journal.ts';

/** One object in the hands of one user: what they type, what they may expect to find again. */
export class EditedDocument {
  readonly object: ContestedObject;
  readonly context: string;
  readonly #api: ExtensionApi;
  readonly #note: (entry: UserEntryBody) => void;
  /** What the text must hold of what was typed and is not saved. */
  readonly #typed = new Map<ContestedField, string | null>();
  #uri: vscode.Uri | undefined;

  constructor(options: {
    readonly api: ExtensionApi;
    readonly object: ContestedObject;
    readonly context: string;
    readonly note: (entry: UserEntryBody) => void;
  }) {
    this.#api = options.api;
    this.object = options.object;
    this.context = options.context;
    this.#note = options.note;
  }

  get state(): ApiState | undefined {
    return this.#uri && this.#api.state(this.#uri);
  }

  get uri(): vscode.Uri {
    if (this.#uri === undefined) throw new Error('not open');
    return this.#uri;
  }

  get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.#uri?.toString());
  }

  /** @returns false where the object cannot be opened now */
  async open(): Promise<boolean> {
    if (this.document !== undefined && this.state !== undefined) return true;
    try {
      this.#uri = await this.#api.open({ ...this.object.ref, context: this.context });
      return this.document !== undefined;
    } catch {
      return false;
    }
  }

  /** The value that the text shows, as JSON; null where the field is absent. */
  shown(field: ContestedField): string | null {
    const found = field.pattern.exec(this.document?.getText() ?? '')?.[2];
    if (found === undefined) return null;
    return /^ +replicas/.test(field.pattern.exec(this.document?.getText() ?? '')?.[1] ?? '')
      ? found
      : JSON.stringify(found);
  }

  /** Puts a value where the text shows another; undefined where it shows none. */
  async type(field: ContestedField, value: string | number): Promise<void> {
    await this.#edit(field, value);
  }

  async remove(field: ContestedField): Promise<void> {
    await this.#edit(field, null);
  }

  /** Reads anew what the text holds, after something other than typing has changed it. */
  accept(): void {
    for (const field of this.#typed.keys()) this.#typed.set(field, this.shown(field));
  }

  /** Every contested field as the text shows it. */
  get fields(): ReadonlyMap<ContestedField, string | null> {
    return new Map(this.object.fields.map((field) => [field, this.shown(field)]));
  }

  /** Holds what differs from these values for typed, where it is not saved. */
  acceptChanges(before: ReadonlyMap<ContestedField, string | null>): void {
    if (this.state?.isDirty !== true) {
      this.forget();
      return;
    }
    this.accept();
    for (const [field, value] of this.fields) if (before.get(field) !== value) this.#typed.set(field, value);
  }

  /** What the text holds of the fields that were typed and not saved. */
  get unsaved(): Readonly<Record<string, string | null>> {
    return Object.fromEntries([...this.#typed.keys()].map((field) => [field.path, this.shown(field)]));
  }

  /** These values are the server's now; what was typed since is still the user's. */
  landed(values: Readonly<Record<string, string | null>>): void {
    for (const [field, value] of this.#typed) {
      if (values[field.path] === value) this.#typed.delete(field);
    }
    this.#note({ kind: 'acknowledged', values });
  }

  /** Looks whether the text still holds what was typed, or the server has had it. */
  check(): void {
    if (this.state?.isDirty !== true) {
      this.#believeClean();
      return;
    }
    for (const [field, typed] of this.#typed) {
      const found = this.shown(field);
      if (found === typed) continue;
      this.#note({ kind: 'textLost', path: field.path, typed, found });
      this.#typed.set(field, found);
    }
  }

  forget(): void {
    this.#typed.clear();
  }

  /** A clean text says that nothing typed is unsaved: the audit looks whether the server ever had it. */
  #believeClean(): void {
    if (this.state?.isDirty !== false || this.#typed.size === 0) return;
    const values = Object.fromEntries([...this.#typed].map(([{ path }, value]) => [path, value]));
    this.#note({ kind: 'acknowledged', values });
    this.#typed.clear();
  }

  async #edit(field: ContestedField, value: string | number | null): Promise<void> {
    const taken = await until('the edit is taken', async () => {
      const { document } = this;
      const text = document?.getText() ?? '';
      const found = field.pattern.exec(text);
      if (document === undefined || found === null) return 'absent';
      this.#believeClean();
      const from = this.shown(field);
      const [line, before = ''] = found;
      const start = document.positionAt(found.index + (value === null ? 0 : before.length));
      const end = document.positionAt(found.index + line.length + (value === null ? 1 : 0));
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(start, end), value === null ? '' : String(value));
      // Noted first: a save may take it at once.
      const to = value === null ? null : JSON.stringify(value);
      this.#note({ kind: 'typed', path: field.path, from, to });
      // Refused where the text has changed since it was looked at.
      if (!(await vscode.workspace.applyEdit(edit))) return undefined;
      this.#typed.set(field, to);
      return 'taken';
    });
    if (taken === 'absent') return;
  }
}
