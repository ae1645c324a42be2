import type { TextEdit, TextRange } from './textEdit.ts';

/**
 * Moves ranges along with an edit of the text before them.
 *
 * @returns those that the edit did not touch; one that it touched is dropped
 */
export function shiftRanges<T extends { readonly range: TextRange }>(
  items: readonly T[],
  edit: TextEdit,
): T[] {
  const editEnd = edit.offset + edit.length;
  const shift = edit.newText.length - edit.length;
  return items.flatMap((item) => {
    const { start, end } = item.range;
    if (editEnd < start) return [{ ...item, range: { start: start + shift, end: end + shift } }];
    return edit.offset > end ? [item] : [];
  });
}
