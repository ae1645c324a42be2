import type { Snapshot } from '../core/resource/snapshot.ts';
import type { BaseLedger } from '../core/session/baseLedger.ts';
import type { NamedVersion } from './namedVersion.ts';

/** What outlives the tab of a document: undo may bring its texts back. */
export interface ClosedDocument {
  readonly uid: Snapshot['uid'];
  readonly ledger: BaseLedger;
  readonly namedVersion: NamedVersion;
}

/** How many closed documents' bases are kept. */
const maxClosed = 32;

/** The documents that were closed last, by path. */
export class ClosedDocuments {
  readonly #byPath = new Map<string, ClosedDocument>();

  add(path: string, closed: ClosedDocument): void {
    this.#byPath.delete(path);
    this.#byPath.set(path, closed);
    for (const oldest of this.#byPath.keys()) {
      if (this.#byPath.size <= maxClosed) break;
      this.#byPath.delete(oldest);
    }
  }

  /** @returns what was kept, which is no longer kept then; undefined where it is another object's */
  take(path: string, uid: Snapshot['uid']): ClosedDocument | undefined {
    const closed = this.#byPath.get(path);
    this.#byPath.delete(path);
    return closed?.uid === uid ? closed : undefined;
  }
}
