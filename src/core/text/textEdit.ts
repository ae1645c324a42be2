/** Replaces `length` UTF-16 units at `offset` of a text. Edits of one list do not overlap and are in order. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** UTF-16 offsets into a text; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Applies edits that were planned for exactly this text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits) {
    result += text.slice(position, edit.offset) + edit.newText;
    position = edit.offset + edit.length;
  }
  return result + text.slice(position);
}
