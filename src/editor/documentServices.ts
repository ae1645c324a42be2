import type * as vscode from 'vscode';
import type { ReviewRequest } from '../core/session/saveResult.ts';
import type { Clock } from '../sync/clock.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { Notice } from './notice.ts';
import type { SaveHistory } from './saveHistory.ts';
import type { OpenDocument } from './openDocument.ts';
import type { KeptSession, SavedSessions } from './savedSessions.ts';
import type { WriteConsents } from './writeConsents.ts';
import type { TextReader } from './textReader.ts';

/** What open documents need from around them. */
export interface DocumentServices {
  readonly clock: Clock;
  /** Reads large texts aside. */
  readonly textReader: Pick<TextReader, 'read'>;
  readonly savedSessions: SavedSessions;
  readonly history: SaveHistory;
  readonly settings: DocumentSettings;
  /** Shows the merged text and asks whether to send it. */
  readonly review: (document: LiveDocument, request: ReviewRequest) => Promise<boolean>;
  readonly notify: (notice: Notice) => void;
  /** What VS Code's own message of a failed save can hold of a notice. */
  readonly fit: (notice: Notice) => Notice;
  /** Asks before a write where the context is protected. */
  readonly consents: WriteConsents;
  /** An earlier window kept a text of this document that VS Code did not bring back. */
  readonly draftFound: (document: OpenDocument, kept: KeptSession & { readonly kind: 'whole' }) => void;
  /** Takes a bug's error to the log. */
  readonly reportError: (error: unknown) => void;
}

export interface DocumentSettings {
  /** `kubemerge.save.foreignChanges` is `review`. */
  readonly reviewsForeignChanges: boolean;
  /** `kubemerge.save.dryRunFirst`. */
  readonly previewsProtectedSaves: boolean;
  /** `kubemerge.merge.namedLists`. */
  readonly mergesNamedLists: boolean;
  /** Why this context may only be read, where a setting says so. */
  readOnlyReason(context: string): string | undefined;
  /** Why each write in this context has to be confirmed, where a setting says so. */
  protectedReason(context: string): string | undefined;
  readonly onDidChange: vscode.Event<void>;
}
