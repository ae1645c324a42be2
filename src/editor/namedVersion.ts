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

  /** @param ours the version that we wrote into this text; given with the cause `ours` only */
  take(text: string, cause: TextCause, ours?: ResourceVersion): ResourceVersion {
    switch (cause) {
      case 'ours':
        this.#current = ours ?? this.#current;
        break;
      case 'undoRedo':
        this.#current = this.#byText.get(digest(text)) ?? this.#current;
        break;
      case 'typed':
        break;
    }
    this.#remember(text);
    return this.current;
  }

  #remember(text: string): void {
    const key = digest(text);
    this.#byText.delete(key);
    this.#byText.set(key, this.current);
    for (const oldest of this.#byText.keys()) {
      if (this.#byText.size <= maxTexts) break;
      this.#byText.delete(oldest);
    }
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
