import * as vscode from 'vscode';
import { isSecretResource } from '../core/merge/secretFields.ts';
import type { ObjectRight } from '../sync/objectRights.ts';
import type { DocumentActionRights } from './documentActionRights.ts';
import { viewUris } from './documentUris.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import type { ClosedMerges } from './openMerges.ts';
import type { KeptSaves } from './saveHistory.ts';
import type { SecretReveals } from './secretReveals.ts';

/**
 * What `when` clauses ask of a document, as `resourcePath in KEY`: a key for each question, so that a
 * button belongs to its own editor and not to every one.
 */
const keys = {
  'kubemerge.livePaths': () => true,
  'kubemerge.stalePaths': ({ view }) => view.phase === 'stale',
  'kubemerge.conflictedPaths': ({ view }) => view.phase === 'conflicted',
  /** There is something to compare with. */
  'kubemerge.comparablePaths': ({ view }) =>
    view.phase !== 'deleted' && (view.isDirty || view.phase !== 'fresh'),
  'kubemerge.deletedPaths': ({ view }) => view.phase === 'deleted',
  /** Documents of an object, not of its status alone. */
  'kubemerge.wholePaths': isWhole,
  'kubemerge.dirtyPaths': ({ view }) => view.isDirty,
  'kubemerge.readOnlyPaths': ({ view }) => view.readOnlyReason !== undefined,
  'kubemerge.secretPaths': ({ ref }) => isSecretResource(ref.gvr),
  /** Secrets whose values are shown as text in their own editor. */
  'kubemerge.decodedPaths': ({ spelling }) => spelling === 'decoded',
} as const satisfies Record<string, (document: LiveDocument) => boolean>;

/** What the server serves and allows; of whole objects only. */
const keysByRight = {
  'kubemerge.deletablePaths': ({ view }, rights) => view.phase !== 'deleted' && rights.has('delete'),
  'kubemerge.terminatingPaths': ({ view }, rights) => view.phase === 'terminating' && rights.has('update'),
  'kubemerge.scalablePaths': ({ view }, rights) => view.phase !== 'deleted' && rights.has('scale'),
  'kubemerge.statusPaths': ({ view }, rights) => view.phase !== 'deleted' && rights.has('editStatus'),
  'kubemerge.copyablePaths': (_document, rights) => rights.has('create'),
  'kubemerge.recreatablePaths': ({ view }, rights) => view.phase === 'deleted' && rights.has('create'),
} as const satisfies Record<string, (document: LiveDocument, rights: ReadonlySet<ObjectRight>) => boolean>;

export interface ContextKeyDependencies {
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly rights: DocumentActionRights;
  readonly closedMerges: ClosedMerges;
  readonly history: KeptSaves;
}

/** Keeps the context keys of `when` clauses up to date. */
export function maintainContextKeys({
  documents,
  reveals,
  rights,
  closedMerges,
  history,
}: ContextKeyDependencies): vscode.Disposable {
  const sent = new Map<string, string>();
  const send = (key: string, uris: readonly vscode.Uri[]): void => {
    const paths = Object.fromEntries(uris.map(({ path }) => [path, true]));
    const printed = JSON.stringify(paths);
    if (sent.get(key) === printed) return;
    sent.set(key, printed);
    void vscode.commands.executeCommand('setContext', key, paths);
  };
  const update = (): void => {
    for (const [key, holds] of Object.entries(keys)) {
      send(
        key,
        documents.all.filter(holds).map(({ uri }) => uri),
      );
    }
    const whole = documents.all.filter(isWhole);
    for (const [key, holds] of Object.entries(keysByRight)) {
      send(
        key,
        whole.filter((document) => holds(document, rights.of(document))).map(({ uri }) => uri),
      );
    }
    const merged = documents.all.filter(({ uri }) => closedMerges.has(uri));
    send(
      'kubemerge.closedMergePaths',
      merged.map(({ uri }) => uri),
    );
    // Of a Secret nothing is kept beyond its document.
    const saved = documents.all.filter(
      (document) => history.has(document.uri) || document.savedObject() !== undefined,
    );
    send(
      'kubemerge.savedPaths',
      saved.map(({ uri }) => uri),
    );
    const revealed = documents.all.filter(({ uri }) => reveals.isRevealed(uri));
    send(
      'kubemerge.revealedPaths',
      revealed.flatMap(({ uri }) => [uri, ...viewUris(uri)]),
    );
  };
  update();
  return vscode.Disposable.from(
    documents.onDidChangeState(update),
    reveals.onDidChange(update),
    rights.onDidChange(update),
    closedMerges.onDidChange(update),
    history.onDidChange(update),
  );
}

function isWhole({ ref }: LiveDocument): boolean {
  return ref.subresource === undefined;
}
