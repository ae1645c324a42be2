import { lineEnd } from './lines.ts';
import type { TextProblem } from './textProblem.ts';

/** A byte order mark is allowed at the start only; a carriage return only in front of a line feed. */
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|(?!^)\ufeff|\r(?!\n)|\p{Surrogate}/gu;

const markers = /^(?:<{7}|>{7}|\|{7}|={7})(?= |\r?$)/gm;

/** More of them say nothing new. */
const maxProblems = 20;

/**
 * Characters that kubectl refuses or takes for line breaks, and markers left by a merge.
 * Source: go.yaml.in/yaml/v2 `readerc.go`; YAML 1.1 line breaks.
 */
export function findCharacterProblems(text: string): readonly TextProblem[] {
  const found: TextProblem[] = [];
  for (const { index, 0: marker } of text.matchAll(markers)) {
    const message = `This line is a marker of an unfinished merge (${marker}). Choose a side and remove the markers.`;
    found.push(problemAt(index, lineEnd(text, index), 'conflictMarker', message));
    if (found.length >= maxProblems) return found;
  }
  for (const { index, 0: unit } of text.matchAll(forbidden)) {
    found.push(problemAt(index, index + unit.length, 'controlCharacter', messageFor(unit)));
    if (found.length >= maxProblems) return found;
  }
  return found;
}

function messageFor(unit: string): string {
  const code = (unit.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  if (/[\r\u0085\u2028\u2029]/.test(unit)) {
    return `The character U+${code} here counts as a line break in YAML. Write it as "\\u${code.toLowerCase()}" in double quotes.`;
  }
  return `The character U+${code} is not allowed in YAML. In double quotes it can be written as "\\u${code.toLowerCase()}".`;
}

function problemAt(start: number, end: number, code: string, message: string): TextProblem {
  return { severity: 'error', range: { start, end }, code, message, fixes: [] };
}
