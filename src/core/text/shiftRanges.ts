import type { TextEdit, TextRange } from './textEdit.ts';
import type { TextProblem } from './textProblem.ts';

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

/**
 * Moves problems along with an edit, and their fixes with them. A problem goes where its field was edited or its
 * fix applied, a fix where the edit touched it.
 */
export function shiftProblems(problems: readonly TextProblem[], edit: TextEdit): readonly TextProblem[] {
  return shiftRanges(problems, edit).flatMap((problem) => {
    const extents = shiftRanges(problem.extent === undefined ? [] : [{ range: problem.extent }], edit);
    const isFixed = problem.fixes.some(({ edits }) => edits.some((one) => isSameEdit(one, edit)));
    if (isFixed || (problem.extent !== undefined && extents.length === 0)) return [];
    const fixes = problem.fixes.flatMap((fix) => {
      const places = fix.edits.map((one) => ({
        one,
        range: { start: one.offset, end: one.offset + one.length },
      }));
      const moved = shiftRanges(places, edit).map(({ one, range }) => ({ ...one, offset: range.start }));
      return moved.length === fix.edits.length ? [{ ...fix, edits: moved }] : [];
    });
    const [extent] = extents;
    return [{ ...problem, ...(extent === undefined ? {} : { extent: extent.range }), fixes }];
  });
}

function isSameEdit(left: TextEdit, right: TextEdit): boolean {
  return left.offset === right.offset && left.length === right.length && left.newText === right.newText;
}
