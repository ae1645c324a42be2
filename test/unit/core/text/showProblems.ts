import type { TextProblem } from '../../../../src/core/text/textProblem.ts';

/** The text with every problem's range in brackets and its code behind: `⟦a⟧duplicateKey`. */
export function showProblems(text: string, problems: readonly TextProblem[]): string {
  let shown = '';
  let position = 0;
  for (const { range, code } of problems) {
    shown += `${text.slice(position, range.start)}⟦${text.slice(range.start, range.end)}⟧${code}`;
    position = range.end;
  }
  return shown + text.slice(position);
}
