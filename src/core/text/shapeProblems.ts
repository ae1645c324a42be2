import { printJson } from '../json.ts';
import { type MergeSchema, noSchema } from '../merge/mergeSchema.ts';
import type { TextEdit } from './textEdit.ts';
import type { TextProblem } from './textProblem.ts';
import type { MapEntry, ScalarNode, TextNode } from './yamlTree.ts';

/**
 * Finds values whose type the server is certain to refuse, so that a person learns it while typing.
 * Nothing is coerced (issue case C8). Labels and annotations are known to hold strings without a schema.
 *
 * @param root a document's root
 * @param schema the schema of the root; {@link noSchema} where nothing is known
 */
export function findShapeProblems(root: TextNode, schema: MergeSchema = noSchema): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  visit(root, schema, [], problems);
  return problems;
}

const stringSchema: MergeSchema = { ...noSchema, type: 'string' };

function visit(node: TextNode, schema: MergeSchema, path: readonly string[], problems: TextProblem[]): void {
  const problem = problemOf(node, schema);
  if (problem !== undefined) problems.push(problem);
  else if (node.kind === 'map') {
    for (const entry of node.entries) visitEntry(entry, schema, path, problems);
  } else if (node.kind === 'list') {
    for (const item of node.items) visit(item.node, schema.items(), [...path, '[]'], problems);
  }
}

function visitEntry(
  { key, node, isMerge }: MapEntry,
  schema: MergeSchema,
  path: readonly string[],
  problems: TextProblem[],
): void {
  if (isMerge) return;
  const isStrings = path.length === 2 && path[0] === 'metadata' && stringMaps.has(path[1] ?? '');
  visit(node, isStrings ? stringSchema : schema.member(key), [...path, key], problems);
}

const stringMaps: ReadonlySet<string> = new Set(['labels', 'annotations']);

function problemOf(node: TextNode, schema: MergeSchema): TextProblem | undefined {
  const { value } = node;
  // A null is an absent field.
  if (value === null) return undefined;
  if (schema.scalar === 'quantity') return quantityProblem(node);
  if (schema.type === undefined) return undefined;
  const found = typeOf(value);
  if (fits(schema.type, found)) return undefined;
  const scalar = node.kind === 'scalar' ? node : undefined;
  if (schema.type === 'string' && scalar !== undefined) {
    const message = `This must be a string, but reads as ${words[found]}${scalar.style === 'plain' ? ` (${printJson(value)})` : ''}. Quote it.`;
    return problem(node, 'mustBeString', message, [{ title: 'Quote this value', edits: [quote(scalar)] }]);
  }
  const code = `mustBe${schema.type.charAt(0).toUpperCase()}${schema.type.slice(1)}`;
  return problem(
    node,
    code,
    `This must be ${words[schema.type]}, but is ${words[found]}.`,
    unquote(scalar, schema),
  );
}

/** Source: the server's own message for a quantity that it cannot read. */
const quantityShape = /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/;

function quantityProblem(node: TextNode): TextProblem | undefined {
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') return undefined;
  if (typeof value === 'string' && quantityShape.test(value)) return undefined;
  return problem(node, 'mustBeQuantity', 'This must be a quantity, such as 500m, 1.5 or 64Mi.');
}

type JsonType = NonNullable<MergeSchema['type']>;

const words: Readonly<Record<JsonType, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  object: 'a mapping',
  array: 'a list',
};

function typeOf(value: Exclude<TextNode['value'], null>): JsonType {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  if (typeof value === 'object') return 'object';
  return typeof value === 'string' || typeof value === 'boolean'
    ? (typeof value as 'string' | 'boolean')
    : 'number';
}

function fits(expected: JsonType, found: JsonType): boolean {
  return expected === found || (expected === 'number' && found === 'integer');
}

/** A tag is replaced with the value: quotes do not undo it. */
function quote(node: ScalarNode): TextEdit {
  const start = node.tag === undefined ? node.start : (node.props?.start ?? node.start);
  return { offset: start, length: node.end - start, newText: JSON.stringify(node.source) };
}

function unquote(node: ScalarNode | undefined, schema: MergeSchema): TextProblem['fixes'] {
  const isQuoted = node?.style === 'single' || node?.style === 'double';
  if (!isQuoted || node.tag !== undefined) return [];
  const isPlain =
    schema.type === 'boolean'
      ? /^(?:true|false)$/.test(node.source)
      : schema.type === 'integer' && /^-?(?:0|[1-9]\d{0,15})$/.test(node.source);
  if (!isPlain) return [];
  const edit = { offset: node.start, length: node.end - node.start, newText: node.source };
  return [{ title: 'Remove the quotes', edits: [edit] }];
}

function problem(
  { start, end }: TextNode,
  code: string,
  message: string,
  fixes: TextProblem['fixes'] = [],
): TextProblem {
  return { severity: 'error', range: { start, end }, code, message, fixes };
}
