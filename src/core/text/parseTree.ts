import { Composer, type CST, type Node, Parser, type YAMLError } from 'yaml';
import { duplicateKeyProblems } from './duplicateKeys.ts';
import { lineEnd, nextLine } from './lines.ts';
import { withQuoteFix } from './quoteFix.ts';
import { syntaxMessage } from './syntaxMessages.ts';
import type { TextProblem } from './textProblem.ts';
import { findCharacterProblems } from './textCharacters.ts';
import { TreeBuilder } from './treeBuilder.ts';
import type { YamlDocument, YamlTree } from './yamlTree.ts';

/** A parsed text. `tree` is undefined where the syntax is broken; problems are in the order of the text. */
export interface ParsedText {
  readonly tree: YamlTree | undefined;
  readonly problems: readonly TextProblem[];
}

/** A text with more errors than these is no better explained by the rest of them. */
const maxProblems = 50;

/**
 * Every scalar is read by our own rules, so the library is to see strings only. Its check of unique keys
 * is quadratic and misses keys that read alike.
 */
const composerOptions = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  keepSourceTokens: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/**
 * Parses YAML as kubectl reads it, several documents included. Linear in the text's length; never throws.
 */
export function parseTree(text: string): ParsedText {
  const problems = findCharacterProblems(text);
  if (problems.some(({ code }) => code === 'conflictMarker')) return { tree: undefined, problems };
  try {
    return parse(text, problems);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'This text is nested too deeply to be read.';
    return { tree: undefined, problems: [problemAt(0, lineEnd(text, 0), 'tooDeep', message)] };
  }
}

function parse(text: string, known: readonly TextProblem[]): ParsedText {
  const tokens = [...new Parser().parse(text)];
  const composer = new Composer(composerOptions);
  const composed = [...composer.compose(tokens)];
  const stream = composer.streamInfo();
  // What follows the first error of a document is mostly its consequence.
  const errors = [stream.errors, ...composed.map((document) => document.errors)].flatMap(
    ([first]): YAMLError[] => (first === undefined ? [] : [first]),
  );
  const syntax = [...directiveProblems(text, tokens), ...syntaxProblems(text, errors)];
  if (syntax.length > 0) {
    return { tree: undefined, problems: withFixes(text, [...known, ...syntax]) };
  }
  const problems = [...known];
  const sources = tokens.filter((token): token is CST.Document => token.type === 'document');
  const documents = composed.flatMap((document, index): YamlDocument[] => {
    const source = sources[index];
    const { contents } = document;
    if (source === undefined || contents === null || isBlank(source)) return [];
    return [build(text, contents, source, problems)];
  });
  return { tree: { text, documents }, problems: withFixes(text, problems) };
}

function build(text: string, contents: Node, source: CST.Document, problems: TextProblem[]): YamlDocument {
  const builder = new TreeBuilder(text, (problem) => problems.push(problem));
  const root = builder.build(contents, source.start);
  builder.checkAliases();
  problems.push(...duplicateKeyProblems(text, builder.duplicates));
  const marker = source.start.find(({ type }) => type === 'doc-start');
  return { start: marker?.offset ?? root.props?.start ?? root.start, root, hasAliases: builder.hasAliases };
}

/** Whether a document holds nothing at all, or comments only. */
function isBlank({ start, value }: CST.Document): boolean {
  const hasProps = start.some(({ type }) => type === 'anchor' || type === 'tag');
  return !hasProps && (value === undefined || (value.type === 'scalar' && value.source === ''));
}

function directiveProblems(text: string, tokens: readonly CST.Token[]): TextProblem[] {
  const message = 'kubectl does not read texts with YAML directives. Remove this line.';
  return tokens.flatMap((token) => {
    if (token.type !== 'directive') return [];
    const { offset, source } = token;
    const edit = { offset, length: nextLine(text, offset) - offset, newText: '' };
    const problem = problemAt(offset, offset + source.length, 'directive', message);
    return [{ ...problem, fixes: [{ title: 'Remove this line', edits: [edit] }] }];
  });
}

function syntaxProblems(text: string, errors: readonly YAMLError[]): TextProblem[] {
  const seen = new Set<number>();
  const problems: TextProblem[] = [];
  for (const error of errors) {
    const start = Math.min(error.pos[0], text.length);
    if (seen.has(start)) continue;
    seen.add(start);
    const { code, message } = syntaxMessage(text, error);
    // A range over many lines hides the place: it ends with the line that it starts on.
    const end = Math.min(Math.max(error.pos[1], start), Math.max(lineEnd(text, start), start));
    problems.push(problemAt(start, end, code, message));
  }
  return problems;
}

function problemAt(start: number, end: number, code: string, message: string): TextProblem {
  return { severity: 'error', range: { start, end }, code, message, fixes: [] };
}

function withFixes(text: string, problems: readonly TextProblem[]): readonly TextProblem[] {
  return inOrder(problems).map((problem) => withQuoteFix(text, problem));
}

function inOrder(problems: readonly TextProblem[]): readonly TextProblem[] {
  return [...problems].sort((left, right) => left.range.start - right.range.start).slice(0, maxProblems);
}
