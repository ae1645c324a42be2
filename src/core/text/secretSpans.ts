import { isAlias, isMap, isScalar, type Node, type Pair, parseAllDocuments } from 'yaml';
import { secretMembers } from '../merge/secretFields.ts';
import { lastAppliedAnnotation } from '../resource/editableObject.ts';

/** A part of a Secret's text that must not be shown. */
export interface SecretSpan {
  /** UTF-16 offset of `source` in the text. */
  readonly start: number;
  readonly source: string;
  readonly kind: 'value' | 'comment';
  /** `data`, `stringData` or the annotation's key. */
  readonly section: string;
  /** The key under which it stands; '' for comments. */
  readonly key: string;
  /** What the source says: a scalar's string, else the source. */
  readonly content: string;
  readonly isBlockScalar: boolean;
}

/**
 * Finds what a Secret's text must not show, in order. Several documents are searched alike; aliases show
 * nothing and are left.
 *
 * @returns undefined for a text that cannot be parsed
 */
export function findSecretSpans(text: string): readonly SecretSpan[] | undefined {
  const spans: SecretSpan[] = [];
  // Only the places of strings matter here, so the core schema's reading of other scalars is good enough.
  const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  if ('empty' in documents) return [];
  for (const { contents, errors } of documents) {
    if (errors.length > 0) return undefined;
    if (!isMap(contents)) continue;
    for (const pair of contents.items) {
      const name = keyOf(pair);
      if (secretMembers.includes(name)) spans.push(...spansOfSection(text, name, pair));
      else if (name === 'metadata') spans.push(...spansOfAnnotations(text, pair));
    }
  }
  return spans;
}

function spansOfSection(text: string, section: string, pair: Pair): SecretSpan[] {
  const { key, value } = pair;
  if (!isMap(value)) return spansOfValue(text, section, '', value);
  const spans: SecretSpan[] = [];
  let shownFrom = endOf(key) ?? startOf(value);
  for (const member of value.items) {
    spans.push(...commentsBetween(text, section, shownFrom, startOf(member.key)));
    const found = spansOfValue(text, section, keyOf(member), member.value);
    const valueStart = startOf(member.value) ?? endOf(member.key);
    spans.push(...commentsBetween(text, section, endOf(member.key), valueStart), ...found);
    shownFrom = endOf(member.value) ?? endOf(member.key);
  }
  return [...spans, ...commentsBetween(text, section, shownFrom, value.range?.[2])];
}

function spansOfAnnotations(text: string, metadata: Pair): SecretSpan[] {
  const annotations = membersOf(metadata).find((pair) => keyOf(pair) === 'annotations');
  if (annotations === undefined) return [];
  return membersOf(annotations)
    .filter((pair) => keyOf(pair) === lastAppliedAnnotation)
    .flatMap((pair) => spansOfValue(text, lastAppliedAnnotation, '', pair.value));
}

function spansOfValue(text: string, section: string, key: string, value: unknown): SecretSpan[] {
  const start = startOf(value);
  const end = endOf(value);
  if (start === undefined || end === undefined || start === end || isAlias(value)) return [];
  const source = text.slice(start, end);
  const isString = isScalar(value) && typeof value.value === 'string';
  const isBlockScalar = isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
  const content = isString ? String(value.value) : source;
  return [{ start, source, kind: 'value', section, key, content, isBlockScalar }];
}

/** Comments in a stretch of text that holds neither keys nor values: whatever `#` begins one there. */
function commentsBetween(
  text: string,
  section: string,
  start: number | undefined,
  end: number | undefined,
): SecretSpan[] {
  if (start === undefined || end === undefined) return [];
  return [...text.slice(start, end).matchAll(/(?<=^|\s)#[^\r\n]*/g)].map(({ index, 0: source }) => ({
    start: start + index,
    source,
    kind: 'comment',
    section,
    key: '',
    content: source,
    isBlockScalar: false,
  }));
}

function membersOf({ value }: Pair): readonly Pair[] {
  return isMap(value) ? value.items : [];
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function startOf(node: unknown): number | undefined {
  return rangeOf(node)?.[0];
}

function endOf(node: unknown): number | undefined {
  return rangeOf(node)?.[1];
}

function rangeOf(node: unknown): Node['range'] | undefined {
  return typeof node === 'object' && node !== null && 'range' in node ? (node as Node).range : undefined;
}
