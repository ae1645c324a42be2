import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { wholeOf } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import { findRights, type ObjectRight } from '../sync/objectRights.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { LiveDocument, LiveDocuments } from './liveDocuments.ts';

/** How long an answer about rights is taken for true, in ms. An action asks anew anyway. */
const freshMs = 60_000;

export interface DocumentRightsDependencies {
  readonly documents: LiveDocuments;
  readonly settings: Pick<DocumentSettings, 'readOnlyReason'>;
  readonly clock: Clock;
  readonly reportError: (error: unknown) => void;
}

interface Known {
  readonly document: LiveDocument;
  readonly atMs: number;
  readonly rights: ReadonlySet<ObjectRight>;
}

const none: ReadonlySet<ObjectRight> = new Set();

/**
 * What may be done with the whole object of each open document, as the server says: asked when its editor is shown,
 * and anew when that was a minute ago. Nothing is offered before the answer, nor in a read-only context.
 */
export class DocumentActionRights implements Disposable {
  readonly #dependencies: DocumentRightsDependencies;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Set<string>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #lifetime = new AbortController();
  readonly #owned: readonly Disposable[];

  readonly onDidChange = this.#changes.event;

  constructor(dependencies: DocumentRightsDependencies) {
    this.#dependencies = dependencies;
    const { documents } = dependencies;
    const ask = (): void => {
      for (const { document } of vscode.window.visibleTextEditors) this.#askFor(document.uri);
    };
    this.#owned = [
      this.#changes,
      vscode.window.onDidChangeVisibleTextEditors(ask),
      vscode.window.onDidChangeActiveTextEditor(ask),
      vscode.window.onDidChangeWindowState(ask),
      documents.onDidChangeState((uri) => {
        const key = uri.toString();
        if (documents.find(uri) === undefined) this.#known.delete(key);
        else if (this.#known.get(key)?.document !== documents.find(uri)) ask();
      }),
    ];
    ask();
  }

  of(document: LiveDocument): ReadonlySet<ObjectRight> {
    const known = this.#known.get(document.uri.toString());
    const { settings } = this.#dependencies;
    if (known?.document !== document || settings.readOnlyReason(document.ref.context) !== undefined)
      return none;
    return known.rights;
  }

  dispose(): void {
    this.#lifetime.abort();
    for (const owned of this.#owned) owned.dispose();
  }

  #askFor(uri: vscode.Uri): void {
    const { documents, clock, reportError } = this.#dependencies;
    const document = documents.find(uri);
    const key = uri.toString();
    const known = this.#known.get(key);
    const isFresh = known?.document === document && known !== undefined && clock.now() - known.atMs < freshMs;
    if (document === undefined || isFresh || this.#asking.has(key)) return;
    this.#asking.add(key);
    this.#find(document)
      .then((rights) => {
        if (rights === undefined || documents.find(uri) !== document) return;
        this.#known.set(key, { document, atMs: clock.now(), rights });
        this.#changes.fire();
      })
      .catch(reportError)
      .finally(() => this.#asking.delete(key));
  }

  async #find({ cluster, ref }: LiveDocument): Promise<ReadonlySet<ObjectRight> | undefined> {
    const { signal } = this.#lifetime;
    const served = await cluster.discover(signal);
    if (served.kind !== 'ok') return undefined;
    const { group, version, resource } = ref.gvr;
    const type = served.value.types.find(
      ({ gvr }) => gvr.resource === resource && gvr.group === group && gvr.version === version,
    );
    return type === undefined ? none : await findRights(cluster, wholeOf(ref), type, signal);
  }
}
