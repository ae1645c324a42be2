import * as vscode from 'vscode';
import { isJsonArray, isJsonObject, jsonEqual, memberAt } from '../core/json.ts';
import type { PathSegment } from '../core/merge/fieldPath.ts';
import { foldStringData, isSecret } from '../core/resource/editableObject.ts';
import { findFieldOwners } from '../core/merge/fieldOwners.ts';
import { valueAt } from '../core/merge/valueAt.ts';
import { fieldAt, rootOf } from '../core/text/locate.ts';
import { parseTree } from '../core/text/parseTree.ts';
import type { Clock } from '../sync/clock.ts';
import { documentScheme } from './documentUris.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import { describeOwners } from './ownerWords.ts';

/** Shows, over a field of a live document, which managers set it on the server and when. */
export function registerFieldOwnerHover(dependencies: {
  readonly documents: LiveDocuments;
  readonly clock: Clock;
}): vscode.Disposable {
  const { documents, clock } = dependencies;
  return vscode.languages.registerHoverProvider(
    { scheme: documentScheme },
    {
      provideHover(text, position) {
        const live = documents.find(text.uri)?.liveObject;
        const { tree } = parseTree(text.getText());
        const root = tree && rootOf(tree);
        if (live === undefined || tree === undefined || root === undefined) return undefined;
        const written = fieldAt(tree, text.offsetAt(position));
        if (written === undefined || written.length === 0 || !isJsonObject(root.value)) return undefined;
        // The server knows a Secret's values under `data` alone.
        const isDecoded = isSecret(root.value) && jsonEqual(written[0], member('stringData'));
        const path = isDecoded ? [member('data'), ...written.slice(1)] : written;
        const object = isDecoded ? foldStringData(root.value) : root.value;
        const owners = findFieldOwners(memberAt(live, 'metadata', 'managedFields'), object, path);
        const value = valueAt(object, path);
        const lines = describeOwners(owners, isJsonObject(value) || isJsonArray(value), clock.now());
        if (lines.length === 0) return undefined;
        const words = new vscode.MarkdownString();
        for (const line of lines) words.appendText(line).appendMarkdown('  \n');
        return new vscode.Hover(words);
      },
    },
  );
}

function member(key: string): PathSegment {
  return { kind: 'member', key };
}
