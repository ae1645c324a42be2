import type * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import type { FieldPath } from '../core/merge/fieldPath.ts';
import type { Conflict } from '../core/merge/mergeResult.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceVersion } from '../core/resource/snapshot.ts';
import type { DryRunResult, ReviewRequest } from '../core/session/saveResult.ts';
import type { SessionView } from '../core/session/sessionView.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import type { UndoOutcome } from './undoSave.ts';
import type { SecretSpelling } from '../core/text/secretText.ts';
import type { TextProblem } from '../core/text/textProblem.ts';
import type { FieldPlace } from './fieldPlaces.ts';

/** The open live documents, as the views see them. */
export interface LiveDocuments {
  /** Fires with a document's URI whenever its view, texts or problems may have changed. */
  readonly onDidChangeState: vscode.Event<vscode.Uri>;
  readonly all: readonly LiveDocument[];
  find(uri: vscode.Uri): LiveDocument | undefined;
}

/** One open live object: its state, its texts, and what can be done with it. */
export interface LiveDocument {
  readonly uri: vscode.Uri;
  readonly ref: ResourceRef;
  readonly cluster: ClusterPort;
  readonly view: SessionView;
  /** Why each write needs a person's consent, where it does. */
  readonly protectedReason: string | undefined;
  /** Where a field stands in this text, the editor's; for a large one, where it stood when that was last read. */
  findField(text: string, path: FieldPath): FieldPlace | undefined;
  /** What is wrong with the text now, each at its place: local checks and the server's causes. */
  readonly problems: readonly TextProblem[];
  /** The text of the editor now. */
  readonly text: string;
  /** The newest object seen, whole; undefined once it is deleted. */
  readonly liveObject: JsonObject | undefined;
  /** How the text writes values of a Secret. */
  readonly spelling: SecretSpelling;
  /** Writes them so from now on; unsaved text as one undoable edit. @returns false where the text has errors */
  setSpelling(spelling: SecretSpelling): Promise<boolean>;
  /** mine's text edited to hold live's value, so that comments and order align; undefined where mine has errors. */
  liveText(): string | undefined;
  /** Undefined where mine cannot be parsed or live is gone. */
  mergeInputs(): MergeInputs | undefined;
  /** The texts of what a save under way would send, whatever was typed since. */
  reviewInputs(request: ReviewRequest): MergeInputs;
  /**
   * Brings an accepted merge result into the document, as one undoable edit that names live's version.
   * Merges again where live or mine moved since `inputs` were taken.
   */
  acceptMerge(inputs: MergeInputs, resultText: string): Promise<AcceptOutcome>;
  /**
   * Runs a save that is meant for this text: what is typed before VS Code writes it is not sent along, and stays
   * unsaved. @returns undefined where the editor holds another text already
   */
  savingOnly<T>(text: string, save: () => Promise<T>): Promise<T | undefined>;
  /** Tells the session that a merge editor is open on it, or no longer. */
  setMerging(isMerging: boolean): void;
  /** Asks the server what it would make of a save of the text as it is. Nothing is written. */
  dryRun(): Promise<DryRunResult>;
  /** The text edited to hold this version's object, for comparisons that align; printed anew where mine has errors. */
  showVersion(object: JsonObject): string;
  /** What our last save in this window made of the object, and live's text beside it; undefined before one. */
  savedObject(): JsonObject | undefined;
  /** Takes back an earlier save in the text; the texts are the object's before and after it. */
  undoSave(change: { readonly before: string; readonly after: string }): Promise<UndoOutcome>;
  /** Sets conflicting fields to mine's value with live as the new base, or to live's. No path: all of them. */
  resolve(side: 'mine' | 'live', path?: string): Promise<boolean>;
}

/** Everything a three-way merge editor shows; pinned to one version of the document and of live. */
export interface MergeInputs {
  readonly documentVersion: number;
  readonly liveVersion: ResourceVersion;
  readonly conflicts: readonly Conflict[];
  /** All three, and the result, without resourceVersion and uid; aligned with mine's comments and order. */
  readonly base: string;
  readonly mine: string;
  readonly live: string;
  /** All that merged by itself, base's text at conflicts. */
  readonly result: string;
}

export type AcceptOutcome =
  /** `text` is what the document holds for it. */
  | { readonly kind: 'accepted'; readonly text: string }
  /** The result cannot be read; nothing was changed. */
  | { readonly kind: 'invalid'; readonly message: string }
  /** Live or mine moved and the result conflicts with the new state: open a merge on these. */
  | { readonly kind: 'conflicted'; readonly inputs: MergeInputs }
  /** The object is gone or the edit was refused; `message` says so. */
  | { readonly kind: 'refused'; readonly message: string };
