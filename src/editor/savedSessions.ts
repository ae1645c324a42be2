import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isJsonObject, type Json, type JsonObject, memberAt, parseJson, printJson } from '../core/json.ts';
import { isSecretResource } from '../core/merge/secretFields.ts';
import type { ObjectTraits } from '../core/resource/editableObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import {
  type ResourceVersion,
  type Snapshot,
  toResourceVersion,
  toSnapshot,
  toUid,
  type Uid,
} from '../core/resource/snapshot.ts';
import type { Base } from '../core/session/baseLedger.ts';
import type { SecretSpelling } from '../core/text/secretText.ts';

/** What a dirty document needs to go on after a reload, whatever the cluster's state by then. */
export interface SavedSession {
  /** The newest snapshot that was seen of the object the document was opened on. */
  readonly live: Snapshot;
  /** The version that the text names. */
  readonly named: ResourceVersion;
  readonly base: Base;
  readonly traits: ObjectTraits;
  /** The text itself, and when it was typed, in ms since the epoch: VS Code's own backup comes seconds later. */
  readonly draft: { readonly text: string; readonly atMs: number };
  /** How the text writes values of a Secret. */
  readonly spelling: SecretSpelling;
}

/** What was kept: all of it, or for a Secret the version and the spelling alone. */
export type KeptSession =
  | ({ readonly kind: 'whole' } & Omit<SavedSession, 'draft' | 'spelling'> &
      Partial<Pick<SavedSession, 'draft'>>)
  | {
      readonly kind: 'versionOnly';
      readonly uid: Uid;
      readonly named: ResourceVersion;
      readonly spelling: SecretSpelling;
    };

/**
 * Keeps the sessions of dirty documents in the workspace's storage, one file each, with their texts. Of a
 * Secret only the version and the spelling are written: after a reload its base is unknown unless live has not changed since
 * (issue cases B12, H7, I4).
 */
export class SavedSessions {
  readonly #folder: vscode.Uri | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param storage the extension's storage for this workspace; nothing is kept without one */
  constructor(storage: vscode.Uri | undefined) {
    this.#folder = storage && vscode.Uri.joinPath(storage, 'sessions');
  }

  /** Keeps a session until it is forgotten; later calls for the same document win. */
  save(uri: vscode.Uri, ref: ResourceRef, session: SavedSession): Promise<void> {
    const { live, named, base, traits, draft, spelling } = session;
    const json: JsonObject = isSecretResource(ref.gvr)
      ? { named, uid: live.uid, spelling }
      : {
          named,
          live: live.object,
          hasStatusSubresource: traits.hasStatusSubresource,
          base: base.object,
          expected: base.expected,
          ...(base.managedFields === undefined ? {} : { managedFields: base.managedFields }),
          text: draft.text,
          atMs: draft.atMs,
        };
    return this.#enqueue(uri, async (file) => {
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(printJson(json)));
    });
  }

  forget(uri: vscode.Uri): Promise<void> {
    return this.#enqueue(uri, async (file) => {
      await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
    });
  }

  /** @returns undefined where nothing was kept, or nothing that can be read */
  async load(uri: vscode.Uri): Promise<KeptSession | undefined> {
    const file = this.#fileFor(uri);
    if (file === undefined) return undefined;
    await this.#writing;
    try {
      const bytes = await vscode.workspace.fs.readFile(file);
      return toKeptSession(parseJson(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  }

  /** Resolves when all that was asked for so far is on disk. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #enqueue(uri: vscode.Uri, act: (file: vscode.Uri) => Promise<void>): Promise<void> {
    const file = this.#fileFor(uri);
    if (file === undefined) return Promise.resolve();
    this.#writing = this.#writing.then(() => act(file)).catch(() => undefined);
    return this.#writing;
  }

  #fileFor(uri: vscode.Uri): vscode.Uri | undefined {
    const name = createHash('sha256').update(uri.path).digest('hex').slice(0, 32);
    return this.#folder && vscode.Uri.joinPath(this.#folder, `${name}.json`);
  }
}

function toKeptSession(json: Json): KeptSession | undefined {
  const named = toResourceVersion(memberAt(json, 'named'));
  if (named === undefined) return undefined;
  const uid = toUid(memberAt(json, 'uid'));
  if (uid !== undefined) {
    const spelling = memberAt(json, 'spelling') === 'decoded' ? 'decoded' : 'encoded';
    return { kind: 'versionOnly', uid, named, spelling };
  }
  const liveObject = memberAt(json, 'live');
  const live = isJsonObject(liveObject) ? toSnapshot(liveObject) : undefined;
  const object = memberAt(json, 'base');
  const expected = memberAt(json, 'expected');
  if (live === undefined || !isJsonObject(object) || !isJsonObject(expected)) return undefined;
  const base = { object, expected, managedFields: memberAt(json, 'managedFields') };
  const traits = { hasStatusSubresource: memberAt(json, 'hasStatusSubresource') === true };
  const text = memberAt(json, 'text');
  const atMs = memberAt(json, 'atMs');
  const draft = typeof text === 'string' && typeof atMs === 'number' ? { draft: { text, atMs } } : {};
  return { kind: 'whole', live, named, base, traits, ...draft };
}
