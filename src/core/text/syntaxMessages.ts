import type { YAMLError } from 'yaml';
import { lineEnd, lineStart } from './lines.ts';

/** Says a syntax error of the parser in words for the person who typed it. */
export function syntaxMessage(
  text: string,
  error: YAMLError,
): { readonly code: string; readonly message: string } {
  const start = Math.min(error.pos[0], text.length);
  const line = text.slice(lineStart(text, start), lineEnd(text, start));
  if (error.code === 'TAB_AS_INDENT' || /^ *\t/.test(line)) {
    return { code: 'tabIndent', message: 'YAML is indented with spaces: this line uses a tab.' };
  }
  const hint = phrases.find(([pattern]) => pattern.test(error.message))?.[1] ?? hints[error.code];
  return { code: 'syntax', message: hint ?? `This is not valid YAML: ${firstSentence(error.message)}` };
}

const hints: Partial<Record<YAMLError['code'], string>> = {
  BAD_INDENT: 'The indentation of this line fits no line above it.',
  BLOCK_AS_IMPLICIT_KEY:
    'A mapping cannot begin here. Quote the value if it holds a colon, or put the mapping on lines of its own.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line and end with a colon.',
  KEY_OVER_1024_CHARS: 'A key of more than 1024 characters must be introduced by "? ".',
  RESOURCE_EXHAUSTION: 'This text is nested too deeply to be read.',
};

const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /block-seq-ind on same line with key/,
    'A list begins on the line below its key, or is written as [a, b].',
  ],
  [/at node end/, 'The value before this is already complete. Quote it if this belongs to it.'],
  [
    /cannot start with|(?:Alias|Anchor) cannot be an empty/,
    'A value cannot begin with this character. Quote it.',
  ],
  [/Implicit map keys need/, 'There is no colon behind this key, or no space behind the colon.'],
  [
    /Unexpected flow-(?:seq|map)-end/,
    'A bracket closes here that none opens. Quote the value if it is a text.',
  ],
  [/Not a YAML token/, 'This cannot stand here. Behind | or >, the text begins on the next line.'],
  [/Missing closing/, 'The closing quote of this string is missing.'],
  [/end with a [\]}]/, 'The closing bracket is missing, or the lines up to it are not indented enough.'],
];

function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/:$/, '');
}
