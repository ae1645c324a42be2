import * as vscode from 'vscode';

/** Live documents: the only ones whose save writes to a cluster. */
export const documentScheme = 'k8s';
/** Texts to look at: sides of a comparison or a merge, and whole objects. */
export const viewScheme = 'k8s-view';
/** Texts of objects that do not exist yet; a save creates the object. */
export const newScheme = 'k8s-new';
/** Results of merges under way; kept in memory. */
export const mergeScheme = 'k8s-merge';

/** Texts that follow their document: what live, base and the text itself hold, and the whole object. */
export type ViewRole = 'live' | 'base' | 'liveSinceBase' | 'mine' | 'full';

const roles: readonly ViewRole[] = ['live', 'base', 'liveSinceBase', 'mine', 'full'];

/** The view of a live document in a role: its path is the document's, after the role. */
export function viewUri(live: vscode.Uri, role: ViewRole): vscode.Uri {
  return vscode.Uri.from({ scheme: viewScheme, path: `/${role}${live.path}` });
}

/** All views that a live document can have. */
export function viewUris(live: vscode.Uri): readonly vscode.Uri[] {
  return roles.map((role) => viewUri(live, role));
}

/** @returns undefined for a URI that {@link viewUri} did not make */
export function roleOf(uri: vscode.Uri): ViewRole | undefined {
  return uri.scheme === viewScheme ? roles.find((role) => role === firstSegment(uri)) : undefined;
}

/** A side of one merge of a live document. */
export function mergeSideUri(live: vscode.Uri, mergeId: string, side: 'base' | 'live' | 'mine'): vscode.Uri {
  return vscode.Uri.from({ scheme: viewScheme, path: `/${mergeId}-${side}${live.path}` });
}

/**
 * The result of one merge of a live document: its path is the document's. package.json has VS Code show the
 * label, which is in the query for that.
 */
export function mergeOutputUri(live: vscode.Uri, mergeId: string, label: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: mergeScheme,
    path: live.path,
    query: JSON.stringify({ label, merge: mergeId }),
  });
}

/**
 * The text of an object that does not exist yet, at the path that its document would have. Its name is in the query
 * too, which “Save As…” leaves as it is: so a place that was only typed there is none of these.
 */
export function newObjectUri(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: newScheme, path, query: lastSegment(path) });
}

export function isNewObjectUri({ scheme, path, query }: vscode.Uri): boolean {
  return scheme === newScheme && query === lastSegment(path);
}

/** The live document that a URI belongs to, itself included. */
export function liveUriOf(uri: vscode.Uri): vscode.Uri | undefined {
  switch (uri.scheme) {
    case documentScheme:
      return uri;
    case mergeScheme:
      return vscode.Uri.from({ scheme: documentScheme, path: uri.path });
    case viewScheme: {
      const path = uri.path.slice(1 + firstSegment(uri).length);
      return path === '' ? undefined : vscode.Uri.from({ scheme: documentScheme, path });
    }
    default:
      return undefined;
  }
}

function lastSegment(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function firstSegment(uri: vscode.Uri): string {
  return uri.path.split('/')[1] ?? '';
}
