import { isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { isSecret } from '../resource/editableObject.ts';
import { readSecretValue, toBase64 } from '../resource/secretValue.ts';
import { locateField } from '../text/locate.ts';
import { planEdits } from '../text/planEdits.ts';
import { withSecretValue } from '../text/secretFields.ts';
import type { TextRange } from '../text/textEdit.ts';
import type { TextFix, TextProblem } from '../text/textProblem.ts';

/** What the text of a Secret is judged by. */
export interface SecretContext {
  readonly schema: MergeSchema;
  /** What the text grew from, where that is known. */
  readonly base?: JsonObject;
}

/** A base64 this long that decodes to plain characters is hardly a text of its own. */
const surelyEncodedLength = 16;

/**
 * Values of a Secret that are not encoded though they should be, or encoded though they will be again. None of the
 * messages holds a value.
 *
 * Source: Kubernetes API reference, Secret v1 core; the server answers 400 "illegal base64 data" (issue case H1).
 */
export function secretProblems(text: string, value: JsonObject, context: SecretContext): TextProblem[] {
  if (!isSecret(value)) return [];
  return [...plainProblems(text, value, context), ...encodedProblems(text, value, context)];
}

function plainProblems(text: string, value: JsonObject, { schema, base }: SecretContext): TextProblem[] {
  return membersOf(value['data']).flatMap(([key, member]): TextProblem[] => {
    if (member === null) return [];
    const read = typeof member === 'string' ? readSecretValue(member) : undefined;
    const isPlain = read === undefined || read.kind === 'notBase64';
    if (!isPlain && (read.kind !== 'binary' || !wasText(base, key, member))) return [];
    const { range, source } = placeOf(text, 'data', key);
    const plain = typeof member === 'string' ? member : source;
    const fixes: TextFix[] =
      typeof member === 'object'
        ? []
        : [
            fixWith(
              text,
              withSecretValue(value, 'data', key, toBase64(plain)),
              'Encode this value as base64',
              schema,
            ),
          ];
    return isPlain
      ? [
          {
            severity: 'error',
            range,
            message: `The value of ${key} under data must be base64. To type it as plain text, put it under stringData.`,
            code: 'secretNotBase64',
            fixes,
          },
        ]
      : [
          {
            severity: 'warning',
            range,
            message:
              `The value of ${key} under data is taken for base64, and decodes to binary where it was text before. ` +
              'If you typed plain text, encode it, or put it under stringData.',
            code: 'secretMaybePlain',
            fixes,
          },
        ];
  });
}

/** A text as legal as base64 by chance, such as a word of eight letters, decodes to what is no text. */
function wasText(base: JsonObject | undefined, key: string, member: Json | undefined): boolean {
  const before = memberAt(base, 'data', key);
  return typeof before === 'string' && before !== member && readSecretValue(before).kind === 'text';
}

function encodedProblems(text: string, value: JsonObject, { schema, base }: SecretContext): TextProblem[] {
  return membersOf(value['stringData']).flatMap(([key, member]): TextProblem[] => {
    if (typeof member !== 'string' || !isSurelyEncoded(member, memberAt(base, 'data', key))) return [];
    const decoded = readSecretValue(member);
    const moved = withSecretValue(withSecretValue(value, 'stringData', key, undefined), 'data', key, member);
    const asText =
      decoded.kind === 'text'
        ? [
            fixWith(
              text,
              withSecretValue(value, 'stringData', key, decoded.text),
              'Decode this value',
              schema,
            ),
          ]
        : [];
    return [
      {
        severity: 'warning',
        range: placeOf(text, 'stringData', key).range,
        message: `The value of ${key} is base64 already, and under stringData it is encoded once more.`,
        code: 'secretEncodedTwice',
        fixes: [...asText, fixWith(text, moved, 'Move it to data as it is', schema)],
      },
    ];
  });
}

/** Base's own value typed under stringData, or base64 of plain characters that is too long to be so by chance. */
function isSurelyEncoded(member: string, before: Json | undefined): boolean {
  if (member === '') return false;
  const read = readSecretValue(member);
  // What was there encoded twice stays as it is.
  if (read.kind === 'notBase64' || before === toBase64(member)) return false;
  if (member === before) return true;
  return (
    read.kind === 'text' && member.length >= surelyEncodedLength && /^[\x20-\x7e\r\n\t]+$/.test(read.text)
  );
}

function membersOf(section: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(section) ? Object.entries(section) : [];
}

function fixWith(text: string, target: JsonObject, title: string, schema: MergeSchema): TextFix {
  return { title, edits: planEdits(text, target, { schema }) };
}

/** The value itself, where the cursor is after typing it; the key of one of several lines. */
function placeOf(text: string, section: string, key: string): { range: TextRange; source: string } {
  const found = locateField(text, [
    { kind: 'member', key: section },
    { kind: 'member', key },
  ]);
  if (found === undefined) return { range: { start: 0, end: 0 }, source: '' };
  const source = text.slice(found.value.start, found.value.end);
  return { range: source === '' || source.includes('\n') ? (found.key ?? found.value) : found.value, source };
}
