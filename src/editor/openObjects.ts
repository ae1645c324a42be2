import { type Disposable, DisposableStore, Emitter, type Event } from '../core/lifecycle.ts';
import { type DocumentAddress, parseDocumentPath } from '../core/resource/documentPath.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import type * as vscode from 'vscode';
import type { ShownDocuments } from './documentTabs.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';
import { documentMarks, type ObjectMark } from './objectMarks.ts';

/** Which objects are open in an editor, in whichever version, and how they stand. */
export class OpenObjects implements Disposable {
  readonly #documents: LiveDocuments;
  readonly #tabs: ShownDocuments;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<DocumentAddress>());
  /** Built anew after each change: asked for by each row of the tree. */
  #byObject: ReadonlyMap<string, LiveDocument> | undefined;
  /** The words last told of each document, by its URI. */
  readonly #told = new Map<string, string>();

  /** Fires when the marks of an object may be others. */
  readonly onDidChange: Event<DocumentAddress> = this.#changes.event;

  constructor(documents: LiveDocuments, tabs: ShownDocuments) {
    this.#documents = documents;
    this.#tabs = tabs;
    this.#owned.add(
      documents.onDidChangeState((uri) => {
        this.#check(uri);
      }),
    );
    this.#owned.add(
      tabs.onDidChange((uris) => {
        for (const uri of uris) this.#check(uri);
      }),
    );
  }

  /** The marks of an object's document; none where it is not open. */
  marksOf(address: DocumentAddress): readonly ObjectMark[] {
    this.#byObject ??= indexDocuments(this.#documents.all.filter((document) => this.#isOpen(document)));
    const document = this.#byObject.get(objectKey(address));
    return document === undefined ? [] : documentMarks(document.view);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #check(uri: vscode.Uri): void {
    this.#byObject = undefined;
    const document = this.#documents.find(uri);
    const isOpen = document !== undefined && this.#isOpen(document);
    const words = isOpen ? printMarks(documentMarks(document.view)) : '';
    const key = uri.toString();
    if ((this.#told.get(key) ?? '') === words) return;
    if (isOpen) this.#told.set(key, words);
    else this.#told.delete(key);
    const address = parseDocumentPath(uri.path);
    if (address !== undefined) this.#changes.fire(address);
  }

  /** Unsaved text counts even where VS Code shows it nowhere. */
  #isOpen({ uri, view }: LiveDocument): boolean {
    return view.isDirty || this.#tabs.isShown(uri);
  }
}

/** Of an object that is open in two versions, the document that is being edited counts. */
function indexDocuments(documents: readonly LiveDocument[]): ReadonlyMap<string, LiveDocument> {
  const byObject = new Map<string, LiveDocument>();
  for (const document of documents) {
    const address = parseDocumentPath(document.uri.path);
    if (address === undefined) continue;
    const key = objectKey(address);
    if (byObject.get(key)?.view.isDirty !== true) byObject.set(key, document);
  }
  return byObject;
}

function objectKey({ clusterId, ref }: DocumentAddress): string {
  const { context, namespace, gvr, name } = ref;
  return JSON.stringify([clusterId, context, namespace ?? null, printResource(gvr), name]);
}

function printMarks(marks: readonly ObjectMark[]): string {
  return marks.map(({ words }) => words).join(' ');
}
