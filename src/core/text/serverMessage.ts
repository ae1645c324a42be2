import type { FieldCause } from '../errors.ts';
import type { GoType } from './serverPath.ts';

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
export function foundTypeOf(message: string): GoType | undefined {
  const match = /cannot unmarshal (string|number|bool|object|array)\b/.exec(message);
  return match?.[1] as GoType | undefined;
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
  const pattern = /cannot unmarshal (\w+)(?: [^ ]+)? into Go struct field ([^ ]+) of type ([^ ,;]+)/g;
  return [...message.matchAll(pattern)].map(([, found = '', place = '', wanted = '']) => ({
    // The first name is Go's type.
    field: place.slice(place.indexOf('.') + 1),
    message: `This must be ${wantedType(wanted)}, but is ${goTypes[found] ?? found}.`,
    reason: 'FieldValueTypeInvalid',
  }));
}

function wantedType(type: string): string {
  if (/^(?:u?int\d*)$/.test(type)) return 'an integer';
  if (/^float\d+$/.test(type)) return 'a number';
  if (type === 'bool') return 'a boolean';
  if (type.startsWith('[]')) return 'a list';
  if (type === 'string') return 'a string';
  return type.startsWith('map[') || /^v\w+\./.test(type) ? 'a mapping' : type;
}
