import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';

/** YAML with every scalar as it is written, so that a token `0123` stays one; null becomes undefined. */
export type Texts = string | undefined | readonly Texts[] | TextMap;
export interface TextMap {
  readonly [key: string]: Texts;
}

/** Reads a node's values as they are written. */
export function toTexts(node: unknown, document: Document): Texts {
  if (isAlias(node)) return toTexts(node.resolve(document), document);
  if (isScalar(node)) return node.value === null ? undefined : node.source;
  if (isSeq(node)) return node.items.map((item) => toTexts(item, document));
  if (!isMap(node)) return undefined;
  const members = node.items.map((pair): [string, Texts] => [
    isScalar(pair.key) ? String(pair.key.value) : '',
    toTexts(pair.value, document),
  ]);
  return Object.fromEntries(members);
}

export function isTextList(value: Texts): value is readonly Texts[] {
  return Array.isArray(value);
}

export function isTextMap(value: Texts): value is TextMap {
  return typeof value === 'object' && !Array.isArray(value);
}

export function textOf(value: Texts): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsOf(value: Texts): readonly string[] {
  return isTextList(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function isTrue(value: Texts): boolean {
  return typeof value === 'string' && /^(true|yes|on|y)$/i.test(value);
}
