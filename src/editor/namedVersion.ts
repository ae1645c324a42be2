import { createHash } from 'node:crypto';
import type { ResourceVersion } from '../core/resource/snapshot.ts';

/** How a document came to hold its text. */
export type TextCause = 'ours' | 'undoRedo' | 'typed';

/** How many texts are remembered. */
const maxTexts = 4096;

/**
 * Knows which version a text names by a trusted line: one that we wrote, or that undo or redo brought
 * back. A version that was typed or pasted names nothing (issue case A10).
 */
export class NamedVersion {
  readonly #byText = new Map<string, ResourceVersion>();
  /** Texts that hold just what the server held; the editor takes them late, or never. */
  readonly #offered = new Map<string, ResourceVersion>();
  #current: ResourceVersion | undefined;

  /** @throws Error before the first text of ours */
  get current(): ResourceVersion {
    if (this.#current === undefined) throw new Error('no text has named a version yet');
    return this.#current;
  }

  /** The version that this text named; undefined for a text that the document never held. */
  of(text: string): ResourceVersion | undefined {
    return this.#byText.get(digest(text));
  }

  /** Remembers a text that is handed to the editor, which may be at an older one by then when it takes it. */
  offer(text: string, named: ResourceVersion): void {
    remember(this.#offered, text, named);
  }

  /** @param ours the version that we wrote into this text; given with the cause `ours` only */
  take(text: string, cause: TextCause, ours?: ResourceVersion): ResourceVersion {
    switch (cause) {
      case 'ours':
        this.#current = ours ?? this.#current;
        break;
      case 'undoRedo':
        this.#current = this.of(text) ?? this.#current;
        break;
      case 'typed':
        this.#current = this.#offered.get(digest(text)) ?? this.#current;
        break;
    }
    remember(this.#byText, text, this.current);
    return this.current;
  }
}

function remember(versions: Map<string, ResourceVersion>, text: string, version: ResourceVersion): void {
  const key = digest(text);
  versions.delete(key);
  versions.set(key, version);
  for (const oldest of versions.keys()) {
    if (versions.size <= maxTexts) break;
    versions.delete(oldest);
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
