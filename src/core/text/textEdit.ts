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

/**
 * The one edit that turns a text into another: what is left without their common beginning and end.
 * It splits neither a line break nor a surrogate pair.
 */
export function differenceOf(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  while (start > 0 && isInsideCharacter(before, after, start)) start--;
  let tail = 0;
  const isAlike = (index: number): boolean =>
    before[before.length - 1 - index] === after[after.length - 1 - index];
  while (tail < shorter - start && isAlike(tail)) tail++;
  while (tail > 0 && isInsideCharacter(before, after, before.length - tail, after.length - tail)) tail--;
  return {
    offset: start,
    length: before.length - start - tail,
    newText: after.slice(start, after.length - tail),
  };
}

function isInsideCharacter(before: string, after: string, inBefore: number, inAfter = inBefore): boolean {
  const splits = (text: string, offset: number): boolean =>
    /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(offset - 1, offset + 1));
  return splits(before, inBefore) || splits(after, inAfter);
}
