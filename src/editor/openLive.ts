import * as vscode from 'vscode';
import { type DocumentAddress, parseDocumentPath } from '../core/resource/documentPath.ts';
import { type ResourceRef, wholeOf } from '../core/resource/resourceRef.ts';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentLoader } from './documentLoader.ts';
import { isApiRef, toResourceRef } from './extensionApi.ts';

export interface OpenLiveDependencies {
  readonly commands: CommandRegistry;
  readonly documents: DocumentLoader;
  /** Remembers what was opened, for the next time. */
  readonly remember: (address: DocumentAddress) => void;
  /** Asks for an object; it calls the opener itself. */
  readonly ask: (open: (ref: ResourceRef) => Promise<void>) => Promise<void>;
}

/** Shows an object's document. @throws Error in words where it cannot be read */
export type OpenLive = (ref: ResourceRef) => Promise<vscode.Uri>;

export function createOpenLive({ documents, remember }: OpenLiveDependencies): OpenLive {
  return async (ref) => {
    const document = await documents.open(ref);
    await vscode.window.showTextDocument(document, { preview: false });
    const address = parseDocumentPath(document.uri.path);
    if (address !== undefined) remember({ ...address, ref: wholeOf(address.ref) });
    return document.uri;
  };
}

/** Registers `kubemerge.open`: with a reference it opens that, without one it asks. */
export function registerOpen(dependencies: OpenLiveDependencies, open: OpenLive): vscode.Disposable {
  return dependencies.commands.register('kubemerge.open', async (ref) => {
    if (isApiRef(ref)) return await open(toResourceRef(ref));
    let shown: vscode.Uri | undefined;
    await dependencies.ask(async (chosen) => {
      shown = await open(chosen);
    });
    return shown;
  });
}
