import type { TextEdit } from '../../../../src/core/text/textEdit.ts';

/** The text with every edit shown in place: `⟦old→new⟧`. */
export function showEdits(text: string, edits: readonly TextEdit[]): string {
  let shown = '';
  let position = 0;
  for (const { offset, length, newText } of edits) {
    shown += `${text.slice(position, offset)}⟦${text.slice(offset, offset + length)}→${newText}⟧`;
    position = offset + length;
  }
  return shown + text.slice(position);
}
