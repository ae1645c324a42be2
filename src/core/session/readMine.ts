import { type JsonObject, memberAt } from '../json.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { findHiddenFields, type ObjectTraits, toEditable } from '../resource/editableObject.ts';
import { type GroupVersionKind, parseApiVersion, printApiVersion } from '../resource/gvk.ts';
import type { ResourceVersion, Uid } from '../resource/snapshot.ts';
import { locateField } from '../text/locate.ts';
import { readDocument } from '../text/readYaml.ts';
import type { TextRange } from '../text/textEdit.ts';
import type { TextFix, TextProblem } from '../text/textProblem.ts';
import { secretProblems } from './secretProblems.ts';

/** What the text of a document must agree with. */
export interface MineContext {
  readonly gvk: GroupVersionKind;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: Uid;
  /** The version that the text names by a trusted line. */
  readonly named: ResourceVersion;
  readonly traits: ObjectTraits;
  readonly schema: MergeSchema;
  /** Of a Secret: what the text grew from, to tell a mistake from what was there. */
  readonly base?: JsonObject;
}

/** A text's reading: the object to merge and save, or why there is none. */
export type MineReading =
  | { readonly kind: 'read'; readonly object: JsonObject; readonly warnings: readonly TextProblem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly TextProblem[] };

/**
 * Reads the text of a live document as kubectl would, and refuses what a save of it cannot mean: another
 * identity, another version, fields that the text leaves out. Source: design.md section 2 (issue cases
 * A10, A13, G6, H1).
 */
export function readMine(text: string, context: MineContext): MineReading {
  const read = readDocument(text, context.schema);
  if (read.kind === 'invalid') return { kind: 'invalid', problems: read.problems };
  const problems = [
    ...identityProblems(text, read.value, context),
    ...hiddenFieldProblems(text, read.value, context.traits),
    ...secretProblems(text, read.value, context),
    ...read.warnings,
  ];
  return problems.some(({ severity }) => severity === 'error')
    ? { kind: 'invalid', problems }
    : { kind: 'read', object: toEditable(read.value, context.traits), warnings: problems };
}

/** Codes of problems that mean another object than the one that is open: a copy may be what was wanted. */
export const identityCodes = ['kindChanged', 'nameChanged', 'namespaceChanged'] as const;

function identityProblems(text: string, value: JsonObject, context: MineContext): TextProblem[] {
  const { gvk, name, namespace, uid, named } = context;
  const problems: TextProblem[] = [];
  const expect = (
    code: string,
    keys: readonly string[],
    expected: string | undefined,
    message: string,
    mayBeAbsent = false,
  ): void => {
    const found = memberAt(value, ...keys);
    if (found === expected || (found === undefined && mayBeAbsent)) return;
    problems.push(problemAt(text, keys, code, message, replaceWith(text, keys, expected)));
  };
  const typed = memberAt(value, 'apiVersion');
  const version = typeof typed === 'string' ? parseApiVersion(typed) : undefined;
  if (version?.group === gvk.group) {
    const message =
      `This document is ${printApiVersion(gvk)}, and a save cannot change that. ` +
      `To edit the object as ${printApiVersion(version)}, open it in that version.`;
    expect('versionChanged', ['apiVersion'], printApiVersion(gvk), message);
  } else {
    const message = `This document is ${printApiVersion(gvk)} ${gvk.kind}; a save cannot change its API group.`;
    expect('kindChanged', ['apiVersion'], printApiVersion(gvk), message);
  }
  const otherObject = 'To make another object of this text, create a copy.';
  expect(
    'kindChanged',
    ['kind'],
    gvk.kind,
    `The kind is ${gvk.kind}; a save cannot change it. ${otherObject}`,
  );
  expect(
    'nameChanged',
    ['metadata', 'name'],
    name,
    `The name is ${name}; a save cannot change it. ${otherObject}`,
  );
  expect(
    'namespaceChanged',
    ['metadata', 'namespace'],
    namespace,
    namespace === undefined
      ? 'This object has no namespace; a save cannot give it one.'
      : `The namespace is ${namespace}; a save cannot change it. ${otherObject}`,
  );
  expect(
    'uidChanged',
    ['metadata', 'uid'],
    uid,
    'The uid says which object this text is about, and cannot be edited.',
    true,
  );
  expect(
    'resourceVersionTyped',
    ['metadata', 'resourceVersion'],
    named,
    `This text grew from version ${named}. Typing another does not bring in what changed since: merge or take live instead.`,
    true,
  );
  return problems;
}

function hiddenFieldProblems(text: string, value: JsonObject, traits: ObjectTraits): TextProblem[] {
  return findHiddenFields(value, traits).map((keys) => {
    const field = keys.join('.');
    const why = traits.isStatusOnly
      ? `This document holds the status alone; ${field} is edited in the document of the object.`
      : field === 'status'
        ? 'status is not part of a save of this object; it has an endpoint of its own.'
        : `${keys.at(-1) ?? field} is kept as it is on the server and is not edited here.`;
    return problemAt(text, keys, 'hiddenField', `${why} Remove it from the text.`, []);
  });
}

function problemAt(
  text: string,
  keys: readonly string[],
  code: string,
  message: string,
  fixes: readonly TextFix[],
): TextProblem {
  return { severity: 'error', range: rangeOf(text, keys), message, code, fixes };
}

function replaceWith(
  text: string,
  keys: readonly string[],
  expected: string | undefined,
): readonly TextFix[] {
  const found = locateField(text, memberPath(keys));
  if (expected === undefined || found?.isExact !== true) return [];
  const { start, end } = found.value;
  return [
    {
      title: `Restore ${keys.join('.')}: ${expected}`,
      edits: [{ offset: start, length: end - start, newText: JSON.stringify(expected) }],
    },
  ];
}

function rangeOf(text: string, keys: readonly string[]): TextRange {
  const found = locateField(text, memberPath(keys));
  return found === undefined ? { start: 0, end: 0 } : (found.key ?? found.value);
}

function memberPath(keys: readonly string[]): FieldPath {
  return keys.map((key) => ({ kind: 'member', key }));
}
