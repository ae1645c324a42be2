import type { TextEdit, TextRange } from './textEdit.ts';

/** Something about the text that a person has to know. An `error` blocks the save. */
export interface TextProblem {
  readonly severity: 'error' | 'warning';
  readonly range: TextRange;
  /** All of the field where more than its key is meant: an edit anywhere in it outdates what a server said. */
  readonly extent?: TextRange;
  /** Says what is wrong and what to do. */
  readonly message: string;
  /** Stable id for tests and quick fixes, such as `duplicateKey`. */
  readonly code: string;
  readonly fixes: readonly TextFix[];
}

export interface TextFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}
