import { isJsonObject, type JsonObject } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { lineEnd, lineStart } from './lines.ts';
import { type ParsedText, parseTree } from './parseTree.ts';
import { findShapeProblems } from './shapeProblems.ts';
import type { TextRange } from './textEdit.ts';
import type { TextProblem } from './textProblem.ts';
import type { YamlDocument, YamlTree } from './yamlTree.ts';

/** A text that was read as one object, or what keeps it from being one. */
export type ReadText =
  | {
      readonly kind: 'ok';
      readonly value: JsonObject;
      readonly warnings: readonly TextProblem[];
      /** For `locate.ts` and the planner, which then need not parse again. */
      readonly tree: YamlTree;
    }
  | {
      readonly kind: 'invalid';
      /** At least one error; warnings too. In the order of the text. */
      readonly problems: readonly TextProblem[];
      /** Absent where the syntax is broken. */
      readonly tree?: YamlTree;
    };

/**
 * Reads the text of one object exactly as kubectl does, and refuses what kubectl refuses or reads by
 * chance: duplicate keys, a second document, integers that would be rounded.
 *
 * @param schema where given, values of the wrong type are errors too (issue case C8)
 * @returns integers beyond 2^53 as bigints; never throws
 */
export function readDocument(text: string, schema?: MergeSchema): ReadText {
  const parsed = parseTree(text);
  const { tree } = parsed;
  if (tree === undefined) return { kind: 'invalid', problems: parsed.problems };
  const [first, ...others] = tree.documents.filter(({ root }) => root.value !== null);
  if (first === undefined) return invalid(tree, [...parsed.problems, emptyProblem(text)]);
  return readOne(
    first,
    parsed,
    tree,
    schema,
    others.map((other) => secondProblem(text, other)),
  );
}

/**
 * Reads every object of a text of several documents; empty documents are left out.
 *
 * @returns one result each, in order; one `invalid` for a text whose syntax is broken. Never throws.
 */
export function readDocuments(text: string, schema?: MergeSchema): readonly ReadText[] {
  const parsed = parseTree(text);
  const { tree } = parsed;
  if (tree === undefined) return [{ kind: 'invalid', problems: parsed.problems }];
  return tree.documents
    .filter(({ root }) => root.value !== null)
    .map((document, index, all) => {
      const end = all[index + 1]?.start ?? text.length;
      const problems = parsed.problems.filter(
        ({ range }) => (range.start >= document.start || index === 0) && range.start < end,
      );
      return readOne(document, { tree, problems }, tree, schema, []);
    });
}

function readOne(
  { root }: YamlDocument,
  parsed: ParsedText,
  tree: YamlTree,
  schema: MergeSchema | undefined,
  more: readonly TextProblem[],
): ReadText {
  const { value } = root;
  if (!isJsonObject(value))
    return invalid(tree, [...parsed.problems, rootProblem(tree.text, root.start), ...more]);
  const shape = findShapeProblems(root, schema);
  const problems = [...parsed.problems, ...shape, ...more];
  if (problems.some(({ severity }) => severity === 'error')) return invalid(tree, problems);
  return { kind: 'ok', value, warnings: inOrder(problems), tree };
}

function invalid(tree: YamlTree, problems: readonly TextProblem[]): ReadText {
  return { kind: 'invalid', problems: inOrder(problems), tree };
}

function inOrder(problems: readonly TextProblem[]): readonly TextProblem[] {
  return [...problems].sort((left, right) => left.range.start - right.range.start);
}

function emptyProblem(text: string): TextProblem {
  return error({ start: 0, end: lineEnd(text, 0) }, 'emptyText', 'There is no object in this text.');
}

function rootProblem(text: string, start: number): TextProblem {
  const message = 'An object is a mapping: "apiVersion: …", "kind: …" and so on.';
  return error({ start, end: lineEnd(text, start) }, 'notAMapping', message);
}

function secondProblem(text: string, { start }: YamlDocument): TextProblem {
  const message =
    'This text may hold one object only: a second document begins here. Remove it, or create a copy.';
  return error({ start: lineStart(text, start), end: lineEnd(text, start) }, 'secondDocument', message);
}

function error(range: TextRange, code: string, message: string): TextProblem {
  return { severity: 'error', range, code, message, fixes: [] };
}
