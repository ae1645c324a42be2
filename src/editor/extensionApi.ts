import type * as vscode from 'vscode';
import { memberAt } from '../core/json.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { Json } from '../core/json.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Liveness, SessionPhase, SessionView } from '../core/session/sessionView.ts';
import type { DocumentLoader } from './documentLoader.ts';
import { toUri } from './commandMap.ts';

/** Names an object for {@link ExtensionApi.open}. */
export interface ApiRef {
  readonly context: string;
  readonly namespace?: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly name: string;
}

/** The state of a live document, as other extensions see it. Absent sides omit their key; times are RFC 3339. */
export interface ApiState {
  readonly phase: SessionPhase;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly isMerging: boolean;
  readonly readOnlyReason?: string;
  readonly liveness: Liveness;
  readonly baseVersion: string;
  readonly liveVersion: string;
  readonly uid: string;
  readonly conflicts: readonly {
    readonly path: string;
    readonly base?: Json;
    readonly mine?: Json;
    readonly live?: Json;
  }[];
  readonly foreign: readonly { readonly path: string; readonly manager?: string; readonly time?: string }[];
}

/** What `activate` returns; stable within one `apiVersion`. Source: design.md section 8. */
export interface ExtensionApi {
  readonly apiVersion: 1;
  /** Shows an object's document; resolves after the text is shown. Rejects in words where it cannot be read. */
  open(ref: ApiRef): Promise<vscode.Uri>;
  /** Undefined where no live document is open under this URI. */
  state(uri: vscode.Uri): ApiState | undefined;
  readonly onDidChangeState: vscode.Event<vscode.Uri>;
  /** What the document's text grew from: the version and its text. */
  mergeBase(uri: vscode.Uri): { readonly resourceVersion: string; readonly text: string } | undefined;
}

export function createExtensionApi(
  documents: DocumentLoader,
  open: (ref: ResourceRef) => Promise<vscode.Uri>,
): ExtensionApi {
  return {
    apiVersion: 1,
    open: (ref) => open(toResourceRef(ref)),
    state: (uri) => {
      const document = documents.find(uri);
      return document === undefined ? undefined : toApiState(document.view);
    },
    onDidChangeState: documents.onDidChangeState,
    mergeBase: (uri) => {
      const document = documents.find(uri);
      const text = document?.baseText();
      return document === undefined || text === undefined
        ? undefined
        : { resourceVersion: document.view.baseVersion, text };
    },
  };
}

/**
 * Reads a reference that another extension, a keybinding or a link handed over.
 *
 * @throws Error naming the member that is missing or no string
 */
export function toResourceRef(value: unknown): ResourceRef {
  const member = (key: string): string => {
    const found = memberAt(value as Json, key);
    if (typeof found === 'string') return found;
    throw new Error(`The reference of an object needs "${key}", a string.`);
  };
  const namespace = memberAt(value as Json, 'namespace');
  return {
    context: member('context'),
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
    gvr: { group: member('group'), version: member('version'), resource: member('resource') },
    name: member('name'),
  };
}

/** Whether a command's argument is a reference of an object, and not a URI. */
export function isApiRef(value: unknown): value is ApiRef {
  return toUri(value) === undefined && typeof memberAt(value as Json, 'resource') === 'string';
}

function toApiState(view: SessionView): ApiState {
  return {
    phase: view.phase,
    isDirty: view.isDirty,
    isSaving: view.isSaving,
    isMerging: view.isMerging,
    ...(view.readOnlyReason === undefined ? {} : { readOnlyReason: view.readOnlyReason }),
    liveness: view.liveness,
    baseVersion: view.baseVersion,
    liveVersion: view.liveVersion,
    uid: view.uid,
    conflicts: view.conflicts.map(({ path, base, mine, live }) => ({
      path: printFieldPath(path),
      ...(base === undefined ? {} : { base }),
      ...(mine === undefined ? {} : { mine }),
      ...(live === undefined ? {} : { live }),
    })),
    foreign: view.foreign.map(({ path, by }) => ({
      path: printFieldPath(path),
      ...(by === undefined ? {} : { manager: by.manager }),
      ...(by?.time === undefined ? {} : { time: by.time }),
    })),
  };
}
