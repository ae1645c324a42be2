import { lineEnd, lineStart, nextLine } from './lines.ts';
import type { TextProblem } from './textProblem.ts';
import { printQuoted } from './writeScalar.ts';

/** What a value that was meant as a text, but has no quotes, is taken for. */
const quotable: ReadonlySet<string> = new Set(['syntax', 'unknownAnchor', 'complexKey']);

/** Indentation and dashes, the key, and what stands behind it on the line. */
const keyed =
  /^(\uFEFF?\s*(?:-\s+)*)((?:(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[\]{},&*!|>%@`-][^#]*?):\s+)?)(\S.*)$/;

/** A longer line is no value that a person forgot to quote. */
const longestLine = 1000;

/**
 * The problem, with an offer to quote the value that it is about: a schedule (`* * * * *`), a wildcard, a
 * template's `{{ name }}`, a text that holds `: `. No offer where quotes might be no help, or take in more.
 */
export function withQuoteFix(text: string, problem: TextProblem): TextProblem {
  if (!quotable.has(problem.code) || problem.fixes.length > 0) return problem;
  const start = lineStart(text, problem.range.start);
  const end = lineEnd(text, problem.range.start);
  const match = end - start > longestLine ? null : keyed.exec(text.slice(start, end));
  const [, lead = '', key = '', rest = ''] = match ?? [];
  const value = rest.replace(/\s+#.*$/, '').trimEnd();
  const offset = start + lead.length + key.length;
  const isInside = problem.range.start >= offset && problem.range.start < offset + value.length;
  const column = key === '' ? lead.lastIndexOf('-') : lead.length;
  if (column < 0 || !isInside || !isQuotable(value) || goesOn(text, end, column)) return problem;
  const edit = { offset, length: value.length, newText: printQuoted(value, 'single') };
  return { ...problem, fixes: [{ title: 'Quote this value', edits: [edit] }] };
}

/** Not so for lists, properties, flow collections and their parts, and where the closing quote may be what is missing. */
function isQuotable(value: string): boolean {
  if (value.startsWith('{{')) return true;
  if (/^"[^"]*$|^'[^']*$/.test(value)) return false;
  return !/^(?:[[{]|-\s|[!&]\S)|[,\]}]$/.test(value);
}

/** Whether the next line that is more than a comment is indented further than `column`: it may be part of the value. */
function goesOn(text: string, end: number, column: number): boolean {
  for (let next = nextLine(text, end); next < text.length; next = nextLine(text, next)) {
    const first = text.slice(next, lineEnd(text, next)).search(/\S/);
    if (first >= 0 && text[next + first] !== '#') return first > column;
  }
  return false;
}
