import type { FieldCause } from '../errors.ts';
import type { FoundValue, GoType } from './serverPath.ts';

/**
 * The fields that a server's message names, for answers that carry no causes: strict decoding errors and
 * values of the wrong type.
 *
 * @returns in the order of the message; [] where it names none
 * Source: measured on kube-apiserver 1.36; sigs.k8s.io/json, Go `encoding/json`.
 */
export function causesFromMessage(message: string): readonly FieldCause[] {
  return [...strictCauses(message), ...typeCauses(message)];
}

/** What Go's decoder found where it wanted another type; undefined for other messages. */
export function foundValueOf(message: string): FoundValue | undefined {
  const match = /cannot unmarshal (string|number|bool|object|array)\b(?: (\S+))? into/.exec(message);
  if (match === null) return undefined;
  const [, type, text] = match;
  return { type: type as GoType, ...(text === undefined ? {} : { text }) };
}

/** The text that could not be read as a time, in messages that name no field. */
export function badTimeOf(message: string): string | undefined {
  return /\bparsing time "((?:[^"\\]|\\.)*)"/.exec(message)?.[1];
}

function strictCauses(message: string): FieldCause[] {
  return [...message.matchAll(/\b(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g)].map(
    ([, sort, field = '']) => ({
      field,
      message:
        sort === 'unknown'
          ? `This type has no field ${lastName(field)}.`
          : `The field ${lastName(field)} is set more than once.`,
      reason: sort === 'unknown' ? 'FieldUnknown' : 'FieldValueDuplicate',
    }),
  );
}

function lastName(field: string): string {
  return /[^.[\]]+$/.exec(field)?.[0] ?? field;
}

const goTypes: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  bool: 'a boolean',
  object: 'a mapping',
  array: 'a list',
};

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
function typeCauses(message: string): FieldCause[] {
  const pattern = /cannot unmarshal (\w+)(?: (\S+))? into Go struct field (\S+) of type ([^\s,;]+)/g;
  return [...message.matchAll(pattern)].map(([, found = '', text, place = '', wanted = '']) => ({
    field: fieldOf(place),
    message: typeMessage(found, text, wanted),
    reason: 'FieldValueTypeInvalid',
  }));
}

/** The first name is Go's type. Of custom resources the metadata is read by itself. */
function fieldOf(place: string): string {
  const dot = place.indexOf('.');
  const field = place.slice(dot + 1);
  const isMetadata = place.slice(0, dot) === 'ObjectMeta' && !/^metadata\b/.test(field);
  return isMetadata ? `metadata.${field}` : field;
}

function typeMessage(found: string, text: string | undefined, wanted: string): string {
  if (text === undefined) return `This must be ${wantedType(wanted)}, but is ${goTypes[found] ?? found}.`;
  const isTooLarge = /^u?int/.test(wanted) && /^-?\d+$/.test(text);
  return isTooLarge
    ? `${text} is out of the range of this field (${wanted}).`
    : `This must be ${wantedType(wanted)}, but is ${text}.`;
}

function wantedType(type: string): string {
  if (/^(?:u?int\d*)$/.test(type)) return 'an integer';
  if (/^float\d+$/.test(type)) return 'a number';
  if (type === 'bool') return 'a boolean';
  if (type.startsWith('[]')) return 'a list';
  if (type === 'string') return 'a string';
  return type.startsWith('map[') || /^v\w+\./.test(type) ? 'a mapping' : type;
}
